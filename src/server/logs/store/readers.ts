import type { LogHits } from '../../../contract/api.ts';
import type { LogValues } from '../../../contract/api-logs.ts';
import { readQuick } from '../logsql/read.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import type { ThreadCalls } from '../../../lib/thread-calls.ts';
import type { Deliver, LogFilter } from '../port.ts';
import { createGate } from './gate.ts';
import { createLane, type Lane } from './lane.ts';
import type { LogRun } from './port.ts';
import { filterOf } from './read/filter.ts';
import type { HitsQuery } from './read/hits.ts';
import type { SearchQuery } from './read/search.ts';
import type { ValuesQuery } from './read/values.ts';
import type { ReaderEvent } from './reader-thread.ts';

export interface ReadersOptions {
  folder: string;
  /** See `ReaderData`. */
  oldest: SharedArrayBuffer;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  say(line: string): void;
  /** The number of the newest line that was acknowledged. */
  newest(): number;
}

/** What a store is asked, in two threads: see `openReaders`. */
export interface Readers {
  run(run: LogRun, signal: AbortSignal): AsyncIterable<Uint8Array>;
  search(query: SearchQuery, now: number): Promise<string>;
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
/** Decoded columns that each thread keeps. */
const CACHE_BYTES = { quick: 16 * 1024 * 1024, long: 64 * 1024 * 1024 };
/** Different damages that are told of, and counted. */
const TOLD = 10_000;

/**
 * Everything begins in the quick thread, where followers are served too. What is not done there after some milliseconds
 * of work begins anew in the other one, so that no costly query makes the small ones wait.
 */
export function openReaders({ folder, oldest, queries, say, newest }: ReadersOptions): Readers {
  const tails = new Map<number, { filter: LogFilter; deliver: Deliver; after: number }>();
  const told = new Set<string>();
  let secrets: readonly NamedSecret[] = [];
  const gates = { quick: createGate(queries), long: createGate(queries) };
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
  const of = (lane: 0 | 1, cacheBytes: number) => ({ folder, oldest, lane, cacheBytes, queryBytes: queries.bytes });
  const long = createLane(of(1, CACHE_BYTES.long), heard, tellSecrets, lost);
  const quick: Lane = createLane(
    of(0, CACHE_BYTES.quick),
    heard,
    (thread) => {
      tellSecrets(thread);
      for (const [id, { filter, after }] of tails) thread.call('tail', id, filter, after).catch(() => {});
    },
    (why) => {
      lost(why);
      if (tails.size > 0) setTimeout(() => !closed && quick.thread(), RESTART_MS).unref();
    },
  );

  /** `ask` in the quick thread, and where that gives it up (null), in the other one. */
  async function either<T>(ask: (thread: ThreadCalls, quick: boolean) => Promise<T | null>): Promise<T> {
    for (const [gate, lane] of [[gates.quick, quick], [gates.long, long]] as const) {
      const release = await gate.enter(null);
      try {
        const found = await ask(lane.thread(), lane === quick);
        if (found !== null) return found;
      } finally {
        release();
      }
    }
    throw new Error('the thread for long queries gave one up');
  }

  /** The whole result where it is small and soon there; null: it is not. */
  async function attempt(run: LogRun, signal: AbortSignal): Promise<Uint8Array | null> {
    const release = await gates.quick.enter(signal);
    const id = ++last;
    const thread = quick.thread();
    const stop = () => void thread.call('close', id).catch(() => {});
    try {
      signal.addEventListener('abort', stop, { once: true });
      return await thread.bytes('attempt', id, run);
    } finally {
      signal.removeEventListener('abort', stop);
      release();
    }
  }
  async function* pages(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const whole = await attempt(run, signal).catch((error: unknown) => {
      if (signal.aborted) return EMPTY;
      throw error;
    });
    if (whole !== null) {
      if (whole.length > 0) yield whole;
      return;
    }
    const release = await gates.long.enter(signal);
    const id = ++last;
    const thread = long.thread();
    const stop = () => void thread.call('close', id).catch(() => {});
    try {
      signal.addEventListener('abort', stop, { once: true });
      await thread.call('open', id, run);
      for (;;) {
        if (signal.aborted) return;
        const page = await thread.bytes('next', id).catch((error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        });
        if (page === null) return;
        yield page;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      release();
    }
  }

  return {
    run: pages,
    async search(query, now) {
      filterOf(query, readQuick);
      return textOf(await either((thread, isQuick) => thread.bytes('search', query, now, isQuick)));
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
      if (known) known.call('tail', id, filter, after).catch(() => {});
      else quick.thread();
      signal.addEventListener('abort', () => {
        tails.delete(id);
        quick.running()?.call('untail', id).catch(() => {});
      }, { once: true });
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
        quick.thread().call<number>('poll').then((to) => polled.forEach((tail) => (tail.after = Math.max(tail.after, to))), () => {});
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

const EMPTY = new Uint8Array(0);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
