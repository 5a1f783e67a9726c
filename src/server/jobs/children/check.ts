import type { Runnable } from '../../workflows/port.ts';

/** A task that calls a workflow whose input schema costs more than a turn may take: its input is checked apart. */
export interface ChildCheck {
  /** Its seq. */
  readonly task: number;
  readonly attempt: number;
  readonly runnable: Runnable;
  readonly inputs: readonly unknown[];
}

/** What is wrong with the first input that breaks the schema, off the event loop; null: nothing. */
export type CheckInThread = (runnable: Runnable, inputs: readonly unknown[]) => Promise<string | null>;
