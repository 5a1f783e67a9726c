import type { LogHits, LogValues } from '../../../../contract/logs.ts';
import { parseCheaply } from '../../logsql/parse.ts';
import type { NamedSecret } from '../../../../lib/redact.ts';
import type { Deliver, LogFilter } from '../../port.ts';
import { createHelping, eitherOf, type Help, HelpLost } from './helping.ts';
import { createQuerySlots } from './query-slots.ts';
import type { SharedBlocks } from './shared-blocks.ts';
import type { CallThread, Session, Thread } from '../../../offload/thread.ts';
import { createReader, READERS } from './reader.ts';
import type { LogRun, StoreDamage } from '../port.ts';
import { filterOf } from './filter.ts';
import type { HitsQuery } from './hits.ts';
import type { SearchQuery } from './search.ts';
import type { ValuesQuery } from './values.ts';
import type { ReaderEvent, ReaderMethods, Turn } from './reader-thread.ts';

export interface ReadersOptions {
  folder: string;
  /** See `ReaderData`. */
  oldest: SharedArrayBuffer;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  /** Unpacked columns that the two threads keep together. */
  cacheBytes: number;
  log(line: string): void;
  report(damage: StoreDamage): void;
  /** The number of the newest line that was acknowledged. */
  newest(): number;
  /** A thread that nobody asks for so long is ended. */
  idleMs?: number | undefined;
}

/** What a store is asked, in two threads: see `openReaders`. */
export interface Readers {
  run(run: LogRun, signal: AbortSignal): AsyncIterable<Uint8Array>;
  search(query: SearchQuery, now: number, signal?: AbortSignal): Promise<Uint8Array>;
  records(query: SearchQuery, now: number, signal?: AbortSignal): Promise<string>;
  hits(query: HitsQuery, now: number, signal?: AbortSignal): Promise<LogHits>;
  values(query: ValuesQuery, now: number, signal?: AbortSignal): Promise<LogValues>;
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  /** These are taken out of what is found from now on. */
  redact(secrets: readonly NamedSecret[]): void;
  /** Lines arrived: followers see them a little later. */
  arrived(): void;
  /** Damages found while reading, since the start. */
  damaged(): number;
  /** Reads all there is; resolves to the bytes. */
  verify(bytesPerSecond: number, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

const RESTART_MS = 1000;
/** Followers see a line at the latest this long after it was stored. */
const POLL_MS = 200;
/** The quick thread's share of what both keep: it is asked for the newest lines again and again. */
const QUICK_SHARE = 3 / 8;
/** Different damages that are counted. */
const MAX_REPORTED = 10_000;

type Call = CallThread<ReaderMethods>;
interface Tail {
  readonly filter: LogFilter;
  readonly deliver: Deliver;
  /** The number of the newest line that it was given. */
  after: number;
  session: Session<ReaderMethods>;
}

/**
 * Everything begins in the quick thread, where followers are served too. What is not done there after some milliseconds
 * of work goes on there where the other thread has nothing to do, and the two change their parts; else it begins anew in
 * the other one. So no costly query makes the small ones wait. As long as the other thread has nothing to do it reads some
 * of the query's blocks (`helping.ts`).
 */
export function openReaders({
  folder,
  oldest,
  queries,
  cacheBytes,
  log,
  report,
  newest,
  idleMs,
}: ReadersOptions): Readers {
  const tails = new Map<number, Tail>();
  const reported = new Set<string>();
  let secrets: readonly NamedSecret[] = [];
  const stay = new SharedArrayBuffer(READERS * 4);
  const slots = { quick: createQuerySlots(queries), long: createQuerySlots(queries) };
  let last = 0;
  let closed = false;
  let poll: NodeJS.Timeout | null = null;
  /** Lines arrived while the followers are given what came before. */
  let more = false;

  function onEvent(event: ReaderEvent, from: 0 | 1): void {
    if (event.kind === 'stays') {
      const thread = from === 0 ? quick : long;
      // One that was cancelled meanwhile has left.
      if (active.get(thread)) busy = thread;
      return;
    }
    if (event.kind === 'offer') return offers.get(event.id)?.(event.blocks);
    if (event.kind === 'tail') {
      for (const id of event.ids) tails.get(id)?.deliver(event.records, event.count, event.missed);
      return;
    }
    // Both threads come across it.
    const key = `${event.damage.file} ${event.damage.place}`;
    if (reported.size < MAX_REPORTED) reported.add(key);
    report(event.damage);
  }
  const startReader = (reader: 0 | 1, share: number, onStart?: (call: Call) => void, onCrash?: () => void) =>
    createReader({
      data: { folder, oldest, stay, reader, cacheBytes: cacheBytes * share, queryBytes: queries.bytes },
      onEvent: (event) => onEvent(event, reader),
      onStart(call) {
        call('redact', secrets).catch(() => {});
        onStart?.(call);
      },
      onCrash(why) {
        log(`a log query thread ended (${why}); a new one will start when needed`);
        onCrash?.();
      },
      idleMs,
    });
  const quick: Thread<ReaderMethods> = startReader(
    0,
    QUICK_SHARE,
    (call) => tails.forEach(({ filter, after }, id) => call('tail', id, filter, after).catch(() => {})),
    () =>
      void setTimeout(() => {
        if (!closed) for (const tail of tails.values()) tail.session = quick.session();
      }, RESTART_MS).unref(),
  );
  const long: Thread<ReaderMethods> = startReader(1, 1 - QUICK_SHARE);
  /** The thread in which a query goes on that turned out not to be quick. What comes then begins in the other one. */
  let busy: Thread<ReaderMethods> | null = null;
  const active = new Map([quick, long].map((thread) => [thread, 0]));
  /** Where a query begins, and where one goes that is not quick. */
  const inOrder = () =>
    (busy === quick ? [long, quick] : [quick, long]) as [Thread<ReaderMethods>, Thread<ReaderMethods>];
  function count(thread: Thread<ReaderMethods>, change: 1 | -1): void {
    const left = (active.get(thread) ?? 0) + change;
    active.set(thread, left);
    if (change > 0) helping.leave(thread);
    if (left === 0 && busy === thread) busy = null;
    // No query stays where the other thread has one: there would be none for the quick ones.
    Atomics.store(new Int32Array(stay), thread === quick ? 1 : 0, left === 0 ? 1 : 0);
  }
  for (const thread of [0, 1]) Atomics.store(new Int32Array(stay), thread, 1);

  const helping = createHelping(
    (thread) => active.get(thread) === 0,
    () => ++last,
  );
  /** Queries under way, by number: each may have blocks for the other thread to read. */
  const offers = new Map<number, (blocks: SharedBlocks) => void>();

  /** A place among the queries of a thread, and a session there. */
  async function enter(thread: Thread<ReaderMethods>, signal?: AbortSignal): Promise<{ call: Call; leave(): void }> {
    const releaseSlot = await (thread === quick ? slots.quick : slots.long).acquire(signal);
    try {
      const { call, release } = thread.session();
      count(thread, 1);
      return {
        call,
        leave() {
          release();
          releaseSlot();
          count(thread, -1);
        },
      };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  /** `request` in the thread for quick ones, and where that gives it up (null), in the other one. Ended there when the signal aborts. */
  async function inEither<T>(
    request: (call: Call, turn: Turn) => Promise<T | null>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const order = inOrder();
    for (const thread of order) {
      const { call, leave } = await enter(thread, signal);
      const id = ++last;
      const close = () => void call('close', id).catch(() => {});
      signal?.addEventListener('abort', close, { once: true });
      try {
        const asked = request(call, { id, quick: thread === order[0] });
        // It may have aborted while it waited for its place.
        if (signal?.aborted) close();
        const found = await asked;
        if (found !== null) return found;
      } finally {
        signal?.removeEventListener('abort', close);
        leave();
      }
    }
    throw new Error('the long query was moved to another thread');
  }

  /** A query in a thread, closed there when the signal aborts and when `pages` has ended. */
  async function* queryIn(
    thread: Thread<ReaderMethods>,
    signal: AbortSignal,
    pages: (call: Call, id: number) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const { call, leave } = await enter(thread, signal);
    const id = ++last;
    const close = () => void call('close', id).catch(() => {});
    signal.addEventListener('abort', close, { once: true });
    try {
      yield* pages(call, id);
    } finally {
      signal.removeEventListener('abort', close);
      close();
      leave();
    }
  }
  async function* rest(call: Call, id: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let page = await call('next', id); page !== null && !signal.aborted; page = await call('next', id)) yield page;
  }
  /**
   * The whole result where it is small and soon there; the first page and then the others where it is not and goes on there; null
   * where it is for the other thread. `alone`: no help.
   */
  async function attemptIn(call: Call, id: number, run: LogRun, alone: boolean, signal: AbortSignal, help: Help) {
    offers.set(id, help.offer);
    const found = await call('attempt', id, run, alone).finally(() => offers.delete(id));
    if (found === null) return null;
    async function* own(): AsyncGenerator<Uint8Array> {
      if (found && found.page.length > 0) yield found.page;
      if (found?.more) yield* rest(call, id, signal);
    }
    const more = await help.pages();
    return more === null ? own() : eitherOf([own(), more]);
  }
  async function* pages(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const [first, other] = inOrder();
    let isLarge = false;
    let given = false;
    async function* attempt(alone: boolean): AsyncGenerator<Uint8Array> {
      const help = helping.expectHelp(other, run);
      try {
        yield* queryIn(first, signal, async function* (call, id) {
          const found = await attemptIn(call, id, run, alone, signal, help);
          isLarge = found === null;
          for await (const page of found ?? []) {
            if (signal.aborted) return;
            given = true;
            yield page;
          }
        });
      } finally {
        help.close();
      }
    }
    try {
      try {
        yield* attempt(false);
      } catch (error) {
        if (!(error instanceof HelpLost)) throw error;
        // What was handed out cannot be taken back.
        if (given || signal.aborted) throw error.cause;
        yield* attempt(true);
      }
      if (!isLarge) return;
      yield* queryIn(other, signal, async function* (call, id) {
        await call('open', id, run);
        yield* rest(call, id, signal);
      });
    } catch (error) {
      // Nobody waits any more for what was cancelled.
      if (!signal.aborted) throw error;
    }
  }

  function arrived(): void {
    more = true;
    if (tails.size === 0 || poll !== null) return;
    poll = setTimeout(async () => {
      if (closed) return;
      more = false;
      const polled = [...tails.values()];
      try {
        const to = await quick.call('poll');
        for (const tail of polled) tail.after = Math.max(tail.after, to);
      } catch {
        // A new thread begins where the followers stood.
      }
      poll = null;
      // Not before they were given it all: what waits for the loop would grow.
      if (more && !closed) arrived();
    }, POLL_MS);
  }

  return {
    run: pages,
    async search(query, now, signal) {
      filterOf(query, parseCheaply);
      return inEither((call, turn) => call('search', query, now, turn), signal);
    },
    async records(query, now, signal) {
      filterOf(query, parseCheaply);
      return textOf(await inEither((call, turn) => call('records', query, now, turn), signal));
    },
    async hits(query, now, signal) {
      filterOf(query, parseCheaply);
      return inEither((call, turn) => call('hits', query, now, turn), signal);
    },
    async values(query, now, signal) {
      filterOf(query, parseCheaply);
      return inEither((call, turn) => call('values', query, now, turn), signal);
    },
    tail(filter, deliver, signal) {
      filterOf(filter, parseCheaply);
      if (signal.aborted) return;
      const id = ++last;
      const after = newest();
      const session = quick.session();
      const tail = { filter, deliver, after, session };
      tails.set(id, tail);
      session.call('tail', id, filter, after).catch(() => {});
      signal.addEventListener(
        'abort',
        () => {
          tails.delete(id);
          quick.notify('untail', id);
          tail.session.release();
        },
        { once: true },
      );
    },
    redact(given) {
      secrets = given;
      for (const thread of [quick, long]) thread.notify('redact', secrets);
    },
    arrived,
    damaged: () => reported.size,
    async verify(bytesPerSecond, signal) {
      signal.throwIfAborted();
      const { call, release } = long.session();
      const stop = () => void call('stopVerify').catch(() => {});
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await call('verify', bytesPerSecond);
      } finally {
        signal.removeEventListener('abort', stop);
        release();
      }
    },
    async close() {
      closed = true;
      if (poll) clearTimeout(poll);
      await Promise.all([quick.close(), long.close()]);
    },
  };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
