import { Button, Group, Stack, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import type { Worker } from '../../../../contract/workers.ts';
import { t } from '../../../../lib/language.ts';
import { workerQuery, workerTasksQuery } from '../../../api/workers.ts';
import { hasNoProgress, TaskProgress } from '../../jobs/TaskProgress.tsx';
import { NodeName, NodeNamesOfJob } from '../../workflows/NodeName.tsx';
import { LiveLogs } from '../../logs/LiveLogs.tsx';
import { EnvironmentBadges, TaskStateBadge, WorkerStateBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { formatBytes } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { Elapsed, Instant, TimeAgo } from '../../../ui/Time.tsx';
import { UsageBar } from '../../../ui/UsageBar.tsx';
import { labelWords } from '../list/columns.tsx';
import { DrainButton } from '../list/DrainButton.tsx';
import { ForgetButton } from '../list/ForgetButton.tsx';
import { exitText } from '../worker-end.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { paged, usePlace } from '../../../ui/table/pages.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { formatShare } from '../../../ui/number-text.ts';

/** Which tasks a worker holds changes faster than anything tells; read again at this pace while it shows. */
const REFRESH_MS = 2000;

/** What a worker is, what it can do, what it works on. */
export function WorkerDetails({ workerId }: { workerId: string }): ReactNode {
  const query = useQuery({ ...workerQuery(workerId), refetchInterval: REFRESH_MS });
  if (!query.data) return <Loading query={query} what={t('Could not load the worker')} lines={8} />;
  const worker = query.data;
  return (
    <Stack gap="md">
      {query.error !== null && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      <Group justify="space-between">
        <WorkerStateBadge state={worker.state} drained={worker.drained} ended={worker.ended?.reason} size="large" />
        {worker.state === 'Down' ? <ForgetButton worker={worker} /> : <DrainButton worker={worker} />}
      </Group>
      {worker.ended && worker.ended.reason !== 'stopped' && (
        <Callout tone="fail" title={[exitText(worker.ended), t('ended')].filter(Boolean).join(', ')}>
          <Instant at={worker.ended.at} />
          {worker.ended.message !== null && <pre>{worker.ended.message}</pre>}
        </Callout>
      )}
      <Facts items={workerFacts(worker)} />
      <section aria-labelledby="worker-tasks">
        <Text component="h2" id="worker-tasks" size="sm" fw={600} mb={6}>
          {t('Active tasks')}
        </Text>
        <Tasks workerId={worker.id} />
      </section>
      <section aria-labelledby="worker-logs">
        <Text component="h2" id="worker-logs" size="sm" fw={600} mb={6}>
          {t('Its log lines')}
        </Text>
        <Logs worker={worker} />
      </section>
    </Stack>
  );
}

function Logs({ worker }: { worker: Worker }): ReactNode {
  const filters = useMemo(() => ({ worker_id: worker.id }), [worker.id]);
  return (
    <Stack gap={0} h={380}>
      <LiveLogs
        label={t('Log lines of worker {id}', { id: worker.id })}
        filters={filters}
        live={worker.state !== 'Down'}
        empty={t('Log lines of its tasks appear here within a second.')}
        actions={
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(root) => <Link to="/logs" search={{ worker: worker.id, range: 'all' }} {...root} />}
          >
            {t('Search in these lines')}
          </Button>
        }
      />
    </Stack>
  );
}

const workerFacts = (worker: Worker) => [
  { label: t('Worker'), value: <IdLabel id={worker.id} kind={t('worker ID')} tail={12} /> },
  { label: t('URL'), value: worker.url === '' ? '–' : <span className="mono">{worker.url}</span> },
  {
    label: t('Slots'),
    value:
      worker.state === 'Down' ? (
        '–'
      ) : (
        <UsageBar label={t('Slots in use')} used={worker.currentTasks} of={worker.maxTasks} />
      ),
  },
  { label: t('Heartbeat'), value: <TimeAgo at={worker.lastHeartbeatAt} absent={t('never')} /> },
  { label: t('Registered'), value: <Instant at={worker.registeredAt} /> },
  { label: t('Created'), value: <Instant at={worker.createdAt} /> },
  { label: t('Version'), value: <span className="mono">{worker.version}</span> },
  { label: t('CPU'), value: worker.cpuUsage === null ? '–' : formatShare(worker.cpuUsage) },
  { label: t('Memory'), value: worker.memoryUsage === null ? '–' : formatBytes(worker.memoryUsage) },
  {
    label: t('Handlers'),
    value: worker.handlers.length === 0 ? t('None') : <span className="mono">{worker.handlers.join(', ')}</span>,
  },
  {
    label: t('Environments'),
    value: worker.environments === null ? t('all') : <EnvironmentBadges of={worker.environments} />,
  },
  {
    label: t('Labels'),
    value: labelWords(worker).length === 0 ? t('none') : <span className="mono">{labelWords(worker).join(', ')}</span>,
  },
];

const columns: readonly DataColumn<Task>[] = [
  {
    id: 'id',
    header: t('Task'),
    width: 140,
    cell: (task) => (
      <Link to="/jobs/$jobId" params={{ jobId: task.jobId }} search={{ task: task.id }} className="mono">
        …{task.id.slice(-12)}
      </Link>
    ),
  },
  { id: 'state', header: t('State'), width: 116, cell: (task) => <TaskStateBadge state={task.state} /> },
  {
    id: 'node',
    header: t('Node'),
    width: 110,
    grow: true,
    cell: (task) => (
      <span className="clip">
        <NodeNamesOfJob jobId={task.jobId}>
          <NodeName node={task.node} />
        </NodeNamesOfJob>{' '}
        <span className="dim">{task.nodeType}</span>
      </span>
    ),
  },
  {
    id: 'progress',
    header: t('Progress'),
    width: 110,
    blank: hasNoProgress,
    cell: (task) => <TaskProgress task={task} />,
  },
  {
    id: 'run',
    header: t('Run time'),
    width: 84,
    align: 'right',
    cell: (task) =>
      task.startedAt === null ? <span className="dim">–</span> : <Elapsed from={task.startedAt} to={task.finishedAt} />,
  },
];
const idOf = (task: Task): string => task.id;

function Tasks({ workerId }: { workerId: string }): ReactNode {
  const [place, go] = usePlace();
  const query = useQuery({ ...workerTasksQuery(workerId, place), refetchInterval: REFRESH_MS });
  return (
    <DataTable
      label={t('Worker tasks')}
      what={t("Could not load the worker's tasks")}
      columns={columns}
      rowId={idOf}
      maxHeight={420}
      {...paged(query, place, go)}
      empty={<EmptyState icon={IconListDetails} title={t('No active tasks')} />}
    />
  );
}
