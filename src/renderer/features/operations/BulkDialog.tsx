import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { BulkDryRun } from '../../../contract/operations.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { type BulkTarget, dryRunQuery, operationKeys, startBulk } from '../../api/operations.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { runAfterUndoTime } from '../../ui/run-after-undo-time.tsx';
import { useRestoreFocus } from '../../ui/restore-focus.ts';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { rich } from '../../ui/rich.tsx';
import { toastRequested } from '../../shell/approvals/toast-requested.ts';
import { AsCommand } from '../../shell/commands/AsCommand.tsx';
import { bulkCommand } from '../../shell/commands/commands.ts';
import { IneligibleJobs } from './bulk/IneligibleJobs.tsx';
import { Versions } from './bulk/Versions.tsx';
import { countAlreadyRerun, countNewerVersions } from './bulk/versions.ts';
import { VersionChoice } from './bulk/VersionChoice.tsx';
import { jobsText, VERBS } from './shared/labels.ts';
import { bindChecked } from '../../ui/bind.ts';

export interface BulkQuestion {
  /** `recover`: a rerun where another version is published than they failed on, or some were run again before; else a retry. */
  readonly kind: OperationKind | 'recover';
  readonly target: BulkTarget;
  /** Where the jobs come from: 'that match the filter', 'that you chose'. */
  readonly which: string;
}

type Extras = Readonly<Record<'includeNonRetryable' | 'includeRerun' | 'includeCompleted', boolean>>;

/** Shows first what would happen (a dry run), then starts the operation. */
export function BulkDialog({
  question: { kind: asked, target: given, which },
  onClose,
  onStarted,
}: {
  question: BulkQuestion;
  onClose(): void;
  onStarted(operationId: string): void;
}): ReactNode {
  useRestoreFocus(true);
  const client = useQueryClient();
  const [extras, setExtras] = useState<Extras>({
    includeNonRetryable: given.includeNonRetryable === true,
    includeRerun: false,
    includeCompleted: false,
  });
  const [picked, setPicked] = useState<'retry' | 'rerun' | null>(null);
  const { includeNonRetryable: _nonRetryable, ...jobs } = given;
  const rerunTarget: BulkTarget = {
    ...jobs,
    commit: 'published',
    ...(extras.includeRerun ? { includeRerun: true } : {}),
    ...(extras.includeCompleted ? { includeCompleted: true } : {}),
  };
  // What is counted anew stands meanwhile as it was, with the box that was ticked and has the focus.
  const rerun = useQuery({
    ...dryRunQuery('rerun', rerunTarget),
    enabled: asked !== 'kill',
    placeholderData: keepPreviousData,
  });
  // Not known before the dry run says what is published.
  const sensible =
    asked !== 'recover'
      ? asked
      : rerun.data !== undefined
        ? countNewerVersions(rerun.data) > 0 || countAlreadyRerun(rerun.data) > 0
          ? 'rerun'
          : 'retry'
        : rerun.error
          ? 'retry'
          : null;
  const kind = picked ?? sensible;
  const target: BulkTarget =
    kind === 'rerun' ? rerunTarget : { ...jobs, ...(extras.includeNonRetryable ? { includeNonRetryable: true } : {}) };
  const other = useQuery({
    ...dryRunQuery(kind === 'kill' ? 'kill' : 'retry', target),
    enabled: kind === 'kill' || kind === 'retry',
    placeholderData: keepPreviousData,
  });
  const dry = kind === 'rerun' || kind === null ? rerun : other;
  const verb = VERBS[kind ?? 'rerun'];
  const eligible = dry.data?.eligible ?? 0;
  const isReady = eligible > 0 && kind !== null && !dry.isPlaceholderData;

  function start(event: FormEvent): void {
    event.preventDefault();
    const counted = dry.data;
    if (!isReady || counted === undefined) return;
    onClose();
    runAfterUndoTime({
      title: verb.doing(jobsText(eligible)),
      failed: t('Could not start the operation'),
      async run() {
        const begun = await startBulk(kind, target, counted);
        if ('requestedBy' in begun) return void toastRequested(client);
        void client.invalidateQueries({ queryKey: operationKeys.lists });
        onStarted(begun.operationId);
      },
    });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <strong>
          {dry.data === undefined || kind === null
            ? verb.jobs
            : eligible === 0
              ? verb.nothing
              : verb.asked(jobsText(eligible))}
        </strong>
      }
      size="lg"
    >
      <form onSubmit={start}>
        <Stack gap="sm" mih={132} aria-busy={dry.isPlaceholderData}>
          {kind !== 'kill' && kind !== null && <VersionChoice way={kind} rerun={rerun.data} onChange={setPicked} />}
          {dry.error ? (
            <ErrorState
              compact
              what={t('Could not run the dry run')}
              error={dry.error}
              onRetry={() => void dry.refetch()}
            />
          ) : dry.data === undefined || kind === null ? (
            <SkeletonLines lines={3} />
          ) : (
            <>
              <Effect kind={kind} dry={dry.data} which={which} />
              {kind === 'rerun' && eligible > 0 && <Versions {...dry.data} />}
              <IneligibleJobs kind={kind} ineligible={dry.data.ineligible} />
              <Extra
                extras={extras}
                kind={kind}
                dry={dry.data}
                onChange={(change) => setExtras({ ...extras, ...change })}
              />
              <Text size="sm" c="dimmed">
                {t(
                  'Only the jobs counted here are affected, even if more match by then. After you confirm, you have 5 seconds to undo before anything is sent. You can stop the operation at any time. Completed work is not undone.',
                )}
              </Text>
              {dry.data.needsApproval && (
                <Callout tone="warn" title={t('A second person must approve')}>
                  <Text size="sm">
                    {t(
                      'So many jobs need approval. The request is for exactly the jobs counted here; the operation starts when someone else approves it.',
                    )}
                  </Text>
                </Callout>
              )}
              <AsCommand command={bulkCommand(kind, target)} />
            </>
          )}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button type="submit" color={kind === 'kill' ? 'red.9' : 'yard'} disabled={!isReady}>
            {dry.data?.needsApproval
              ? t('Request approval')
              : eligible > 0
                ? verb.button(jobsText(eligible))
                : verb.title}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

const THEN: Readonly<Record<OperationKind, string>> = {
  kill: t('Their open tasks fail with the code KILLED. Completed tasks are kept. Killed jobs can be retried.'),
  retry: t('Their failed and timed-out tasks are queued again, with retries reset.'),
  rerun: t('Every node runs again. The original jobs are not changed and link to the new ones.'),
};

function Effect({ kind, dry, which }: { kind: OperationKind; dry: BulkDryRun; which: string }): ReactNode {
  const parts = { jobs: jobsText(dry.count), which, eligible: <strong>{formatCount(dry.eligible)}</strong> };
  return (
    <Text size="sm">
      {kind === 'kill'
        ? rich('Of {jobs} {which}, {eligible} will be killed.', parts)
        : kind === 'retry'
          ? rich('Of {jobs} {which}, {eligible} will be retried.', parts)
          : rich('Of {jobs} {which}, {eligible} will be rerun as new jobs.', parts)}{' '}
      {THEN[kind]}
    </Text>
  );
}

/** Jobs that are left out unless somebody wants them in. */
function Extra({
  extras,
  kind,
  dry,
  onChange,
}: {
  extras: Extras;
  kind: OperationKind;
  dry: BulkDryRun;
  onChange(change: Partial<Extras>): void;
}): ReactNode {
  const isLeft = (reason: string) => dry.ineligible.some((one) => one.reason === reason);
  const box = (name: keyof Extras, reason: string, label: string) =>
    (extras[name] || isLeft(reason)) && (
      <Checkbox label={label} {...bindChecked(extras[name], (on) => onChange({ [name]: on }))} />
    );
  if (kind === 'retry')
    return box(
      'includeNonRetryable',
      'NON_RETRYABLE',
      t("Include jobs with errors that a retry doesn't fix: the cause has been fixed"),
    );
  if (kind === 'kill') return null;
  return (
    <>
      {box('includeRerun', 'RERUN_EXISTS', t('Include jobs that were already rerun'))}
      {box('includeCompleted', 'NOTHING_FAILED', t('Include jobs without failures: their work is repeated'))}
    </>
  );
}
