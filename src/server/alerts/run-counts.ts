import type { RunCount } from './sources.ts';

/** Attempts that ended, counted by workflow and environment for the last minutes. */
export interface RunCounts {
  add(at: number, workflowId: string, environment: string, runs: number, failed: number): void;
  /** All that ended since a time, up to the length of a slot more. */
  since(from: number): RunCount[];
}

export const SLOT_MS = 5000;
export const KEPT_MS = 900_000;
const SLOTS = KEPT_MS / SLOT_MS;
/** Workflows and their environments; that which ran longest ago goes first. */
const MOST = 1000;

interface Entry {
  readonly workflowId: string;
  readonly environment: string;
  /** What each place counts now: the number of the slot since the epoch. */
  readonly slots: Float64Array;
  readonly runs: Float64Array;
  readonly failed: Float64Array;
  newest: number;
}

export function createRunCounts(): RunCounts {
  const entries = new Map<string, Map<string, Entry>>();
  let size = 0;

  function entryOf(workflowId: string, environment: string): Entry {
    let environments = entries.get(workflowId);
    if (!environments) entries.set(workflowId, (environments = new Map()));
    let entry = environments.get(environment);
    if (!entry) {
      if (size >= MOST) forgetOldest();
      environments.set(
        environment,
        (entry = {
          workflowId,
          environment,
          slots: new Float64Array(SLOTS),
          runs: new Float64Array(SLOTS),
          failed: new Float64Array(SLOTS),
          newest: 0,
        }),
      );
      // The oldest may have been of this workflow.
      entries.set(workflowId, environments);
      size++;
    }
    return entry;
  }

  function forgetOldest(): void {
    let oldest: Entry | null = null;
    for (const environments of entries.values())
      for (const entry of environments.values()) if (!oldest || entry.newest < oldest.newest) oldest = entry;
    if (!oldest) return;
    const environments = entries.get(oldest.workflowId);
    environments?.delete(oldest.environment);
    if (environments?.size === 0) entries.delete(oldest.workflowId);
    size--;
  }

  return {
    add(at, workflowId, environment, runs, failed) {
      const slot = Math.floor(at / SLOT_MS);
      const entry = entryOf(workflowId, environment);
      const place = slot % SLOTS;
      const counts = entry.slots[place] ?? 0;
      // Later than all that is kept; further back than that, the clock itself went back.
      if (slot < counts && counts - slot <= SLOTS) return;
      if (slot !== counts) {
        entry.slots[place] = slot;
        entry.runs[place] = 0;
        entry.failed[place] = 0;
      }
      entry.runs[place] = (entry.runs[place] ?? 0) + runs;
      entry.failed[place] = (entry.failed[place] ?? 0) + failed;
      if (slot > entry.newest) entry.newest = slot;
    },
    since(from) {
      const first = Math.floor(from / SLOT_MS);
      const found: RunCount[] = [];
      for (const environments of entries.values()) {
        for (const { workflowId, environment, slots, runs: all, failed: bad, newest } of environments.values()) {
          if (newest < first) continue;
          let runs = 0;
          let failed = 0;
          for (let place = 0; place < SLOTS; place++) {
            const slot = slots[place] ?? 0;
            // What lies beyond all that is kept was counted before the clock went back.
            if (slot < first || slot > first + SLOTS) continue;
            runs += all[place] ?? 0;
            failed += bad[place] ?? 0;
          }
          found.push({ workflowId, environment, runs, failed });
        }
      }
      return found;
    },
  };
}
