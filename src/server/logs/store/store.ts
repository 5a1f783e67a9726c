import type { LogHits } from '../../../contract/api.ts';
import type { LogValues } from '../../../contract/api-logs.ts';
import { Fault } from '../../../lib/fault.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { Deliver, LogFilter } from '../port.ts';
import { createGate } from './gate.ts';
import type { LogBatch, LogRun, LogStore, LogStoreStats } from './port.ts';
import { readQuick } from '../logsql/read.ts';
import { filterOf } from './read/filter.ts';
import type { HitsQuery } from './read/hits.ts';
import type { SearchQuery } from './read/search.ts';
import type { ValuesQuery } from './read/values.ts';
import type { ReaderData, ReaderEvent } from './reader-thread.ts';
import type { WriterAck, WriterData, WriterEvent } from './writer-thread.ts';
import type { WriterOptions, WriterStats } from './writer.ts';

export interface LogStoreOptions extends Omit<WriterOptions, 'now' | 'oldestQuery' | 'say'> {
  /** Bytes of batches that wait to be written, above which more are refused. */
  queueBytes: number;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  say(line: string): void;
}

/** The store and what the room asks of it. */
export interface RoomStore extends LogStore {
  /** A `LogSearch` as JSON text. */
  search(query: SearchQuery, now: number): Promise<string>;
  hits(query: HitsQuery, now: number): Promise<LogHits>;
  values(query: ValuesQuery, now: number): Promise<LogValues>;
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  redact(secrets: readonly NamedSecret[]): void;
  configure(options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'>): void;
}

const RESTART_MS = 1000;
/** Followers see a line at the latest this long after it was stored. */
const POLL_MS = 200;
const NONE: WriterStats = { rows: 0, bytes: 0, blocks: 0, oldest: null, newest: null, refusing: null, stored: 0, skipped: 0, duplicates: 0, refused: 0, damaged: 0 };

/** Opens the store of a folder: one thread writes, one reads. Rejects with a `Fault` that says what to do. */
export async function openLogStore(options: LogStoreOptions): Promise<RoomStore> {
  const { say, queueBytes, queries, ...writing } = options;
  const oldest = new SharedArrayBuffer(8);
  const tails = new Map<number, { filter: LogFilter; deliver: Deliver; after: number }>();
  const gate = createGate(queries);
  let stats: WriterStats = NONE;
  /** Counts of threads that ended. */
  let damagedRead = 0;
  let secrets: readonly NamedSecret[] = [];
  let queued = 0;
  /** The number of the newest line that was acknowledged. */
  let newest = 0;
  let lagMs = 0;
  let last = 0;
  let closed = false;
  let poll: NodeJS.Timeout | null = null;

  function startWriter(): ThreadCalls {
    const data: WriterData = { ...writing, oldest };
    return startThread(threadFile(import.meta.url, './writer-thread.ts', 'log-writer.js'), data, (event) => heard(event as WriterEvent), restart);
  }
  function heard(event: WriterEvent): void {
    if (event.kind === 'stats') stats = event.stats;
    else say(event.line);
  }
  let writer = startWriter();
  newest = await writer.call<number>('opened').catch(async (error: unknown) => {
    closed = true;
    await writer.end();
    throw error;
  });
  stats = await writer.call('stats');

  let restarting = false;
  /** The writer ended by itself, or could not be opened: what it had not acknowledged its senders send again. */
  function restart(why: string): void {
    if (closed || restarting) return;
    restarting = true;
    say(`the thread that writes logs ended (${why}); a new one starts`);
    setTimeout(() => {
      restarting = false;
      if (closed) return;
      const started = (writer = startWriter());
      started.call('opened').catch(async (error: unknown) => {
        await started.end();
        restart((error as Error).message);
      });
      started.call('redact', secrets).catch(() => {});
    }, RESTART_MS).unref();
  }

  let reader: ThreadCalls | null = null;
  function read(): ThreadCalls {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
    if (reader) return reader;
    const data: ReaderData = { folder: options.folder, oldest, queryBytes: queries.bytes };
    const started = startThread(threadFile(import.meta.url, './reader-thread.ts', 'log-reader.js'), data, (event) => found(event as ReaderEvent), (why) => {
      if (reader === started) reader = null;
      Atomics.store(new BigInt64Array(oldest), 0, 0n);
      if (closed) return;
      say(`the thread that reads logs ended (${why}); a new one starts when it is needed`);
      if (tails.size > 0) setTimeout(() => !closed && read(), RESTART_MS).unref();
    });
    reader = started;
    for (const [id, { filter, after }] of tails) started.call('tail', id, filter, after).catch(() => {});
    return started;
  }
  function found(event: ReaderEvent): void {
    if (event.kind === 'damaged') {
      damagedRead++;
      say(event.line);
    } else tails.get(event.id)?.deliver(event.records, event.count);
  }
  /** Tells the reader that there is something new, not more often than followers need it. */
  function arrived(to: number): void {
    newest = Math.max(newest, to);
    if (tails.size === 0 || poll !== null) return;
    poll = setTimeout(() => {
      poll = null;
      if (closed) return;
      const polled = [...tails.values()];
      read().call<number>('poll').then((to) => polled.forEach((tail) => (tail.after = Math.max(tail.after, to))), () => {});
    }, POLL_MS);
  }

  async function* pages(run: LogRun, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const release = await gate.enter(signal);
    const id = ++last;
    const thread = read();
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
  const within = async <T>(find: () => Promise<T>): Promise<T> => {
    const release = await gate.enter(null);
    try {
      return await find();
    } finally {
      release();
    }
  };

  return {
    async insert(batch: LogBatch) {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
      const size = batch.ndjson.byteLength;
      if (queued > 0 && queued + size > queueBytes) throw new Fault('OVERLOADED', `${queued} bytes of log lines wait to be written: send again in a moment`);
      queued += size;
      const began = performance.now();
      try {
        const { arrived: to, ...ack } = await writer.call<WriterAck>('insert', batch.id, batch.ndjson, batch.options);
        arrived(to);
        return ack;
      } finally {
        queued -= size;
        lagMs = performance.now() - began;
      }
    },
    run: (run, signal) => pages(run, signal),
    async search(query, now) {
      filterOf(query, readQuick);
      return within(async () => textOf(await read().bytes('search', query, now)));
    },
    async hits(query, now) {
      filterOf(query, readQuick);
      return within(() => read().call('hits', query, now));
    },
    async values(query, now) {
      filterOf(query, readQuick);
      return within(() => read().call('values', query, now));
    },
    tail(filter, deliver, signal) {
      filterOf(filter, readQuick);
      if (signal.aborted) return;
      const id = ++last;
      tails.set(id, { filter, deliver, after: newest });
      read().call('tail', id, filter, newest).catch(() => {});
      signal.addEventListener('abort', () => {
        tails.delete(id);
        reader?.call('untail', id).catch(() => {});
      }, { once: true });
    },
    redact(given) {
      secrets = given;
      writer.call('redact', secrets).catch(() => {});
    },
    configure(changed) {
      Object.assign(writing, changed);
      writer.call('configure', changed).catch(() => {});
    },
    stats(): LogStoreStats {
      return { ...stats, damaged: stats.damaged + damagedRead, queuedBytes: queued, lagMs };
    },
    async close() {
      if (closed) return;
      closed = true;
      if (poll) clearTimeout(poll);
      await writer.call('close').catch((error: unknown) => say(`the log store did not close cleanly: ${(error as Error).message}`));
      await Promise.all([writer.end(), reader?.end()]);
    },
  };
}

const textOf = (bytes: Uint8Array | null): string => (bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
