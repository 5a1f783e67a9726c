import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconRepeat, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { type JobAction, type Permission, checkJobAction } from '../actions/check-job-action.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import css from './JobsPage.module.css';

export interface SelectionBarProps {
  /** What is known of the chosen jobs; those out of sight as they were seen last. */
  readonly chosen: readonly Job[];
  /** How many are chosen. */
  readonly count: number;
  /** Every job that matches is chosen. */
  readonly all: boolean;
  /** Jobs that match. */
  readonly total: number;
  onAsk(action: JobAction): void;
  onRerun(): void;
  onAll(): void;
  onClear(): void;
}

/** What can be done with the chosen jobs, and the way from some to all that match. */
export function SelectionBar({
  chosen,
  count,
  all,
  total,
  onAsk,
  onRerun,
  onAll,
  onClear,
}: SelectionBarProps): ReactNode {
  const whyOperate = useWhy('jobs.operate');
  const [one] = chosen;
  const place = useWorkflowPlace(one?.workflowId ?? null, one?.environment ?? null);
  // One job is killed or retried by itself; several are a bulk operation, which belongs to no project.
  const whyThis = useWhy('jobs.operate', place);
  const whyOne = count === 1 && !all ? whyThis : whyOperate;
  const may = (action: JobAction): Permission => {
    const [first] = chosen;
    if (all || !first) return whyOperate === undefined ? { ok: true } : { ok: false, reason: whyOperate };
    return chosen.some((job) => checkJobAction(action, job, whyOne).ok)
      ? { ok: true }
      : checkJobAction(action, first, whyOne);
  };
  return (
    <Group gap={8} wrap="nowrap" role="group" aria-label={t('Selected jobs')}>
      <span className={`numbers ${css['chosen']}`} role="status">
        {all
          ? t('All {total} selected', { total: formatCount(total) })
          : t('{count} selected', { count: formatCount(count) })}
      </span>
      {!all && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          {t('Select all {total} matching', { total: formatCount(total) })}
        </Button>
      )}
      <ActionButton action="retry" may={may('retry')} onClick={() => onAsk('retry')} />
      <ReasonButton
        variant="default"
        leftSection={<IconRepeat size={15} aria-hidden />}
        reason={whyOperate ?? null}
        hint={t('Rerun as new jobs')}
        onClick={onRerun}
      >
        {t('Rerun…')}
      </ReasonButton>
      <ActionButton action="kill" may={may('kill')} onClick={() => onAsk('kill')} />
      {/* By its icon: with its words the bar would take a second line in a small window, and move the rows below. */}
      <Tooltip label={t('Clear selection')}>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('Clear selection')} onClick={onClear}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
