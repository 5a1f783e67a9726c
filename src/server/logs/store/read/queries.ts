import { errorMessage } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import { readQuery } from '../../logsql/parse.ts';
import { cancelledFault } from '../../logsql/run-context.ts';
import { countsOf, runQuery, sharing } from '../../logsql/run.ts';
import type { RunOptions } from '../../logsql/run-context.ts';
import type { LogRun } from '../port.ts';
import { countRows, failBlocks, HelpFailed, type SharedBlocks } from './shared-blocks.ts';
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
   * Where it is larger and may `stay`, which is asked once, it gives the first page, and `next` the others. What is not done within
   * a turn is offered to another thread, once.
   */
  attempt(id: number, run: LogRun, workMs: number, may?: Allowed): Promise<Attempt | null>;
  /**
   * Takes part in the query of another thread: the first page of what is found here, and `next` gives the others. Null: there
   * is none.
   */
  help(id: number, run: LogRun, blocks: SharedBlocks): Promise<Uint8Array | null>;
  /** The next page; null: there is none. */
  next(id: number): Promise<Uint8Array | null>;
  close(id: number): void;
  /** When the oldest one began, unix ms; Infinity: there is none. */
  oldest(): number;
}

/** What an attempt may do that is not done soon. */
export interface Allowed {
  stay?(): boolean;
  /** Hears of blocks that another thread may read. */
  offer?(blocks: SharedBlocks): void;
}

interface Run {
  /** When what it reads was there, unix ms. */
  readonly began: number;
  /** Ends what nobody asks for any more. */
  readonly expiry: NodeJS.Timeout;
  source: Pick<Snapshot, 'release'>;
  pages: Generator<Uint8Array | null>;
  /** Begins anew, alone, over what there is now. Null: it takes part in a query of another thread, which does so. */
  restart: (() => void) | null;
  /** How often it began anew. */
  restarts: number;
  /** Blocks that another thread may read; null: none. */
  share(): SharedBlocks | null;
  /** They were offered, or taken from another thread. */
  shared: SharedBlocks | null;
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
    run.source.release();
    changed();
  }
  /** `start` takes what is to be read. */
  function add(id: number, given: LogRun, began: number, start: (run: Run, settings: RunOptions) => void): Run {
    // Where its caller is stalled, what it reads would be kept from being swept away for ever.
    const expiry = setTimeout(() => close(id), Math.min(TIMER_MOST_MS, given.timeoutMs + SPARE_MS));
    const run: Run = {
      began,
      expiry,
      source: { release: () => {} },
      pages: nothing(),
      restart: null,
      restarts: 0,
      share: () => null,
      shared: null,
      given: false,
      ready: null,
      cancelled: false,
    };
    // Before it is taken: nothing that it shows may be swept away.
    runs.set(id, run);
    changed();
    try {
      start(run, { ...given, order: 'desc', stateBytes, cancelled: () => run.cancelled });
    } catch (error) {
      close(id);
      throw error;
    }
    return run;
  }
  function open(id: number, given: LogRun): Run {
    const query = readQuery(given.query);
    return add(id, given, Date.now(), (run, settings) => {
      function start(): Snapshot {
        const snapshot = source.snapshot();
        run.source = snapshot;
        run.pages = runQuery(query, snapshot, settings, clean);
        return snapshot;
      }
      const snapshot = start();
      const wanted = sharing(query, settings);
      if (wanted !== null) run.share = () => snapshot.share({ wanted, began: run.began });
      run.restart = () => {
        run.restarts++;
        run.source.release();
        run.share = () => null;
        if (run.shared) failBlocks(run.shared);
        start();
      };
    });
  }
  function openHelp(id: number, given: LogRun, blocks: SharedBlocks): Run {
    const query = readQuery(given.query);
    return add(id, given, blocks.began, (run, settings) => {
      run.shared = blocks;
      const reached = source.shared(blocks);
      if (reached === null) return;
      run.source = reached;
      run.pages =
        blocks.wanted === 'count'
          ? counting(countsOf(query, reached, settings), blocks)
          : runQuery(query, reached, settings, clean);
    });
  }
  /** Without a block that turned out to be damaged, from the beginning: what was handed out already cannot be taken back. */
  function nextOf(run: Run): IteratorResult<Uint8Array | null> {
    for (;;) {
      try {
        return run.pages.next();
      } catch (error) {
        if (!source.leavesOut(error) && !(error instanceof HelpFailed)) throw error;
        if (run.given || run.restart === null)
          throw new Fault(
            'DATA_DAMAGED',
            `a block of log lines turned out to be damaged after part of the result was sent (${errorMessage(error)}): run the query again; the result is then complete except for that block, and says so`,
          );
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
      if (run.restart === null && run.shared) failBlocks(run.shared);
      close(id);
      throw error;
    }
    close(id);
    return null;
  }
  async function nextPage(id: number): Promise<Uint8Array | null> {
    const run = runs.get(id);
    const ready = run?.ready;
    if (run) run.ready = null;
    const page = ready ?? (await next(id, createThreadYield(Infinity)));
    if (run) run.given = true;
    return page;
  }

  return {
    open: (id, given) => void open(id, given),
    next: nextPage,
    async attempt(id, given, workMs, { stay = () => false, offer } = {}) {
      const run = open(id, given);
      let stays = false;
      function share(): void {
        if (!offer || run.shared !== null) return;
        run.shared = run.share();
        if (run.shared !== null) offer(run.shared);
      }
      const turns = createThreadYield(workMs, () => (stays = stay()), share);
      try {
        let page = await next(id, turns);
        while (page !== null && !stays) {
          const { restarts } = run;
          const second = await next(id, turns);
          if (run.restarts > restarts) {
            // It began anew over the second page: this is the first one again.
            page = second;
            continue;
          }
          if (second === null) return { page, more: false };
          run.ready = second;
          // What has a second page is large.
          stays ||= stay();
          if (!stays) return null;
        }
        if (page === null) return { page: new Uint8Array(0), more: false };
        run.given = true;
        return { page, more: true };
      } catch (error) {
        if (error instanceof WorkTooLong) return null;
        throw error;
      } finally {
        if (!run.given) close(id);
      }
    },
    async help(id, given, blocks) {
      openHelp(id, given, blocks);
      return nextPage(id);
    },
    close,
    oldest: () => Math.min(Infinity, ...[...runs.values()].map(({ began }) => began)),
  };
}

function* nothing(): Generator<never> {}

/** No page: what is counted stands in the shared memory. */
function* counting(counts: Iterable<number | null>, blocks: SharedBlocks): Generator<null> {
  for (const rows of counts) {
    if (rows !== null) countRows(blocks, rows);
    yield null;
  }
}
