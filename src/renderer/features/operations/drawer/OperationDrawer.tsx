import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Operation, OperationResult } from '../../../../contract/operations.ts';
import type { ListedOperationKind } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { failureKeys } from '../../../api/failures.ts';
import { jobKeys, taskKeys } from '../../../api/jobs.ts';
import { abortOperation, operationKeys, operationQuery, operationResultsQuery } from '../../../api/operations.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { HashLabel, IdLabel } from '../../../ui/HashLabel.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { Elapsed, Instant } from '../../../ui/Time.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import css from '../shared/Operations.module.css';
import { SaveReport } from './SaveReport.tsx';
import { OPERATION_TONES, outcomeText, skippedText, VERBS } from '../shared/labels.ts';
import { OutcomeBar } from '../shared/OutcomeBar.tsx';
import { paged, usePlace } from '../../../ui/table/pages.ts';
import { Loading } from '../../../ui/Loading.tsx';

/** Events come at most a few times a second; this is for the time when the stream is down. */
const POLL_MS = 1000;

/** One operation beside the page: progress, abort, and what came of each job. */
export function OperationDrawer({ operationId, onClose }: { operationId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Operation')} id={operationId} width={720} onClose={onClose}>
      {(id) => <Body key={id} operationId={id} />}
    </SidePanel>
  );
}

function Body({ operationId }: { operationId: string }): ReactNode {
  const query = useQuery({
    ...operationQuery(operationId),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? POLL_MS : false),
  });
  const client = useQueryClient();
  const status = query.data?.status;
  // When it ends the jobs that are shown have changed, and the report is whole.
  useEffect(() => {
    if (status === undefined || status === 'RUNNING') return;
    for (const queryKey of [jobKeys.all, taskKeys.all, failureKeys.all, operationKeys.resultsOf(operationId)])
      void client.invalidateQueries({ queryKey });
  }, [status, client, operationId]);
  if (!query.data) return <Loading query={query} what={t('Could not load the operation')} lines={6} />;
  return <Loaded operation={query.data} />;
}

function Loaded({ operation }: { operation: Operation }): ReactNode {
  const canOperate = useWhy('jobs.operate') === undefined;
  const client = useQueryClient();
  const { word, tone, icon } = OPERATION_TONES[operation.status];
  const running = operation.status === 'RUNNING';
  const abort = useMutation({
    mutationFn: () => abortOperation(operation.operationId),
    onSuccess: () => void client.invalidateQueries({ queryKey: operationKeys.all }),
    onError: toastFailure(t('Could not stop the operation')),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <h2 className={css['title']}>{VERBS[operation.kind].jobs}</h2>
        <ToneBadge tone={tone} icon={icon} size="large">
          {word}
        </ToneBadge>
      </Group>
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" role="status">
            {outcomeText(operation)}
          </Text>
          {running && (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={14} aria-hidden />}
              loading={abort.isPending}
              disabled={!canOperate}
              onClick={() => abort.mutate()}
            >
              {t('Stop operation')}
            </Button>
          )}
        </Group>
        <OutcomeBar operation={operation} label={t('Progress')} size="lg" />
      </div>
      <Facts
        items={[
          { label: t('Operation'), value: <IdLabel id={operation.operationId} kind={t('operation ID')} tail={12} /> },
          { label: t('Started'), value: <Instant at={operation.createdAt} /> },
          { label: t('Duration'), value: <Elapsed from={operation.createdAt} to={operation.finishedAt} /> },
          { label: t('Created by'), value: operation.createdBy },
          operation.commit !== undefined && {
            label: t('Version'),
            value:
              operation.commit === null ? (
                t('Original version of each job')
              ) : operation.commit === 'published' ? (
                t('Currently published version')
              ) : (
                <HashLabel hash={operation.commit} />
              ),
          },
        ]}
      />
      <div>
        <Text size="sm" c="dimmed">
          {operation.filter === null ? t('The jobs were selected individually.') : t('Filter as submitted:')}
        </Text>
        {operation.filter !== null && <code className={css['filter']}>{JSON.stringify(operation.filter)}</code>}
      </div>
      <Results operation={operation} />
    </Stack>
  );
}

const NEW_JOB: DataColumn<OperationResult> = {
  id: 'new',
  header: t('New job'),
  width: 150,
  cell: ({ newJobId }) =>
    newJobId ? (
      <IdLabel id={newJobId} to={`/jobs/${newJobId}`} kind={t('job ID')} tail={12} />
    ) : (
      <span className="dim">–</span>
    ),
};
const columnsOf = (kind: ListedOperationKind): readonly DataColumn<OperationResult>[] => [
  {
    id: 'job',
    header: t('Job'),
    width: 150,
    cell: (row) => <IdLabel id={row.jobId} to={`/jobs/${row.jobId}`} kind={t('job ID')} tail={12} />,
  },
  {
    id: 'ok',
    header: t('Result'),
    width: 140,
    cell: (row) => (
      <ToneBadge tone={row.ok ? 'done' : 'late'}>
        {!row.ok ? t('Skipped') : kind === 'rerun' ? t('Started') : t('Done')}
      </ToneBadge>
    ),
  },
  ...(kind === 'rerun' ? [NEW_JOB] : []),
  {
    id: 'why',
    header: t('Reason'),
    width: 200,
    grow: true,
    cell: (row) =>
      row.code === null ? (
        <span className="dim">–</span>
      ) : (
        <span className="clip" title={row.message ?? ''}>
          {skippedText(row.code, row.message, kind)} <span className="mono dim">{row.code}</span>
        </span>
      ),
  },
];
const resultId = (row: OperationResult): string => row.jobId;

function Results({ operation }: { operation: Operation }): ReactNode {
  const [place, go] = usePlace();
  const [only, setOnly] = useState<'all' | 'failed'>('all');
  const columns = useMemo(() => columnsOf(operation.kind), [operation.kind]);
  const query = useQuery({
    ...operationResultsQuery(operation.operationId, { ...place, ...(only === 'failed' ? { ok: false } : {}) }),
    refetchInterval: operation.status === 'RUNNING' ? POLL_MS : false,
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <h3 className={css['title']}>{t('Report')}</h3>
        <Group gap="xs">
          <SegmentedControl
            aria-label={t('Show results')}
            value={only}
            onChange={(value) => {
              setOnly(value);
              go({ page: 0 });
            }}
            data={[
              { value: 'all', label: t('All') },
              { value: 'failed', label: t('Skipped only') },
            ]}
          />
          <SaveReport operation={operation} />
        </Group>
      </Group>
      <DataTable
        label={t('Results')}
        what={t('Could not load the results')}
        columns={columns}
        rowId={resultId}
        maxHeight={360}
        {...paged(query, place, go)}
        empty={<EmptyState title={only === 'failed' ? t('No jobs were skipped') : t('No results yet')} />}
      />
      <Text size="sm">
        <Link to="/operations">{t('All operations')}</Link>
      </Text>
    </Stack>
  );
}
