import type { Limits } from '../../../contract/limits.ts';
import type { TaskFailureGroup } from '../../../contract/tasks.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { fingerprint, normalise } from './fingerprint.ts';
import { findGroup } from './groups.ts';

interface Failed {
  job: number;
  workflow_id: string;
  node: string;
  error_code: string | null;
  error_message: string | null;
}

const OF_TASK =
  'SELECT t.job, j.workflow_id, t.node, t.error_code, t.error_message FROM task t JOIN job j ON j.seq = t.job WHERE t.id = ?';
/** Of a failure that an earlier release grouped otherwise. */
const AS_COUNTED =
  'SELECT group_id FROM failure_job INDEXED BY failure_job_by_job WHERE job = ? AND task = ? ORDER BY at DESC LIMIT 1';
const OTHERS = 'SELECT count(*) AS n FROM failure_job WHERE group_id = ? AND job <> ?';

/** The group that the failure of a task belongs to, and how many other jobs are in it; also while a retry waits for the task. Throws TASK_NOT_FOUND. */
export function findTaskFailure(
  read: ReadHandle,
  taskId: string,
  { failureMessageCharacters }: Pick<Limits, 'failureMessageCharacters'>,
): TaskFailureGroup {
  const task = read.query<Failed>(OF_TASK).get(taskId);
  if (!task) throw new Fault('TASK_NOT_FOUND', `task ${taskId} not found`);
  if (task.error_code === null) return { group: null, otherJobs: 0 };
  const alike = fingerprint(
    task.workflow_id,
    task.node,
    task.error_code,
    normalise(task.error_message ?? '', failureMessageCharacters),
  );
  const counted = read.query<{ group_id: string }>(AS_COUNTED).get(task.job, taskId)?.group_id;
  const group = findGroup(read, alike) ?? (counted === undefined ? null : findGroup(read, counted));
  return { group, otherJobs: group === null ? 0 : (read.query<{ n: number }>(OTHERS).get(group.id, task.job)?.n ?? 0) };
}
