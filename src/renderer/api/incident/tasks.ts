import { isOneOf } from '../../../lib/is-one-of.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { Bundle } from './read.ts';
import { type Line, linesOf, pagingOf, pageText, textOf, textOrEmpty } from './lines.ts';

interface Row extends Pick<Task, 'id' | 'jobId' | 'node' | 'state' | 'replica' | 'item' | 'readyAt'> {
  readonly worker: string;
  /** Code and message of the error, in lower case. */
  readonly code: string;
  readonly message: string;
  readonly line: Line;
}

export interface BundleTasks {
  /** A page of a job's tasks, as the API answers it. */
  list(jobId: string, query: URLSearchParams): string;
  /** JSON text of a task, as in lists; null: it is not here. */
  one(taskId: string): string | null;
  row(taskId: string): Pick<Task, 'id' | 'jobId'> | null;
  /** The task that a replica began with, whose input is the job's own; null: it is not here. */
  begin(jobId: string, replica: number): Pick<Task, 'id' | 'jobId'> | null;
}

const SORTS = ['readyAt', 'node', 'state', 'replica'] as const;

/** The tasks of a bundle: what lists sort and filter by is in memory, all else is read when it is shown. */
export function indexTasks({ parts, manifest }: Bundle): BundleTasks {
  const byId = new Map<string, Row>();
  const byJob = new Map<string, Row[]>();
  for (const jobId of manifest.jobs) {
    const rows: Row[] = [];
    for (const { line, value } of linesOf<Task>(parts, `jobs/${jobId}/tasks/`)) {
      const { id, node, state, replica, item, readyAt, workerId, error } = value;
      // Those that failed may come once more before all others.
      if (typeof id !== 'string' || byId.has(id)) continue;
      // What is not in order is told when it is shown.
      const row: Row = {
        id,
        jobId,
        node: textOrEmpty(node),
        state: textOrEmpty(state) as Row['state'],
        replica: typeof replica === 'number' ? replica : 0,
        item: typeof item === 'number' ? item : null,
        readyAt: textOrEmpty(readyAt),
        worker: textOrEmpty(workerId),
        code: textOrEmpty(error?.code).toLowerCase(),
        message: textOrEmpty(error?.message).toLowerCase(),
        line,
      };
      byId.set(id, row);
      rows.push(row);
    }
    byJob.set(jobId, rows);
  }

  return {
    list(jobId, query) {
      const { page, size } = pagingOf(query);
      const states = new Set(query.getAll('state'));
      const node = query.get('node');
      const replica = query.get('replica');
      const worker = query.get('worker') ?? '';
      const code = query.get('code')?.toLowerCase();
      const words = query.get('q')?.toLowerCase() ?? '';
      const found = (byJob.get(jobId) ?? []).filter(
        (row) =>
          (states.size === 0 || states.has(row.state)) &&
          (node === null || row.node === node) &&
          (replica === null || String(row.replica) === replica) &&
          row.worker.includes(worker) &&
          (code === undefined || row.code === code) &&
          row.message.includes(words),
      );
      const [key, way] = (query.get('sort') ?? '').split(',');
      if (isOneOf(SORTS, key)) {
        const sign = way === 'desc' ? -1 : 1;
        found.sort((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : 0));
      }
      return pageText(
        found.slice(page * size, (page + 1) * size).map(({ line }) => textOf(line)),
        page,
        size,
        found.length,
      );
    },
    one: (taskId) => {
      const row = byId.get(taskId);
      return row ? textOf(row.line) : null;
    },
    row: (taskId) => byId.get(taskId) ?? null,
    // Tasks come in the order in which they were made.
    begin: (jobId, replica) =>
      (byJob.get(jobId) ?? []).find((row) => row.replica === replica && row.item === null) ?? null,
  };
}
