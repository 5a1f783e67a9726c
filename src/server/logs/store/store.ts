import type { LogHits, LogValues } from '../../../contract/logs.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { Deliver, LogFilter } from '../port.ts';
import type { LogBatch, LogStore, LogStoreStats } from './port.ts';
import { LANES } from './read/reader.ts';
import { openReaders } from './read/readers.ts';
import type { HitsQuery } from './read/hits.ts';
import type { SearchQuery } from './read/search.ts';
import type { ValuesQuery } from './read/values.ts';
import type { WriterAck, WriterData, WriterEvent } from './write/writer-thread.ts';
import type { WriterOptions, WriterStats } from './write/writer.ts';

export interface LogStoreOptions extends Omit<WriterOptions, 'now' | 'oldestQuery' | 'merge' | 'say'> {
  /** Bytes of batches that wait to be written, above which more are refused. */
  queueBytes: number;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  /** Unpacked columns that the two threads which read keep together. */
  cacheBytes: number;
  /** A thread that reads is ended when nobody asked it for so long. */
  idleMs?: number;
  say(line: string): void;
}

/** The store and what the room asks of it. */
export interface RoomStore extends LogStore {
  /** A `LogSearch` as JSON text. */
  search(query: SearchQuery, now: number): Promise<string>;
  /** The records alone, the oldest first, as the JSON text of an array. */
  records(query: SearchQuery, now: number): Promise<string>;
  hits(query: HitsQuery, now: number): Promise<LogHits>;
  values(query: ValuesQuery, now: number): Promise<LogValues>;
  tail(filter: LogFilter, deliver: Deliver, signal: AbortSignal): void;
  redact(secrets: readonly NamedSecret[]): void;
  configure(options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'>): void;
}

const RESTART_MS = 1000;
const NONE: WriterStats = {
  rows: 0,
  bytes: 0,
  blocks: 0,
  oldest: null,
  newest: null,
  refusing: null,
  stored: 0,
  skipped: 0,
  duplicates: 0,
  refused: 0,
  damaged: 0,
};

/** Opens the store of a folder: one thread writes and one merges, two read. Rejects with a `Fault` that says what to do. */
export async function openLogStore(options: LogStoreOptions): Promise<RoomStore> {
  const { say, queueBytes, queries, cacheBytes, idleMs, ...writing } = options;
  const oldest = new SharedArrayBuffer(LANES * 8);
  const readers = openReaders({
    folder: options.folder,
    oldest,
    queries,
    cacheBytes,
    say,
    newest: () => newest,
    idleMs,
  });
  let stats: WriterStats = NONE;
  let secrets: readonly NamedSecret[] = [];
  let queued = 0;
  /** The number of the newest line that was acknowledged. */
  let newest = 0;
  let lagMs = 0;
  let closed = false;

  function startWriter(): ThreadCalls {
    const data: WriterData = { ...writing, oldest };
    return startThread(
      threadFile(import.meta.url, './write/writer-thread.ts', 'log-writer.js'),
      data,
      (event) => heard(event as WriterEvent),
      restart,
    );
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
        restart(errorMessage(error));
      });
      started.call('redact', secrets).catch(() => {});
    }, RESTART_MS).unref();
  }

  return {
    async insert(batch: LogBatch) {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
      const size = batch.ndjson.byteLength;
      if (queued > 0 && queued + size > queueBytes)
        throw new Fault('OVERLOADED', `${queued} bytes of log lines wait to be written: send again in a moment`);
      queued += size;
      const began = performance.now();
      try {
        const { arrived: to, ...ack } = await writer.call<WriterAck>('insert', batch.id, batch.ndjson, batch.options);
        newest = Math.max(newest, to);
        readers.arrived();
        return ack;
      } finally {
        queued -= size;
        lagMs = performance.now() - began;
      }
    },
    run: readers.run,
    search: readers.search,
    records: readers.records,
    hits: readers.hits,
    values: readers.values,
    tail: readers.tail,
    redact(given) {
      secrets = given;
      writer.call('redact', secrets).catch(() => {});
      readers.redact(secrets);
    },
    configure(changed) {
      Object.assign(writing, changed);
      writer.call('configure', changed).catch(() => {});
    },
    stats(): LogStoreStats {
      return { ...stats, damaged: stats.damaged + readers.damaged(), queuedBytes: queued, lagMs };
    },
    async close() {
      if (closed) return;
      closed = true;
      await writer
        .call('close')
        .catch((error: unknown) => say(`the log store did not close cleanly: ${errorMessage(error)}`));
      await Promise.all([writer.end(), readers.close()]);
    },
  };
}
