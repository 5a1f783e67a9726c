import { CloseButton, Drawer, Group, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { type ReactNode, useMemo } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { taskPayloadQuery, taskQuery } from '../../../api/jobs.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { isOccluded } from '../../../ui/is-occluded.ts';
import { Elapsed, Instant, useNow } from '../../../ui/Time.tsx';
import { isFresh } from '../../logs/is-fresh.ts';
import { TaskProgress } from '../TaskProgress.tsx';
import { canExplainWait, WhyBox } from '../why/WhyBox.tsx';
import { LiveLogs } from '../../logs/LiveLogs.tsx';
import { NodeName } from '../../workflows/NodeName.tsx';
import { NodeLink } from '../../workflows/NodeLink.tsx';
import { Attempts, Transitions } from './Attempts.tsx';
import { Children } from './Children.tsx';
import { ErrorBox } from './ErrorBox.tsx';
import { TaskActions } from './TaskActions.tsx';
import css from './TaskPanel.module.css';
import { WorkerFacts } from './WorkerFacts.tsx';
import { Loading } from '../../../ui/Loading.tsx';

/** One task beside the view it was opened from. The address holds which one. */
export function TaskPanel({
  taskId,
  jobId,
  workflowId,
  environment,
  onClose,
  onRerun,
}: {
  taskId: string | undefined;
  jobId: string;
  workflowId: string;
  environment: Environment | null;
  onClose(): void;
  onRerun(node: string): void;
}): ReactNode {
  return (
    <Drawer.Root
      opened={taskId !== undefined}
      onClose={() => !isOccluded() && onClose()}
      position="right"
      size="min(760px, 92vw)"
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content aria-label={t('Task')}>
        <Drawer.Body>
          <Group gap={0} wrap="nowrap" justify="space-between" c="var(--ink-2)">
            <span>{t('Task')}</span>
            <CloseButton aria-label={t('Close task')} onClick={onClose} data-autofocus />
          </Group>
          {taskId !== undefined && (
            <Body
              key={taskId}
              taskId={taskId}
              jobId={jobId}
              workflowId={workflowId}
              environment={environment}
              onRerun={onRerun}
            />
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Body({
  taskId,
  jobId,
  workflowId,
  environment,
  onRerun,
}: {
  taskId: string;
  jobId: string;
  workflowId: string;
  environment: Environment | null;
  onRerun(node: string): void;
}): ReactNode {
  const query = useQuery(taskQuery(taskId));
  const task = query.data;
  if (!task) return <Loading query={query} what={t('Could not load the task')} lines={10} />;
  if (task.jobId !== jobId)
    return (
      <EmptyState title={t('This task belongs to another job')}>
        {t('The link points to a task of a different job.')}
      </EmptyState>
    );
  return (
    <Stack gap={14}>
      {query.error !== null && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      <div className={css['head']}>
        <h2>
          <NodeName node={task.node} />
        </h2>
        <TaskStateBadge state={task.state} workerId={task.workerId} retryAt={task.retryAt} size="large" />
        <NodeLink workflowId={workflowId} node={task.node} />
      </div>
      <TaskActions task={task} workflowId={workflowId} environment={environment} onRerun={() => onRerun(task.node)} />
      <TaskProgress task={task} withMessage />
      {canExplainWait(task) && <WhyBox task={task} workflowId={workflowId} environment={environment} />}
      <Facts
        items={[
          { label: t('Task'), value: <IdLabel id={task.id} kind={t('task ID')} tail={12} /> },
          { label: t('Type'), value: task.nodeType },
          {
            label: t('Replica'),
            value:
              task.item === null
                ? task.replica
                : t('{replica}, item {item}', { replica: task.replica, item: task.item }),
          },
          {
            label: t('Attempt'),
            value: t('{attempt} of {most} (max.)', { attempt: task.attempt, most: task.retryCount + 1 }),
          },
          { label: t('Queue time'), value: <Elapsed from={task.readyAt} to={task.startedAt ?? task.finishedAt} /> },
          {
            label: t('Run time'),
            value:
              task.startedAt === null ? (
                '–'
              ) : task.finishedAt === null && task.state !== 'RUNNING' ? (
                '–'
              ) : (
                <Elapsed from={task.startedAt} to={task.finishedAt} />
              ),
          },
          { label: t('Ready'), value: <Instant at={task.readyAt} /> },
          { label: t('Finished'), value: <Instant at={task.finishedAt} absent={t('never')} /> },
          task.port !== null && { label: t('Branch'), value: task.port },
        ]}
      />
      <Children task={task} />
      {task.error !== null && <ErrorBox error={task.error} task={task} />}
      <Tabs
        defaultValue={task.error !== null || task.retryEntries.length > 0 ? 'attempts' : 'output'}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="attempts">{t('Attempts')}</Tabs.Tab>
          <Tabs.Tab value="input">{t('Input')}</Tabs.Tab>
          <Tabs.Tab value="output">{t('Output')}</Tabs.Tab>
          <Tabs.Tab value="logs">{t('Logs')}</Tabs.Tab>
          <Tabs.Tab value="worker">{t('Worker')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('History')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="attempts" pt="sm">
          <Attempts task={task} />
        </Tabs.Panel>
        <Tabs.Panel value="input" pt="sm">
          <Payload task={task} side="input" />
        </Tabs.Panel>
        <Tabs.Panel value="output" pt="sm">
          <Payload task={task} side="output" />
        </Tabs.Panel>
        <Tabs.Panel value="logs" pt="sm">
          <TaskLogs task={task} />
        </Tabs.Panel>
        <Tabs.Panel value="worker" pt="sm">
          <WorkerFacts workerId={task.workerId ?? task.retryEntries.at(-1)?.workerId ?? null} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="sm">
          <Transitions task={task} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Payload({ task, side }: { task: Task; side: 'input' | 'output' }): ReactNode {
  const none = side === 'output' && task.state !== 'COMPLETED';
  const query = useQuery({ ...taskPayloadQuery(task.id, side), enabled: !none, staleTime: Infinity });
  if (none)
    return (
      <EmptyState title={t('No output')}>
        {task.finishedAt === null ? t('The task has not completed yet.') : t('Only completed tasks have an output.')}
      </EmptyState>
    );
  if (query.data === undefined)
    return <Loading query={query} what={t('Could not load the {side}', { side })} lines={6} compact />;
  return (
    <JsonTree label={side === 'input' ? t('Input') : t('Output')} source={query.data} openDepth={3} maxHeight={460} />
  );
}

function TaskLogs({ task }: { task: Task }): ReactNode {
  const filters = useMemo(() => ({ task_id: task.id }), [task.id]);
  const now = useNow();
  const open =
    task.state === 'READY' || task.state === 'SCHEDULED' || task.state === 'RUNNING' || task.retryAt !== null;
  return (
    <Stack gap={0} h={420}>
      <LiveLogs
        label={t('Log lines of task {id}', { id: task.id })}
        filters={filters}
        live={open || isFresh(task.finishedAt, now)}
        empty={open ? t('Log lines appear here within a second.') : t('The task has written no log lines.')}
      />
    </Stack>
  );
}
