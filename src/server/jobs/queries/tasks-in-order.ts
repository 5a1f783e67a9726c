import type { ReadHandle } from '../../store/port.ts';
import type { TaskCursor } from './port.ts';

/** Before the first task of a job. */
export const FIRST_TASK: TaskCursor = { replica: -1, item: null, seq: 0 };

/** Reads tasks of a job as `task_by_job` holds them: those of a replica, then its items, then the replicas after it. */
export function tasksInOrder<R extends TaskCursor>(columns: string) {
  const select = `SELECT ${columns} FROM task WHERE job = ?`;
  const restOfReplica = `${select} AND replica = ? AND item IS NULL AND seq > ? ORDER BY seq LIMIT ?`;
  const restOfItems = `${select} AND replica = ? AND (item, seq) > (?, ?) ORDER BY item, seq LIMIT ?`;
  const nextReplicas = `${select} AND replica > ? ORDER BY replica, item, seq LIMIT ?`;
  return {
    /** For the test of their plans. */
    statements: { restOfReplica, restOfItems, nextReplicas },
    /** At most so many of the tasks behind this place; fewer where they are the last. */
    page(read: ReadHandle, job: number, { replica, item, seq }: TaskCursor, most: number): R[] {
      const rows = item === null ? read.query<R>(restOfReplica).all(job, replica, seq, most) : [];
      if (rows.length < most)
        rows.push(
          ...read.query<R>(restOfItems).all(job, replica, item ?? -1, item === null ? 0 : seq, most - rows.length),
        );
      if (rows.length < most) rows.push(...read.query<R>(nextReplicas).all(job, replica, most - rows.length));
      return rows;
    },
  };
}
