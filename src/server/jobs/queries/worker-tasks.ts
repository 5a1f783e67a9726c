import type { Page } from '../../../contract/shapes.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { ReadHandle } from '../../store/port.ts';
import { TASK_VIEW } from './list-tasks.ts';
import { taskView, type TaskViewRow } from './views.ts';

/** Exported for the test of its plan. */
export const TASKS_OF_WORKER = `SELECT seq FROM task WHERE state IN ('SCHEDULED', 'RUNNING') AND state <> 'COMPLETED' AND worker_id = ?`;

/** The tasks that a worker holds now, in the order of their creation: never more than its capacity. */
export function listWorkerTasks(
  read: ReadHandle,
  workerId: string,
  { page, size }: { page: number; size: number },
  previewCharacters: number,
): Page<Task> {
  const seqs = read
    .query<{ seq: number }>(TASKS_OF_WORKER)
    .all(workerId)
    .map(({ seq }) => seq)
    .sort((a, b) => a - b);
  const shown = seqs.slice(page * size, (page + 1) * size);
  const one = read.query<TaskViewRow>(`${TASK_VIEW} WHERE t.seq = ?`);
  const items = shown.flatMap((seq) => {
    const row = one.get(previewCharacters + 1, previewCharacters + 1, seq);
    return row ? [taskView(row, previewCharacters)] : [];
  });
  return { items, page, size, totalItems: seqs.length, totalPages: Math.ceil(seqs.length / size) };
}
