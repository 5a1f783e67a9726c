import type { WorkerRefusal } from '../../contract/access.ts';
import { iso } from '../../lib/clock.ts';

/** That many are told, the newest first; all in memory: they are for somebody who starts a worker and looks on. */
const KEPT = 20;

/** Connections of workers that were turned away. */
export function createRefusals(now: () => number) {
  const kept: WorkerRefusal[] = [];
  return {
    add(refusal: Omit<WorkerRefusal, 'at'>): void {
      // A worker that tries again and again does not push out the others.
      const { address, code, message } = refusal;
      const same = kept.findIndex((one) => one.address === address && one.code === code && one.message === message);
      if (same >= 0) kept.splice(same, 1);
      kept.unshift({ at: iso(now()), ...refusal });
      kept.length = Math.min(kept.length, KEPT);
    },
    list: (): WorkerRefusal[] => [...kept],
  };
}
export type Refusals = ReturnType<typeof createRefusals>;
