import type { ReadThere } from '../../../lib/copy-read.ts';
import type { ClusterTime } from '../time.ts';
import type { CopyReads } from '../port.ts';

/** What the standby's port asks to read in place of the owner. */
export type ReadHere = (read: ReadThere, signal: AbortSignal) => Promise<string | Uint8Array>;

/** Reads of a working copy that follows the journal: each waits until the copy holds what the owner said. */
export interface ReplicaReads {
  readonly read: ReadHere;
  /** The copy holds this turn now. */
  reached(turn: number): void;
  /** For so long at most, less where somebody waits for a turn that the copy may not have yet. */
  pause(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The journal is asked no more often than this for those who wait. */
const LEAST_MS = 5;

/** @param waitMs a copy that is further behind is not waited for: the owner reads by itself */
export function openReplicaReads(reads: CopyReads, time: ClusterTime, waitMs: number): ReplicaReads {
  let held = 0;
  let waiting: { turn: number; done: (error: Error | null) => void }[] = [];
  let wake: (() => void) | null = null;
  let closed = false;

  function until(turn: number): Promise<void> {
    if (closed) return Promise.reject(new Error('the copy is not followed any more'));
    if (turn <= held) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const one = {
        turn,
        done(error: Error | null) {
          noLonger();
          if (error) reject(error);
          else resolve();
        },
      };
      const noLonger = time.after(waitMs, () => {
        waiting = waiting.filter((other) => other !== one);
        reject(new Error(`the copy has not reached turn ${turn} within ${waitMs} ms`));
      });
      waiting.push(one);
      wake?.();
    });
  }

  function tell(error: Error | null): void {
    const told = waiting.filter(({ turn }) => error !== null || turn <= held);
    waiting = waiting.filter((one) => !told.includes(one));
    for (const { done } of told) done(error);
  }

  return {
    async read(read, signal) {
      await until(read.turn);
      return reads.answer(read, signal);
    },
    reached(turn) {
      held = turn;
      tell(null);
    },
    async pause(ms) {
      await time.sleep(LEAST_MS);
      if (waiting.length > 0) return;
      await Promise.race([time.sleep(ms - LEAST_MS), new Promise<void>((resolve) => (wake = resolve))]);
      wake = null;
    },
    async close() {
      closed = true;
      tell(new Error('the copy is not followed any more'));
      await reads.close();
    },
  };
}
