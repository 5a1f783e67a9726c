import { setImmediate as turn } from 'node:timers/promises';
import { cancelledFault } from '../../logsql/run-context.ts';
import { Fault } from '../../../../lib/fault.ts';

/** Keeps work in the thread short, so that queries take turns. */
export interface Watch {
  /** Called between pieces of work. Throws QUERY_TIMEOUT or QUERY_CANCELLED. */
  step(): Promise<void>;
}

const SLICE_MS = 8;

export function createWatch(timeoutMs: number, cancelled: () => boolean = () => false): Watch {
  const deadline = performance.now() + timeoutMs;
  let turned = performance.now();
  return {
    async step() {
      const now = performance.now();
      if (now - turned < SLICE_MS) return;
      await turn();
      turned = performance.now();
      if (cancelled()) throw cancelledFault();
      if (now > deadline) throw new Fault('QUERY_TIMEOUT', `the search took longer than ${timeoutMs / 1000} s: narrow its time range, or name a job or a task`);
    },
  };
}
