import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { jobView, withoutParent } from './views.ts';

/** `within`: workflows whose jobs the reader may see; left out: all. */
type Within = readonly string[] | undefined;

/** Jobs among these that the reader may see. */
function seenAmong(read: ReadHandle, ids: readonly string[], within: readonly string[]): ReadonlySet<string> {
  if (ids.length === 0) return new Set();
  const seen = new Set(within);
  const rows = read
    .query<{ id: string; workflow_id: string }>(
      'SELECT id, workflow_id FROM job WHERE id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(ids));
  return new Set(rows.flatMap(({ id, workflow_id: workflow }) => (seen.has(workflowIdForDraft(workflow)) ? [id] : [])));
}

/** Jobs as the API shows them, without the tasks of other projects that called them. */
export function jobViews(read: ReadHandle, rows: readonly JobRow[], within: Within): Job[] {
  if (within === undefined) return rows.map(jobView);
  const seen = seenAmong(
    read,
    rows.flatMap((row) => row.parent_job_id ?? []),
    within,
  );
  return rows.map((row) => {
    const job = jobView(row);
    return row.parent_job_id === null || seen.has(row.parent_job_id) ? job : withoutParent(job);
  });
}

/** Tasks without the jobs of other projects that they called. */
export function withoutForeignChildren(read: ReadHandle, tasks: Task[], within: Within): Task[] {
  if (within === undefined) return tasks;
  const seen = seenAmong(
    read,
    tasks.flatMap(({ childJobId }) => childJobId ?? []),
    within,
  );
  return tasks.map((task) =>
    task.childJobId === null || seen.has(task.childJobId) ? task : { ...task, childJobId: null },
  );
}
