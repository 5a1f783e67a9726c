import type { TaskRecord } from './records.ts';

/** READY tasks kept in memory, at most, and the length of an input that may be kept with them. */
const KEPT_TASKS = 2000;
const KEPT_CHARACTERS = 16 * 1024;

export interface Queued {
  readonly task: TaskRecord;
  readonly inputText: string;
  /** Its replica is under way: what was begun is finished first. */
  readonly begun: boolean;
}

/** The head of the queue. Everything in it is in the database too, so it may be incomplete, but never wrong. */
export interface Queue {
  readonly size: number;
  /** False where it is full or the input too long: the task is then read in when its turn comes. */
  add(task: TaskRecord, inputText: string, begun: boolean): boolean;
  /** What was taken out; null: it was not here. */
  remove(task: TaskRecord): Queued | null;
  get(id: string): TaskRecord | undefined;
  first(): Queued | undefined;
}

export function createQueue(): Queue {
  const begun = new Map<string, Queued>();
  const fresh = new Map<string, Queued>();
  const find = (id: string): Queued | undefined => begun.get(id) ?? fresh.get(id);
  return {
    get size() {
      return begun.size + fresh.size;
    },
    add(task, inputText, isBegun) {
      if (inputText.length > KEPT_CHARACTERS || begun.size + fresh.size >= KEPT_TASKS) return false;
      (isBegun ? begun : fresh).set(task.id, { task, inputText, begun: isBegun });
      return true;
    },
    remove({ id }) {
      const queued = find(id);
      if (!queued) return null;
      (queued.begun ? begun : fresh).delete(id);
      return queued;
    },
    get: (id) => find(id)?.task,
    first() {
      for (const queued of begun.values()) return queued;
      for (const queued of fresh.values()) return queued;
      return undefined;
    },
  };
}
