import { DEFAULT_PORTS, type Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { listenOn } from '../../lib/listen.ts';
import { startThread, type ThreadCalls } from '../../lib/thread-calls.ts';
import { threadFile } from '../../lib/thread-file.ts';
import type { Logs } from './port.ts';
import type { LogBatch } from './store/port.ts';
import { openLogStore } from './store/store.ts';
import type { LogEvent, LogThreadData } from './thread.ts';

export interface LogsOptions {
  /** Where the records are kept; made where it is missing. */
  folder: string;
  host: string;
  /** A number: exactly that port, or a `Fault` PORT_TAKEN. Null: 9000, or the next free one. 0: any. */
  port: number | null;
  limits: Readonly<Limits>;
  /** Commits survive a power cut too. */
  durable?: boolean;
  clock: Clock;
  say?(line: string): void;
}

const RESTART_MS = 1000;
const RETRY_MS = { first: 500, most: 30_000 };
/** Lines of the pipeline have their names already. */
const OPTIONS: LogBatch['options'] = { timeFields: ['_time'], messageFields: ['_msg'], streamFields: ['source'], ignoreFields: [], extraFields: {} };

/** Opens the log store and listens for log lines over TCP. The work is done in threads. */
export async function createLogs(options: LogsOptions): Promise<Logs> {
  const { folder, host, limits, durable = false, clock, say = () => {} } = options;
  const store = await openLogStore({
    folder,
    durable,
    // A line of the pipeline was cut before its characters were escaped, each of which may take six.
    limits: { lineBytes: limits.logLineBytes * 6 + 65_536, fields: limits.logFields, nameBytes: limits.logFieldNameBytes },
    storeBytes: limits.logStoreBytes,
    retentionDays: limits.logRetentionDays,
    reserveBytes: limits.logReserveBytes,
    queueBytes: limits.logWaitingBytes,
    queries: { most: limits.logReads, waiting: limits.logReadQueue, waitMs: limits.logReadWaitSeconds * 1000 },
    say,
  });
  const file = threadFile(import.meta.url, './thread.ts', 'log-thread.js');
  const inserts = new Set<Promise<void>>();
  let queued = 0;
  let closed = false;

  const onEvent = (event: LogEvent) => {
    if (event.kind === 'say') return say(event.line);
    const { id, text, records } = event;
    queued += records;
    const done = keep(text).finally(() => {
      queued -= records;
      inserts.delete(done);
      pipeline.call('kept', id).catch(() => {});
    });
    inserts.add(done);
  };
  /** Tries until the store takes it. */
  async function keep(text: string): Promise<void> {
    for (let wait = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.most)) {
      try {
        await store.insert({ id: null, ndjson: new TextEncoder().encode(text), options: OPTIONS });
        return;
      } catch {
        if (closed) return;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
  function start(onEnd: (why: string) => void): ThreadCalls {
    const data: LogThreadData = { host, lineBytes: limits.logLineBytes, queueBytes: limits.logQueueBytes };
    return startThread(file, data, (event) => onEvent(event as LogEvent), onEnd);
  }
  let pipeline = start((why) => restart(why));
  const pipelinePort = await listenOn({ port: options.port, default: DEFAULT_PORTS.logstash, what: 'the log pipeline', option: '--logstash-port' }, (port) => pipeline.call<number>('listen', port), say).catch(async (error: unknown) => {
    closed = true;
    await pipeline.end();
    await store.close();
    throw error;
  });

  /** The pipeline ended by itself: a new one listens on the same port, and the senders come back to it. */
  function restart(why: string): void {
    if (closed) return;
    say(`the log thread ended (${why}); a new one starts`);
    setTimeout(() => {
      if (closed) return;
      pipeline = start(restart);
      pipeline.call('listen', pipelinePort).catch((error: unknown) => say(`the log pipeline cannot listen on port ${pipelinePort}: ${(error as Error).message}`));
    }, RESTART_MS).unref();
  }

  return {
    pipelinePort,
    search: (query) => store.search(query, clock.now()),
    hits: (query) => store.hits(query, clock.now()),
    fields: (query) => store.values(query, clock.now()),
    values: (query) => store.values(query, clock.now()),
    run: store.run,
    insert: store.insert,
    tail: store.tail,
    redact: store.redact,
    configure: () => store.configure({ storeBytes: limits.logStoreBytes, retentionDays: limits.logRetentionDays }),
    stats() {
      const stats = store.stats();
      return { ...stats, records: stats.rows, queued, dropped: 0 };
    },
    async close() {
      if (closed) return;
      await pipeline.call('close').catch(() => {});
      await Promise.all(inserts);
      closed = true;
      await pipeline.end();
      await store.close();
    },
  };
}
