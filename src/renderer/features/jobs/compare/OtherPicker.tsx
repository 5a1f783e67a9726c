import { Button, Flex, Group, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './Compare.module.css';
import type { Suggestion } from './use-suggestions.ts';
import { bindText } from '../../../ui/bind.ts';

export interface OtherPickerProps {
  readonly job: Job;
  readonly other: string | undefined;
  readonly suggestions: readonly Suggestion[];
  /** Whether there are any is not known yet. */
  readonly isPending: boolean;
  readonly busy: boolean;
  onOther(jobId: string): void;
  onSwap(): void;
  onAgain(): void;
}

/** Pixels, as the style has it. */
const SUGGESTION_HEIGHT = 56;

/** With which run to compare: one that offers itself, or any by its id. */
export function OtherPicker({
  job,
  other,
  suggestions,
  isPending,
  busy,
  onOther,
  onSwap,
  onAgain,
}: OtherPickerProps): ReactNode {
  const [typed, setTyped] = useState('');
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.exec(typed)?.[0].toLowerCase();
  const fault = typed.trim() === '' || id !== undefined ? null : t('Enter a job ID');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id !== undefined && id !== job.id) onOther(id);
  };
  return (
    <Flex gap={10} direction="column" role="group" aria-label={t('Compare with')}>
      <form className={css['pasted']} onSubmit={submit}>
        <TextInput
          aria-label={t('ID of another job')}
          placeholder={t('Job ID or URL')}
          {...bindText(typed, setTyped)}
          error={fault ?? (id === job.id ? t('This is the same run') : null)}
          w={300}
          maw="100%"
        />
        <Button type="submit" variant="default" disabled={id === undefined || id === job.id}>
          {t('Compare')}
        </Button>
        {(isPending || other !== undefined) && (
          <>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconArrowsExchange size={15} aria-hidden />}
              disabled={other === undefined}
              onClick={onSwap}
            >
              {t('Swap sides')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconRefresh size={15} aria-hidden />}
              loading={busy}
              disabled={other === undefined}
              onClick={onAgain}
            >
              {t('Refresh comparison')}
            </Button>
          </>
        )}
      </form>
      {/* As high as what comes: what is below does not move. */}
      {(isPending || suggestions.length > 0) && (
        <Flex gap={8} wrap="wrap">
          {suggestions.map((one) => (
            <button
              key={one.job.id}
              type="button"
              className={css['suggestion']}
              aria-pressed={one.job.id === other}
              onClick={() => onOther(one.job.id)}
            >
              <span className={css['why']}>{one.why}</span>
              <Group component="span" gap={8} wrap="nowrap">
                <span className="mono">…{one.job.id.slice(-12)}</span> <StatusBadge status={badgeStatus(one.job)} />{' '}
                <span className="dim">
                  <TimeAgo at={one.job.createdAt} />
                </span>
              </Group>
            </button>
          ))}
          {isPending && (
            <div className={css['coming']}>
              <SkeletonBlock height={SUGGESTION_HEIGHT} />
            </div>
          )}
        </Flex>
      )}
    </Flex>
  );
}
