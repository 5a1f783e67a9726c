import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { TaskStateBadge } from '../../../ui/Badges.tsx';
import { taskPosition } from './task-position.ts';
import { NodeName } from '../../workflows/NodeName.tsx';
import { hasNoProgress, TaskProgress } from '../TaskProgress.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Elapsed, TimeAgo } from '../../../ui/Time.tsx';

/** Columns of a job's tasks. */
export const taskColumns: readonly DataColumn<Task>[] = [
  { id: 'id', header: t('Task'), width: 140, cell: (task) => <IdLabel id={task.id} kind={t('task ID')} tail={12} /> },
  {
    id: 'state',
    header: t('State'),
    width: 184,
    sortKey: 'state',
    cell: (task) => <TaskStateBadge state={task.state} workerId={task.workerId} retryAt={task.retryAt} />,
  },
  {
    id: 'node',
    header: t('Node'),
    width: 120,
    grow: true,
    sortKey: 'node',
    cell: (task) => (
      <span className="clip">
        <NodeName node={task.node} /> <span className="dim">{task.nodeType}</span>
      </span>
    ),
  },
  {
    id: 'replica',
    header: t('Replica'),
    width: 86,
    align: 'right',
    sortKey: 'replica',
    cell: (task) => (
      <span
        className="numbers"
        {...(task.item === null
          ? {}
          : { 'data-hint': t('Item {item} of replica {replica}', { item: task.item, replica: task.replica }) })}
      >
        {taskPosition(task)}
      </span>
    ),
  },
  {
    id: 'attempt',
    header: t('Attempt'),
    width: 78,
    align: 'right',
    cell: (task) => (
      <span className="numbers">
        {task.attempt} / {task.retryCount + 1}
      </span>
    ),
  },
  {
    id: 'error',
    header: t('Error'),
    width: 110,
    // What a table of failed tasks is read for.
    grow: 480,
    blank: (task) => task.error === null,
    cell: (task) =>
      task.error === null ? (
        <span className="dim">–</span>
      ) : (
        <span className="clip" title={task.error.message}>
          <span className="mono">{task.error.code}</span> {task.error.message}
        </span>
      ),
  },
  {
    id: 'worker',
    header: t('Worker'),
    width: 112,
    cell: (task) =>
      task.workerId === null ? (
        <span className="dim">–</span>
      ) : (
        <IdLabel id={task.workerId} kind={t('worker ID')} tail={8} />
      ),
  },
  {
    id: 'progress',
    header: t('Progress'),
    width: 82,
    blank: hasNoProgress,
    cell: (task) => <TaskProgress task={task} />,
  },
  { id: 'ready', header: t('Ready'), width: 94, sortKey: 'readyAt', cell: (task) => <TimeAgo at={task.readyAt} /> },
  {
    id: 'run',
    header: t('Run time'),
    width: 82,
    align: 'right',
    cell: (task) =>
      task.startedAt === null || (task.finishedAt === null && task.state !== 'RUNNING') ? (
        <span className="dim">–</span>
      ) : (
        <Elapsed from={task.startedAt} to={task.finishedAt} />
      ),
  },
];
