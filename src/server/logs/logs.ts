import { DEFAULT_PORTS, type Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { listenOn } from '../../lib/listen.ts';
import type { NamedSecret } from '../../lib/redact.ts';
import { startThread, type ThreadCalls } from '../../lib/thread-calls.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { filterOf } from './filter.ts';
import type { LogFilter, Logs } from './port.ts';
import type { LogEvent, LogStats, LogThreadData } from './thread.ts';

export interface LogsOptions {
  /** Where the records are kept; made where it is missing. */
  folder: string;
  host: string;
  /** A number: exactly that port, or a `Fault` PORT_TAKEN. Null: 9000, or the next free one. 0: any. */
  port: number | null;
  limits: Readonly<Limits>;
  clock: Clock;
  say?(line: string): void;
}

const RESTART_MS = 1000;

/** Opens the log store and listens for log lines over TCP. The work is done in two threads. */
export async function createLogs(options: LogsOptions): Promise<Logs> {
  const { folder, host, limits, clock, say = () => {} } = options;
  const file = threadFile(import.meta.url, './thread.ts', 'log-thread.js');
  const tails = new Map<number, { filter: LogFilter; deliver: Parameters<Logs['tail']>[1] }>();
  let stats: LogStats = { records: 0, bytes: 0, queued: 0, dropped: 0 };
  let closed = false;
  let lastTail = 0;
  let secrets: readonly NamedSecret[] = [];

  const onEvent = (event: LogEvent) => {
    if (event.kind === 'stats') stats = event.stats;
    else if (event.kind === 'say') say(event.line);
    else tails.get(event.id)?.deliver(event.records);
  };
  function startWriter(onEnd: (why: string) => void): ThreadCalls {
    const data: LogThreadData = { role: 'write', folder, host, lineBytes: limits.logLineBytes, queueBytes: limits.logQueueBytes, storeBytes: limits.logStoreBytes };
    return startThread(file, data, (event) => onEvent(event as LogEvent), onEnd);
  }

  let writer = startWriter((why) => restart(why));
  const pipelinePort = await listenOn({ port: options.port, default: DEFAULT_PORTS.logstash, what: 'the log pipeline', option: '--logstash-port' }, (port) => writer.call<number>('listen', port), say).catch(async (error: unknown) => {
    closed = true;
    await writer.end();
    throw error;
  });

  /** The writer ended by itself: a new one listens on the same port, and the senders come back to it. */
  function restart(why: string): void {
    if (closed) return;
    say(`the log thread ended (${why}); a new one starts`);
    setTimeout(() => {
      if (closed) return;
      writer = startWriter(restart);
      writer.call('redact', secrets).catch(() => {});
      writer.call('listen', pipelinePort).catch((error: unknown) => say(`the log pipeline cannot listen on port ${pipelinePort}: ${(error as Error).message}`));
      for (const [id, { filter }] of tails) writer.call('tail', id, filter).catch(() => {});
    }, RESTART_MS).unref();
  }

  let reader: ThreadCalls | null = null;
  function read(): ThreadCalls {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
    return (reader ??= startThread(file, { role: 'read', folder } satisfies LogThreadData, () => {}, () => (reader = null)));
  }

  return {
    pipelinePort,
    async search(query) {
      filterOf(query, clock.now() * 1000);
      return read().call('search', query, clock.now());
    },
    async hits(query) {
      filterOf(query, clock.now() * 1000);
      return read().call('hits', query, clock.now());
    },
    async fields(query) {
      filterOf(query, clock.now() * 1000);
      return read().call('values', query, clock.now());
    },
    async values(query) {
      filterOf(query, clock.now() * 1000);
      return read().call('values', query, clock.now());
    },
    tail(filter, deliver, signal) {
      filterOf(filter, clock.now() * 1000);
      if (signal.aborted) return;
      const id = ++lastTail;
      tails.set(id, { filter, deliver });
      writer.call('tail', id, filter).catch(() => {});
      signal.addEventListener('abort', () => {
        tails.delete(id);
        writer.call('untail', id).catch(() => {});
      }, { once: true });
    },
    redact(given) {
      secrets = given;
      writer.call('redact', secrets).catch(() => {});
    },
    stats: () => stats,
    async close() {
      if (closed) return;
      closed = true;
      await writer.call('close').catch((error: unknown) => say(`the log store did not close cleanly: ${(error as Error).message}`));
      await Promise.all([writer.end(), reader?.end()]);
    },
  };
}
