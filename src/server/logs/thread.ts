import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { LogRecord } from '../../contract/api.ts';
import { REDACTED_LEAST } from '../../contract/secrets.ts';
import { createRedactor, type NamedSecret } from '../../lib/redact.ts';
import { serveCalls } from '../../lib/thread-calls.ts';
import { filterOf } from './filter.ts';
import { fieldsOf, matches } from './logsql/match.ts';
import { createPipeline } from './pipeline.ts';
import type { LogFilter } from './port.ts';
import { openReader } from './reader.ts';
import { presented, type StoredRecord } from './record.ts';
import { openWriter } from './writer.ts';

/** A thread of the log room: `write` takes lines, stores and tails them; `read` finds records. The master's own loop does neither. */
export type LogThreadData = { role: 'write'; folder: string; host: string; lineBytes: number; queueBytes: number; storeBytes: number } | { role: 'read'; folder: string };

export type LogEvent = { kind: 'tail'; id: number; records: LogRecord[] } | { kind: 'stats'; stats: LogStats } | { kind: 'say'; line: string };
export interface LogStats {
  records: number;
  bytes: number;
  /** Records that wait to be written. */
  queued: number;
  dropped: number;
}

const FLUSH_MS = 100;
/** A batch is at most about this size (contract §8: 1 MB). */
const BATCH_BYTES = 1_000_000;
const STATS_MS = 1000;
const AHEAD_MS = 5000;
const RETRY_MS = { first: 500, most: 30_000 };

const port = parentPort as MessagePort;
const data = workerData as LogThreadData;
if (data.role === 'read') read(data.folder);
else write(data);

function read(folder: string): void {
  const reader = openReader(folder);
  serveCalls(port, { search: reader.search, hits: reader.hits, values: reader.values, close: reader.close });
}

function write(options: Extract<LogThreadData, { role: 'write' }>): void {
  const writer = openWriter(options.folder, options.storeBytes);
  const tails = new Map<number, LogFilter>();
  let queue: StoredRecord[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let wait = RETRY_MS.first;
  let redactor = createRedactor([], REDACTED_LEAST);
  /** Values of secrets, whoever logged them, are never kept. */
  function redact(record: StoredRecord): void {
    record.msg = redactor.text(record.msg);
    if (record.fields !== null) record.fields = redactor.json(record.fields);
  }

  const pipeline = createPipeline({
    host: options.host,
    lineBytes: options.lineBytes,
    now: Date.now,
    accept(records, size) {
      for (const record of records) redact(record);
      if (tails.size > 0) tail(records);
      for (const record of records) queue.push(record);
      bytes += size;
      if (bytes >= BATCH_BYTES) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
      return bytes < options.queueBytes;
    },
  });
  const thread = serveCalls(port, {
    listen: pipeline.listen,
    redact: (secrets: readonly NamedSecret[]) => void (redactor = createRedactor(secrets, REDACTED_LEAST)),
    tail: (id: number, filter: LogFilter) => void tails.set(id, filter),
    untail: (id: number) => void tails.delete(id),
    flush: () => flush(),
    async close() {
      await pipeline.close();
      flush();
      clearInterval(stats);
      writer.close();
    },
  });
  const tell = () => thread.tell({ kind: 'stats', stats: { ...writer.stats(), queued: queue.length, dropped: 0 } } satisfies LogEvent);
  const stats = setInterval(tell, STATS_MS);
  tell();

  /** Writes what waits. While the disk refuses, records stay in memory and, once that is full, in the senders. */
  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (queue.length === 0) return;
    try {
      writer.append(queue);
    } catch (error) {
      thread.tell({ kind: 'say', line: `log records cannot be written (${(error as Error).message}): free space in ${options.folder}; trying again in ${wait / 1000} s` } satisfies LogEvent);
      timer = setTimeout(flush, wait);
      wait = Math.min(wait * 2, RETRY_MS.most);
      return;
    }
    wait = RETRY_MS.first;
    queue = [];
    bytes = 0;
    pipeline.resume();
  }

  function tail(records: readonly StoredRecord[]): void {
    const all = records.map((record) => ({ record, fields: fieldsOf(record) }));
    for (const [id, given] of tails) {
      // Anew for each batch: a relative time moves on. Clocks of senders may be ahead by a little.
      const filter = filterOf(given, (Date.now() + AHEAD_MS) * 1000);
      const found = all.filter(({ record, fields }) => matches(filter, record, fields));
      if (found.length > 0) thread.tell({ kind: 'tail', id, records: found.map(({ record }) => presented(record)) } satisfies LogEvent);
    }
  }
}
