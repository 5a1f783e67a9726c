import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { type BulkTarget, dryRunQuery, operationKeys, startBulk } from '../../api/operations.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { sayLater } from '../../ui/later.tsx';
import { useFocusBack } from '../../ui/focus-back.ts';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { rich } from '../../ui/rich.tsx';
import { AsCommand } from '../frame/AsCommand.tsx';
import { bulkCommand } from '../frame/commands.ts';
import { jobsWord, reasonWords, VERBS } from './words.ts';

export interface BulkQuestion {
  readonly kind: OperationKind;
  readonly target: BulkTarget;
  /** Where the jobs come from: 'that match the filter', 'that you chose'. */
  readonly which: string;
}

/** Shows first what would happen (a dry run), then starts the operation. */
export function BulkDialog({ question: { kind, target: asked, which }, onClose, onStarted }: { question: BulkQuestion; onClose(): void; onStarted(operationId: string): void }): ReactNode {
  useFocusBack(true);
  const client = useQueryClient();
  const [anyway, setAnyway] = useState(false);
  const target = anyway ? { ...asked, includeNonRetryable: true as const } : asked;
  const dry = useQuery(dryRunQuery(kind, target));
  const verb = VERBS[kind];
  const eligible = dry.data?.eligible ?? 0;

  function start(event: FormEvent): void {
    event.preventDefault();
    if (eligible === 0) return;
    onClose();
    sayLater({
      title: verb.doing(jobsWord(eligible)),
      failed: t('The operation could not be started'),
      async run() {
        const { operationId } = await startBulk(kind, target);
        void client.invalidateQueries({ queryKey: operationKeys.lists });
        onStarted(operationId);
      },
    });
  }

  return (
    <Modal opened onClose={onClose} title={<strong>{dry.data === undefined ? verb.jobs : eligible === 0 ? verb.nothing : verb.asked(jobsWord(eligible))}</strong>} size="lg">
      <form onSubmit={start}>
        <Stack gap="sm" mih={132}>
          {dry.error ? (
            <ErrorState compact what={t('What would happen could not be counted')} error={dry.error} onRetry={() => void dry.refetch()} />
          ) : dry.data === undefined ? (
            <SkeletonLines lines={3} />
          ) : (
            <>
              <Text size="sm">
                {rich(kind === 'kill' ? 'Of {jobs} {which}, {eligible} will be killed.' : 'Of {jobs} {which}, {eligible} will be retried.', { jobs: jobsWord(dry.data.count), which, eligible: <strong>{formatCount(eligible)}</strong> })}{' '}
                {kind === 'kill' ? t('Their open tasks become failed with the code KILLED; what is done stays done. Killed jobs can be retried.') : t('Their failed and timed-out tasks are queued again, each with a fresh allowance of retries.')}
              </Text>
              {dry.data.ineligible.length > 0 && (
                <div>
                  <Text size="sm">{t('Left out:')}</Text>
                  <ul aria-label={t('Left out')}>
                    {dry.data.ineligible.map(({ reason, count }) => (
                      <li key={reason}>
                        <Text size="sm" span>
                          <span className="numbers">{jobsWord(count)}</span>: {reasonWords(reason, kind)} <span className="mono dim">{reason}</span>
                        </Text>
                      </li>
                    ))}
                  </ul>
                </div>
              )}
              {kind === 'retry' && (anyway || dry.data.ineligible.some(({ reason }) => reason === 'NON_RETRYABLE')) && (
                <Checkbox label={t('Retry those too whose failure a retry does not mend: the cause is mended now')} checked={anyway} onChange={(event) => setAnyway(event.currentTarget.checked)} />
              )}
              <Text size="sm" c="dimmed">
                {t('After you confirm, nothing is sent for 5 seconds, in which you can undo it. Then the master fixes which jobs these are: jobs that come later are not touched, and you can stop the rest at any time. What was done by then stays done.')}
              </Text>
              <AsCommand command={bulkCommand(kind, target)} />
            </>
          )}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button type="submit" color={kind === 'kill' ? 'red.9' : 'yard'} disabled={eligible === 0}>
            {eligible > 0 ? `${verb.title} ${jobsWord(eligible)}` : verb.title}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
