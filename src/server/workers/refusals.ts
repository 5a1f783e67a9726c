import type { WorkerRefusal } from '../../contract/access.ts';
import { iso } from '../../lib/clock.ts';

/** That many are told, the newest first; all in memory: they are for somebody who starts a worker and looks on. */
const KEPT = 20;

/** Connections of workers that were turned away. */
export function createRefusals(now: () => number) {
  const kept: WorkerRefusal[] = [];
  return {
    add(refusal: Omit<WorkerRefusal, 'at'>): void {
      kept.unshift({ at: iso(now()), ...refusal });
      kept.length = Math.min(kept.length, KEPT);
    },
    list: (): WorkerRefusal[] => [...kept],
  };
}
export type Refusals = ReturnType<typeof createRefusals>;
