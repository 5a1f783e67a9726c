import type { Task, TaskProgress } from '../../contract/tasks.ts';
import type { WorkerFrame } from '../../contract/worker-protocol.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import type { Feed } from '../feed/port.ts';

/** How far running tasks are, as their workers tell. In memory alone: it is of no use once the task has ended. */
export interface ProgressBoard {
  take(workerId: string, items: Extract<WorkerFrame, { t: 'progress' }>['items']): void;
  of(task: Pick<Task, 'id' | 'attempt' | 'state' | 'workerId'>): TaskProgress | null;
}

/** Tasks whose progress is kept; those that told longest ago go first. */
const KEPT = 10_000;

interface Told {
  workerId: string;
  attempt: number;
  fraction: number;
  message: string | null;
  at: number;
}

export function createProgressBoard(feed: Pick<Feed, 'publish'>, clock: Clock): ProgressBoard {
  const told = new Map<string, Told>();
  return {
    take(workerId, items) {
      const at = clock.now();
      for (const { id, attempt, fraction, message } of items) {
        told.delete(id);
        told.set(id, { workerId, attempt, fraction: Math.min(1, Math.max(0, fraction)), message, at });
        feed.publish('task', id);
      }
      for (const id of told.keys()) {
        if (told.size <= KEPT) break;
        told.delete(id);
      }
    },
    of(task) {
      const last = told.get(task.id);
      // What another worker says of it, or said of an earlier attempt, is not about this run.
      if (
        last === undefined ||
        task.state !== 'RUNNING' ||
        last.attempt !== task.attempt ||
        last.workerId !== task.workerId
      )
        return null;
      return { fraction: last.fraction, message: last.message, at: iso(last.at) };
    },
  };
}
