import type { Runnable } from '../../workflows/port.ts';
import type { Transaction } from '../engine/port.ts';

/** What is wrong with the first input that breaks the schema, off the event loop; null: nothing. */
export type CheckInThread = (runnable: Runnable, inputs: readonly unknown[]) => Promise<string | null>;

/** Child jobs and the tasks that wait for them: the end of the one is the end of the other. */
export interface Children {
  /** After a commit: settles the parents of children that ended in it, and kills the children of parents that did. */
  afterCommit(tx: Transaction): void;
  /** Tasks whose run time is over, and what the store refused. */
  timeOut(now: number): Promise<void>;
  /** After a restart of the master: what ended while nobody looked. */
  recover(): Promise<void>;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}
