import { errorMessage } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import { readQuery } from '../../logsql/parse.ts';
import { cancelledFault } from '../../logsql/run-context.ts';
import { runQuery } from '../../logsql/run.ts';
import type { LogRun } from '../port.ts';
import type { Snapshot, Source } from './source.ts';
import { createThreadYield, WorkTooLong } from './time-slice.ts';

/** The first page, and whether `next` is to be asked for more. */
export interface Attempt {
  readonly page: Uint8Array;
  readonly more: boolean;
}

/** Queries under way whose pages are pulled one by one. */
export interface RunningQueries {
  open(id: number, run: LogRun): void;
  /**
   * The whole result where it fits into a page and takes no more work than `workMs`; null: it does not. `close` ends it.
   * Where it is larger and may `stay`, which is asked once, it gives the first page, and `next` the others.
   */
  attempt(id: number, run: LogRun, workMs: number, stay?: () => boolean): Promise<Attempt | null>;
  /** The next page; null: there is none. */
  next(id: number): Promise<Uint8Array | null>;
  close(id: number): void;
  /** When the oldest one began, unix ms; Infinity: there is none. */
  oldest(): number;
}

interface Run {
  readonly began: number;
  /** Ends what nobody asks for any more. */
  readonly expiry: NodeJS.Timeout;
  snapshot: Snapshot;
  pages: Generator<Uint8Array | null>;
  /** Begins anew, over what there is now. */
  restart(): void;
  /** A page was handed out. */
  given: boolean;
  /** A page that comes next. */
  ready: Uint8Array | null;
  cancelled: boolean;
}

/** A query is looked after so much longer than it may take. */
const SPARE_MS = 1000;
const TIMER_MOST_MS = 2 ** 31 - 1;

/** `stateBytes`: what a query may hold for sorting and grouping. `clean`: what is made of each record's text. */
export function createRunningQueries(
  source: Source,
  stateBytes: number,
  changed: () => void,
  clean?: (record: string) => string,
): RunningQueries {
  const runs = new Map<number, Run>();
  function close(id: number): void {
    const run = runs.get(id);
    if (!run) return;
    run.cancelled = true;
    runs.delete(id);
    clearTimeout(run.expiry);
    run.snapshot.release();
    changed();
  }
  function open(id: number, given: LogRun): Run {
    const query = readQuery(given.query);
    // Where its caller is stalled, what it reads would be kept from being swept away for ever.
    const expiry = setTimeout(() => close(id), Math.min(TIMER_MOST_MS, given.timeoutMs + SPARE_MS));
    const run = { began: Date.now(), expiry, cancelled: false, given: false, ready: null as Run['ready'] } as Run;
    const settings = { ...given, order: 'desc' as const, stateBytes, cancelled: () => run.cancelled };
    run.restart = () => {
      run.snapshot = source.snapshot();
      run.pages = runQuery(query, run.snapshot, settings, clean);
    };
    // Before the snapshot is taken: nothing that it shows may be swept away.
    runs.set(id, run);
    changed();
    try {
      run.restart();
    } catch (error) {
      runs.delete(id);
      clearTimeout(expiry);
      changed();
      throw error;
    }
    return run;
  }
  /** Without a block that turned out to be damaged, from the beginning: what was handed out already cannot be taken back. */
  function nextOf(run: Run): IteratorResult<Uint8Array | null> {
    for (;;) {
      try {
        return run.pages.next();
      } catch (error) {
        if (!source.leavesOut(error)) throw error;
        if (run.given)
          throw new Fault(
            'DATA_DAMAGED',
            `a block of log lines turned out to be damaged after part of the result was sent (${errorMessage(error)}): run the query again; the result is then complete except for that block, and says so`,
          );
        run.snapshot.release();
        run.restart();
      }
    }
  }
  /** The next page; null: there is none. `turns`: see `createThreadYield`. */
  async function next(id: number, turns: ReturnType<typeof createThreadYield>): Promise<Uint8Array | null> {
    const run = runs.get(id);
    if (!run) throw cancelledFault();
    try {
      for (;;) {
        if (run.cancelled) throw cancelledFault();
        const { value, done } = nextOf(run);
        if (done) break;
        if (value !== null) return value;
        await turns();
      }
    } catch (error) {
      close(id);
      throw error;
    }
    close(id);
    return null;
  }

  return {
    open: (id, given) => void open(id, given),
    async next(id) {
      const run = runs.get(id);
      const ready = run?.ready;
      if (run) run.ready = null;
      const page = ready ?? (await next(id, createThreadYield(Infinity)));
      if (run) run.given = true;
      return page;
    },
    async attempt(id, given, workMs, stay = () => false) {
      const run = open(id, given);
      let stays = false;
      const turns = createThreadYield(workMs, () => (stays = stay()));
      try {
        const page = await next(id, turns);
        if (page === null) return { page: new Uint8Array(0), more: false };
        if (!stays) {
          run.ready = await next(id, turns);
          if (run.ready === null) return { page, more: false };
          // What has a second page is large.
          stays ||= stay();
        }
        run.given = stays;
        return stays ? { page, more: true } : null;
      } catch (error) {
        if (error instanceof WorkTooLong) return null;
        throw error;
      } finally {
        if (!run.given) close(id);
      }
    },
    close,
    oldest: () => Math.min(Infinity, ...[...runs.values()].map(({ began }) => began)),
  };
}
