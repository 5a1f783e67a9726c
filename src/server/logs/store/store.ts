import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { embeddedStore } from '../../../lib/embedded-store.ts';
import type { LogBackend } from '../backend.ts';
import type { LogBatch, LogStoreStats, StoreDamage } from './port.ts';
import { READERS } from './read/reader.ts';
import { openReaders } from './read/readers.ts';
import type { WriterData, WriterEvent, WriterMethods } from './write/writer-thread.ts';
import type { WriterOptions, WriterStats } from './write/writer.ts';

export interface LogStoreOptions extends Omit<
  WriterOptions,
  'now' | 'oldestQuery' | 'merge' | 'log' | 'report' | 'removed'
> {
  /** Bytes of batches that wait to be written, above which more are refused. */
  queueBytes: number;
  /** Queries that run at once, that wait, how long they wait, and the bytes that one may hold for sorting and grouping. */
  queries: { most: number; waiting: number; waitMs: number; bytes: number };
  /** Unpacked columns that the two threads which read keep together. */
  cacheBytes: number;
  /** A thread that reads is ended when nobody asked it for so long. */
  idleMs?: number;
  log(line: string): void;
  /** Hears of lines that cannot be read, possibly more than once of the same. */
  report?(damage: StoreDamage): void;
  /** Hears of files that are no more. */
  removed?(file: string): void;
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

/** Opens the store of a folder: one thread writes, others encode what many senders send, one merges, two read. Rejects with a `Fault` that says what to do. */
export async function openLogStore(options: LogStoreOptions): Promise<LogBackend> {
  const { log, report = () => {}, removed = () => {}, queueBytes, queries, cacheBytes, idleMs, ...writing } = options;
  const oldest = new SharedArrayBuffer(READERS * 8);
  const readers = openReaders({
    folder: options.folder,
    oldest,
    queries,
    cacheBytes,
    log,
    report,
    newest: () => newest,
    idleMs,
  });
  let stats: WriterStats = NONE;
  let secrets: readonly NamedSecret[] = [];
  /** The number of the newest line that was acknowledged. */
  let newest = 0;
  let lagMs = 0;
  let closed = false;

  const writer = createThread<WriterMethods, WriterEvent>({
    file: threadFile(import.meta.url, './write/writer-thread.ts', 'log-writer.js'),
    name: 'the log writer thread',
    data: () => ({ ...writing, oldest, arrived: newest }) satisfies WriterData,
    restartMs: RESTART_MS,
    async onStart(call) {
      const opened = call('opened');
      // It has them before the first line comes.
      call('redact', secrets).catch(() => {});
      newest = Math.max(newest, await opened);
    },
    onEvent(event) {
      if (event.kind === 'stats') stats = event.stats;
      else if (event.kind === 'damage') report(event.damage);
      else if (event.kind === 'removed') removed(event.file);
      else log(event.line);
    },
    // What it had not acknowledged its senders send again.
    onExit: (why) => why !== null && log(`the log writer thread ended (${why}); restarting it`),
    queue: {
      most: () => queueBytes,
      refusal: (queued) =>
        new Fault('OVERLOADED', `${queued} bytes of log lines are waiting to be written: retry in a moment`),
    },
  });
  try {
    await writer.started;
    stats = await writer.call('stats');
  } catch (error) {
    await writer.close();
    throw error;
  }

  return {
    async insert(batch: LogBatch) {
      const began = performance.now();
      try {
        const { arrived, ...ack } = await writer.call('insert', batch.id, batch.ndjson, batch.options);
        newest = Math.max(newest, arrived);
        readers.arrived();
        return ack;
      } finally {
        lagMs = performance.now() - began;
      }
    },
    run: readers.run,
    arrived: () => newest,
    search: readers.search,
    records: readers.records,
    hits: readers.hits,
    values: readers.values,
    tail: readers.tail,
    verify: readers.verify,
    redact(given) {
      secrets = given;
      writer.notify('redact', secrets);
      readers.redact(secrets);
    },
    configure(changed) {
      Object.assign(writing, changed);
      writer.notify('configure', changed);
    },
    stats(): LogStoreStats {
      return {
        ...stats,
        damaged: stats.damaged + readers.damaged(),
        queuedBytes: writer.queuedBytes,
        lagMs,
        remote: null,
      };
    },
    info: () => embeddedStore(stats.refusing),
    async close() {
      if (closed) return;
      closed = true;
      await writer
        .call('close')
        .catch((error: unknown) => log(`the log store did not close cleanly: ${errorMessage(error)}`));
      await Promise.all([writer.close(), readers.close()]);
    },
  };
}
