import type { LogHits, LogValues } from '../../../../contract/logs.ts';
import { readQuick } from '../../logsql/parse.ts';
import type { NamedSecret } from '../../../../lib/redact.ts';
import type { Semaphore } from '../../../../lib/semaphore.ts';
import type { ThreadCalls } from '../../../../lib/thread-calls.ts';
import type { Deliver, LogFilter } from '../../port.ts';
import { createQuerySlots } from './query-slots.ts';
import { createLane, type Lane } from './reader.ts';
import type { LogRun } from '../port.ts';
import { filterOf } from './filter.ts';
import type { HitsQuery } from './hits.ts';
import type { SearchQuery } from './search.ts';
import type { ValuesQuery } from './values.ts';
import type { ReaderEvent } from './reader-thread.ts';

export interface ReadersOptions {
  folder: string;
  /** See `ReaderData`. */
  oldest: SharedArrayBuffer;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  /** Unpacked columns that the two threads keep together. */
  cacheBytes: number;
  say(line: string): void;
  /** The number of the newest line that was acknowledged. */
  newest(): number;
  /** A thread that nobody asks for so long is ended. */
  idleMs?: number | undefined;
}

/** What a store is asked, in two threads: see `openReaders`. */
export interface Readers {
  run(run: LogRun, signal: AbortSignal): AsyncIterable<Uint8Array>;
  search(query: SearchQuery, now: number): Promise<string>;
  records(query: SearchQuery, now: number): Promise<string>;
  hits(query: HitsQuery, now: number): Promise<LogHits>;
  values(query: ValuesQuery, now: number): Promise<LogValues>;
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  /** These are taken out of what is found from now on. */
  redact(secrets: readonly NamedSecret[]): void;
  /** Lines arrived: followers see them a little later. */
  arrived(): void;
  /** Blocks and files that could not be read, since the start. */
  damaged(): number;
  close(): Promise<void>;
}

const RESTART_MS = 1000;
/** Followers see a line at the latest this long after it was stored. */
const POLL_MS = 200;
/** The quick thread's share of what both keep: it is asked for the newest lines again and again. */
const QUICK_SHARE = 3 / 8;
/** Different damages that are told of, and counted. */
const TOLD = 10_000;

/**
 * Everything begins in the quick thread, where followers are served too. What is not done there after some milliseconds
 * of work begins anew in the other one, so that no costly query makes the small ones wait.
 */
export function openReaders({ folder, oldest, queries, cacheBytes, say, newest, idleMs }: ReadersOptions): Readers {
  const tails = new Map<number, { filter: LogFilter; deliver: Deliver; after: number }>();
  const told = new Set<string>();
  let secrets: readonly NamedSecret[] = [];
  const slots = { quick: createQuerySlots(queries), long: createQuerySlots(queries) };
  let last = 0;
  let closed = false;
  let poll: NodeJS.Timeout | null = null;

  function heard(event: ReaderEvent): void {
    if (event.kind === 'tail') return tails.get(event.id)?.deliver(event.records, event.count);
    // Both threads come across it.
    if (told.has(event.line) || told.size >= TOLD) return;
    told.add(event.line);
    say(event.line);
  }
  const tellSecrets = (thread: ThreadCalls | null) => void thread?.call('redact', secrets).catch(() => {});
  const lost = (why: string) => say(`the thread that reads logs ended (${why}); a new one starts when it is needed`);
  const of = (lane: 0 | 1, share: number) => ({
    data: { folder, oldest, lane, cacheBytes: cacheBytes * share, queryBytes: queries.bytes },
    heard,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  const long = createLane({ ...of(1, 1 - QUICK_SHARE), started: tellSecrets, ended: lost });
  const quick: Lane = createLane({
    ...of(0, QUICK_SHARE),
    started(thread) {
      tellSecrets(thread);
      for (const [id, { filter, after }] of tails) thread.call('tail', id, filter, after).catch(() => {});
    },
    ended(why) {
      lost(why);
      // Those who follow hold it already.
      if (tails.size > 0) setTimeout(() => !closed && quick.use().release(), RESTART_MS).unref();
    },
  });

  /** A place among the queries of a lane, and its thread. */
  async function enter(
    slot: Semaphore,
    lane: Lane,
    signal?: AbortSignal,
  ): Promise<{ thread: ThreadCalls; leave(): void }> {
    const out = await slot.acquire(signal);
    try {
      const { thread, release } = lane.use();
      return {
        thread,
        leave() {
          release();
          out();
        },
      };
    } catch (error) {
      out();
      throw error;
    }
  }

  /** `ask` in the quick thread, and where that gives it up (null), in the other one. */
  async function either<T>(ask: (thread: ThreadCalls, quick: boolean) => Promise<T | null>): Promise<T> {
    for (const [slot, lane] of [
      [slots.quick, quick],
      [slots.long, long],
    ] as const) {
      const { thread, leave } = await enter(slot, lane);
      const found = await ask(thread, lane === quick).finally(leave);
      if (found !== null) return found;
    }
    throw new Error('the thread for long queries gave one up');
  }

  /** A query in a lane, closed there when the signal aborts and when `ask` has ended. */
  async function* within(
    slot: Semaphore,
    lane: Lane,
    signal: AbortSignal,
    ask: (thread: ThreadCalls, id: number) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const { thread, leave } = await enter(slot, lane, signal);
    const id = ++last;
    const close = () => void thread.call('close', id).catch(() => {});
    signal.addEventListener('abort', close, { once: true });
    try {
      yield* ask(thread, id);
    } finally {
      signal.removeEventListener('abort', close);
      close();
      leave();
    }
  }
  async function* pages(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let isLarge = false;
    try {
      yield* within(slots.quick, quick, signal, async function* (thread, id) {
        // The whole result where it is small and soon there.
        const whole = await thread.bytes('attempt', id, run);
        if (whole === null) isLarge = true;
        else if (whole.length > 0) yield whole;
      });
      if (!isLarge) return;
      yield* within(slots.long, long, signal, async function* (thread, id) {
        await thread.call('open', id, run);
        for (
          let page = await thread.bytes('next', id);
          page !== null && !signal.aborted;
          page = await thread.bytes('next', id)
        )
          yield page;
      });
    } catch (error) {
      // Nobody waits any more for what was cancelled.
      if (!signal.aborted) throw error;
    }
  }

  return {
    run: pages,
    async search(query, now) {
      filterOf(query, readQuick);
      return textOf(await either((thread, isQuick) => thread.bytes('search', query, now, isQuick)));
    },
    async records(query, now) {
      filterOf(query, readQuick);
      return textOf(await either((thread, isQuick) => thread.bytes('records', query, now, isQuick)));
    },
    async hits(query, now) {
      filterOf(query, readQuick);
      return either((thread, isQuick) => thread.call<LogHits | null>('hits', query, now, isQuick));
    },
    async values(query, now) {
      filterOf(query, readQuick);
      return either((thread, isQuick) => thread.call<LogValues | null>('values', query, now, isQuick));
    },
    tail(filter, deliver, signal) {
      filterOf(filter, readQuick);
      if (signal.aborted) return;
      const id = ++last;
      const after = newest();
      const known = quick.running();
      tails.set(id, { filter, deliver, after });
      // A thread that starts now takes over all of them.
      const { release } = quick.use();
      known?.call('tail', id, filter, after).catch(() => {});
      signal.addEventListener(
        'abort',
        () => {
          tails.delete(id);
          quick
            .running()
            ?.call('untail', id)
            .catch(() => {});
          release();
        },
        { once: true },
      );
    },
    redact(given) {
      secrets = given;
      for (const lane of [quick, long]) tellSecrets(lane.running());
    },
    arrived() {
      if (tails.size === 0 || poll !== null) return;
      poll = setTimeout(() => {
        poll = null;
        if (closed) return;
        const polled = [...tails.values()];
        const { thread, release } = quick.use();
        thread
          .call<number>('poll')
          .then(
            (to) => polled.forEach((tail) => (tail.after = Math.max(tail.after, to))),
            () => {},
          )
          .finally(release);
      }, POLL_MS);
    },
    damaged: () => told.size,
    async close() {
      closed = true;
      if (poll) clearTimeout(poll);
      await Promise.all([quick.close(), long.close()]);
    },
  };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
