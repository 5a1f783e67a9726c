import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '../../../../lib/fault.ts';

/** Keeps work in the thread short, so that queries take turns. */
export interface TimeSlice {
  /** Called between pieces of work. Throws QUERY_TIMEOUT, or `WorkTooLong`. */
  step(): Promise<void>;
}

/** The work took more than it may here: it is for another thread. */
export class WorkTooLong extends Error {}

const SLICE_MS = 8;

/**
 * Takes turns with the other work of the thread. `workMs`: after so much work of its own it throws `WorkTooLong`, unless
 * it may `stay`, which is asked once. `onTurn`: called when the others have had theirs.
 */
export function createThreadYield(
  workMs: number,
  stay: () => boolean = () => false,
  onTurn: () => void = () => {},
): () => Promise<void> | undefined {
  let turned = performance.now();
  let before = workedMs();
  let worked = 0;
  let stays = false;
  async function rest(): Promise<void> {
    worked += workedMs() - before;
    if (worked > workMs && !stays) {
      if (!stay()) throw new WorkTooLong();
      stays = true;
    }
    await turn();
    onTurn();
    turned = performance.now();
    before = workedMs();
  }
  return () => (performance.now() - turned < SLICE_MS ? undefined : rest());
}
/** Of this thread: on a busy machine much less than has passed. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** `timeoutMs`: until it is given up; `workMs`: what of that may be work of its own, unless it may `stay`. */
export function createTimeSlice(timeoutMs: number, workMs: number, stay?: () => boolean): TimeSlice {
  const deadline = performance.now() + timeoutMs;
  const turns = createThreadYield(workMs, stay);
  return {
    async step() {
      await turns();
      if (performance.now() > deadline)
        throw new Fault(
          'QUERY_TIMEOUT',
          `the search took longer than ${timeoutMs / 1000} s: narrow the time range, or filter by a job or task`,
        );
    },
  };
}
