import type { Limits } from '../../contract/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { startThread, type ThreadCalls } from '../../lib/thread-calls.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { createBuffer, type Chunk } from './buffer.ts';
import type { MetricsRoom } from './port.ts';
import { requestOf } from './request.ts';
import type { MetricThreadData } from './thread.ts';

export interface MetricsOptions {
  /** Where the points are kept; made where it is missing. */
  folder: string;
  limits: Readonly<Limits>;
  clock: Clock;
  say?(line: string): void;
}

const FLUSH_MS = 1000;
const RETRY_MS = 1000;

/** Opens the metric store. Points are written, and queries answered, in two threads. */
export async function createMetrics({ folder, limits, clock, say = () => {} }: MetricsOptions): Promise<MetricsRoom> {
  const file = threadFile(import.meta.url, './thread.ts', 'metric-thread.js');
  const buffer = createBuffer(write);
  let writing = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let stats = { points: 0, bytes: 0 };
  let last: Promise<void> = Promise.resolve();

  let writer = startWriter();
  stats = await writer.call<typeof stats>('stats').catch(async (error: unknown) => {
    closed = true;
    await writer.end();
    throw error;
  });
  let reader: ThreadCalls | null = null;

  function startWriter(): ThreadCalls {
    return startThread(file, { role: 'write', folder, most: limits.metricsPoints } satisfies MetricThreadData, () => {}, (why) => {
      if (closed) return;
      say(`the metric thread ended (${why}); a new one starts`);
      setTimeout(() => {
        if (!closed) writer = startWriter();
      }, RETRY_MS).unref();
    });
  }

  function write(chunk: Chunk): void {
    writing += chunk.count;
    const written = writer
      .call<typeof stats>('append', chunk)
      .then((now) => void (stats = now))
      .catch((error: unknown) => {
        dropped += chunk.count;
        say(`${chunk.count} metric points were lost (${(error as Error).message}); ${dropped} since the start`);
      })
      .finally(() => (writing -= chunk.count));
    // The thread works in order: once the last chunk is settled, all are.
    last = written;
  }

  /** Hands what is collected to the writer. Resolves once everything before is committed, or given up. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    buffer.flush();
    return last;
  }

  return {
    record(point) {
      if (closed || buffer.size + writing >= limits.metricsQueuePoints) return void dropped++;
      buffer.add(point);
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    async query(query) {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the metric store is closed');
      const request = requestOf(query, clock.now());
      await flush();
      reader ??= startThread(file, { role: 'read', folder } satisfies MetricThreadData, () => {}, () => (reader = null));
      return reader.call('query', request);
    },
    stats: () => ({ ...stats, pending: buffer.size + writing }),
    async close() {
      if (closed) return;
      await flush();
      closed = true;
      await writer.call('close').catch((error: unknown) => say(`the metric store did not close cleanly: ${(error as Error).message}`));
      await Promise.all([writer.end(), reader?.end()]);
    },
  };
}
