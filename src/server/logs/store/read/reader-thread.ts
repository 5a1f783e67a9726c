import type { LogFilter } from '../../port.ts';
import { notifyParent, serveThread, threadData } from '../../../offload/serve-thread.ts';
import { ownBuffer } from '../../../../lib/own-buffer.ts';
import { createPace } from '../../../../lib/pace.ts';
import { cancelledFault } from '../../logsql/run-context.ts';
import type { LogRun, StoreDamage } from '../port.ts';
import { createResultRedactor } from './redactor.ts';
import { hits, type HitsQuery } from './hits.ts';
import { type Attempt, createRunningQueries } from './queries.ts';
import type { SharedBlocks } from './shared-blocks.ts';
import { search, searchRecords, type SearchQuery } from './search.ts';
import { createTails } from './tails.ts';
import { values, type ValuesQuery } from './values.ts';
import { createTimeSlice, WorkTooLong, type TimeSlice } from './time-slice.ts';
import { openSource, type Snapshot } from './source.ts';

/**
 * Finds lines. The writer leaves alone what queries under way still read: `oldest` tells it when the oldest one began, at
 * the place `reader`.
 */
export interface ReaderData {
  folder: string;
  oldest: SharedArrayBuffer;
  /** At the place `reader` there is 1 while a query that is not quick may go on here, as the other thread has none. */
  stay: SharedArrayBuffer;
  reader: number;
  /** What is kept of decoded columns. */
  cacheBytes: number;
  /** What a query may hold for sorting and grouping. */
  queryBytes: number;
}
export type ReaderEvent =
  /** A query that is not quick goes on here. */
  | { kind: 'stays' }
  /** The other thread may read some of the blocks of query `id`. */
  | { kind: 'offer'; id: number; blocks: SharedBlocks }
  | { kind: 'damage'; damage: StoreDamage }
  | {
      kind: 'tail';
      ids: readonly number[];
      /** A JSON array of `count` records. */ records: string;
      count: number;
      missed: number;
    };

/** A search in this thread. `quick`: it is given up where it turns out not to be. */
export interface Turn {
  readonly id: number;
  readonly quick: boolean;
}

/** A search that takes longer is given up, so that it holds no other one up for ever. */
const SEARCH_MS = 30_000;

/** What is quick takes no more work than this; the rest is for a thread that has nothing quick to do. */
const QUICK_MS = 100;

/** After so long without a query its caches are let go of. */
const REST_MS = 60_000;

const { folder, oldest, stay, reader, cacheBytes, queryBytes } = threadData<ReaderData>();
const stays = new Int32Array(stay);
const shared = new BigInt64Array(oldest);
const searches = new Map<number, { readonly began: number; cancelled: boolean }>();
let verifying = new AbortController();

const source = openSource(folder, cacheBytes, (damage) => notifyParent<ReaderEvent>({ kind: 'damage', damage }));
const cleaner = createResultRedactor();
const runs = createRunningQueries(source, queryBytes, note, cleaner.record);
const tails = createTails(source, (ids, records, missed) =>
  notifyParent<ReaderEvent>({
    kind: 'tail',
    ids,
    records: `[${records.map(cleaner.record).join(',')}]`,
    count: records.length,
    missed,
  }),
);

const rest = setTimeout(() => source.rest(), REST_MS).unref();
/** Writes down when the oldest query under way began; 0: there is none. */
function note(): void {
  rest.refresh();
  const began = Math.min(runs.oldest(), ...[...searches.values()].map((one) => one.began));
  Atomics.store(shared, reader, Number.isFinite(began) ? BigInt(began) : 0n);
}

/** Whether a query that is not quick goes on here. */
function mayStay(): boolean {
  const may = Atomics.load(stays, reader) === 1;
  if (may) notifyParent<ReaderEvent>({ kind: 'stays' });
  return may;
}

/** Null: it is not done after the work that a quick one may take. `close` ends it. */
async function within<T>(
  { id, quick }: Turn,
  find: (snapshot: Snapshot, watch: TimeSlice) => Promise<T>,
): Promise<T | null> {
  const one = { began: Date.now(), cancelled: false };
  searches.set(id, one);
  note();
  let snapshot: Snapshot | null = null;
  try {
    const slice = createTimeSlice(SEARCH_MS, quick ? QUICK_MS : Infinity, mayStay);
    const watch: TimeSlice = {
      async step() {
        await slice.step();
        if (one.cancelled) throw cancelledFault();
      },
    };
    for (;;) {
      snapshot = source.snapshot();
      try {
        return await find(snapshot, watch);
      } catch (error) {
        if (!source.leavesOut(error)) throw error;
        snapshot.release();
      }
    }
  } catch (error) {
    if (error instanceof WorkTooLong) return null;
    throw error;
  } finally {
    snapshot?.release();
    searches.delete(id);
    note();
  }
}

const methods = {
  search: (query: SearchQuery, now: number, turn: Turn) =>
    within(turn, async (snapshot, watch) => Buffer.from(await search(query, now, snapshot, watch, cleaner.record))),
  records: (query: SearchQuery, now: number, turn: Turn) =>
    within(turn, async (snapshot, watch) =>
      Buffer.from(await searchRecords(query, now, snapshot, watch, cleaner.record)),
    ),
  hits: (query: HitsQuery, now: number, turn: Turn) =>
    within(turn, async (snapshot, watch) => cleaner.hits(await hits(query, now, snapshot, watch))),
  values: (query: ValuesQuery, now: number, turn: Turn) =>
    within(turn, async (snapshot, watch) => cleaner.values(await values(query, now, snapshot, watch))),
  /** `alone`: no other thread is to help. */
  attempt: (id: number, run: LogRun, alone: boolean) =>
    runs.attempt(id, run, QUICK_MS, {
      stay: mayStay,
      ...(alone ? {} : { offer: (blocks) => notifyParent<ReaderEvent>({ kind: 'offer', id, blocks }) }),
    }),
  help: (id: number, run: LogRun, blocks: SharedBlocks) => runs.help(id, run, blocks),
  open: (id: number, run: LogRun) => runs.open(id, run),
  next: (id: number) => runs.next(id),
  /** Ends a query or a search that nobody waits for any more. */
  close(id: number): void {
    runs.close(id);
    const search = searches.get(id);
    if (search) search.cancelled = true;
  },
  tail: (id: number, filter: LogFilter, after: number) => tails.add(id, filter, after),
  untail: (id: number) => tails.remove(id),
  poll: () => tails.poll(),
  redact: cleaner.redact,
  /** Resolves to the bytes that were read. What is damaged is told as it is found. */
  async verify(bytesPerSecond: number): Promise<number> {
    verifying = new AbortController();
    const pace = createPace(bytesPerSecond, verifying.signal);
    let bytes = 0;
    for (const more of source.verify()) {
      bytes += more;
      await pace(more);
    }
    return bytes;
  },
  stopVerify: () => verifying.abort(),
};
export type ReaderMethods = typeof methods;

const isAttempt = (result: unknown): result is Attempt =>
  typeof result === 'object' && result !== null && 'page' in result && 'more' in result;

serveThread(methods, (result) => ownBuffer(isAttempt(result) ? result.page : result));
