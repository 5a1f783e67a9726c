import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '../../../../lib/fault.ts';
import { readQuery } from '../../logsql/read.ts';
import { runQuery } from '../../logsql/run.ts';
import type { LogRun } from '../port.ts';
import type { Snapshot, Source } from '../source.ts';

/** Queries under way whose pages are pulled one by one. */
export interface Runs {
  open(id: number, run: LogRun): void;
  /** The next page; null: there is none. */
  next(id: number): Promise<Uint8Array | null>;
  close(id: number): void;
  /** When the oldest one began, unix ms; Infinity: there is none. */
  oldest(): number;
}

const SLICE_MS = 8;

/** `stateBytes`: what a query may hold for sorting and grouping. */
export function createRuns(source: Source, stateBytes: number, changed: () => void): Runs {
  const runs = new Map<number, { began: number; snapshot: Snapshot; pages: Generator<Uint8Array | null>; cancelled: boolean }>();
  function close(id: number): void {
    const run = runs.get(id);
    if (!run) return;
    run.cancelled = true;
    runs.delete(id);
    run.snapshot.release();
    changed();
  }
  return {
    open(id, given) {
      const query = readQuery(given.query);
      const began = Date.now();
      // Before the snapshot is taken: nothing that it shows may be swept away.
      const holder = { began, cancelled: false } as { began: number; snapshot: Snapshot; pages: Generator<Uint8Array | null>; cancelled: boolean };
      runs.set(id, holder);
      changed();
      try {
        holder.snapshot = source.snapshot();
      } catch (error) {
        runs.delete(id);
        changed();
        throw error;
      }
      holder.pages = runQuery(query, holder.snapshot, { ...given, order: 'desc', stateBytes, cancelled: () => holder.cancelled });
    },
    async next(id) {
      const run = runs.get(id);
      if (!run) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
      let turned = performance.now();
      try {
        for (;;) {
          if (run.cancelled) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
          const { value, done } = run.pages.next();
          if (done) break;
          if (value !== null) return value;
          if (performance.now() - turned < SLICE_MS) continue;
          await turn();
          turned = performance.now();
        }
      } catch (error) {
        close(id);
        throw error;
      }
      close(id);
      return null;
    },
    close,
    oldest: () => Math.min(Infinity, ...[...runs.values()].map(({ began }) => began)),
  };
}
