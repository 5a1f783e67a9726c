import { Anchor, Checkbox, Group, Text } from '@mantine/core';
import { IconBraces, IconPlayerPlay, IconPlayerStop, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Definition } from '../../../../contract/definition.ts';
import type { DraftRun } from '../../../../contract/drafts.ts';
import { t, tn } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { useRights, useWorkflowPlace } from '../../../stores/role.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { formatDuration } from '../../../ui/Duration.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { RowAction } from '../../../ui/RowAction.tsx';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import type { NodeNameLookup } from '../node-names.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { whyNoSave } from '../../../stores/permissions.ts';
import { useDraftRuns } from './context.tsx';
import { bindChecked } from '../../../ui/bind.ts';
import { fetchWhenIdle } from '../../../ui/fetch-when-idle.ts';
import { shortJob } from './node-input.ts';
import { effectLabels } from './outside-nodes.ts';

const loadSampleDialog = () => import('./SampleDialog.tsx').then((file) => ({ default: file.SampleDialog }));
const SampleDialog = lazy(loadSampleDialog);

/** Runs what is open, saved or not. `definition`: null while the text is none. */
export function DraftRunTools({ definition }: { definition: Definition | null }): ReactNode {
  const runs = useDraftRuns();
  const { busy, effects, borrowed } = useStore(runs.store);
  const job = borrowed && shortJob(borrowed.jobId);
  const rights = useRights();
  const place = useWorkflowPlace(runs.workflowId);
  const [editing, setEditing] = useState(false);
  useEffect(() => fetchWhenIdle(loadSampleDialog), []);
  const reason = whyNoSave(rights, place) ?? (definition === null ? t('Fix the errors in the text first.') : null);
  const outside = definition && effectLabels(definition);
  const start = () => {
    if (reason === null && definition) void runs.start(definition);
  };
  useShortcut('mod+enter', t('Run the draft'), start);

  return (
    <>
      <Group gap={6}>
        {/* One button that changes its word, or the focus would be lost with it. */}
        <ReasonButton
          variant={busy ? 'default' : 'light'}
          leftSection={
            busy ? <IconPlayerStop size={14} aria-hidden="true" /> : <IconPlayerPlay size={14} aria-hidden="true" />
          }
          reason={busy ? null : reason}
          hint={
            busy
              ? t('Cancels this run')
              : job === null
                ? t('Runs the current draft, saved or not, on the example input. Ctrl+Enter')
                : t('Runs the current draft, saved or not, on the input of job {job}. Ctrl+Enter', { job })
          }
          onClick={busy ? runs.stop : start}
        >
          {busy ? t('Stop') : t('Run draft')}
        </ReasonButton>
        <ReasonButton
          variant="default"
          leftSection={<IconBraces size={14} aria-hidden="true" />}
          reason={definition === null ? t('Fix the errors in the text first.') : null}
          onClick={() => setEditing(true)}
        >
          {job === null ? t('Example input') : t('Input of job {job}', { job })}
        </ReasonButton>
        {outside && (
          <Checkbox {...bindChecked(effects, runs.setEffects)} label={outside.label} data-hint={outside.hint} />
        )}
      </Group>
      {editing && definition && (
        <Suspense>
          <SampleDialog definition={definition} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}

/** How the last run went; what each node gave stands on the canvas and in its panel. */
export function DraftRunOutcome({ nameOf }: { nameOf: NodeNameLookup }): ReactNode {
  const runs = useDraftRuns();
  const { run, busy, error, upTo } = useStore(runs.store);
  if (run === null && error === null) return null;
  return (
    <Group gap={4} wrap="nowrap" miw={0} aria-live="polite">
      {error !== null ? (
        <ErrorLine
          error={error}
          advice={
            error instanceof ApiError && error.code === 'INPUT_INVALID'
              ? t('Change the input, or the schema in the settings of the input node.')
              : undefined
          }
        />
      ) : (
        run && <Outcome run={run} upTo={upTo} nameOf={nameOf} />
      )}
      {!busy && <RowAction label={t('Clear this run')} icon={IconX} onClick={runs.clear} />}
    </Group>
  );
}

function Outcome({ run, upTo, nameOf }: { run: DraftRun; upTo: string | null; nameOf: NodeNameLookup }): ReactNode {
  const standIns = run.nodes.filter(({ standIn }) => standIn).length;
  const words = [
    upTo === null ? '' : t('up to {id}', { id: nameOf(upTo) }),
    run.durationMs === null ? '' : formatDuration(run.durationMs),
    run.error ? `${nameOf(run.error.node)}: ${run.error.message}` : '',
    standIns === 0 ? '' : tn('{count} mock', '{count} mocks', standIns),
  ]
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <StatusBadge status={run.status} />
      <Text size="xs" className="clip" title={words}>
        {words}
      </Text>
      <Anchor
        size="xs"
        flex="none"
        renderRoot={(props) => <Link to="/jobs/$jobId" params={{ jobId: run.jobId }} {...props} />}
      >
        {t('View job')}
      </Anchor>
    </Group>
  );
}
