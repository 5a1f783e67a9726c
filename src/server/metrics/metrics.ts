import type { Limits } from '../../contract/limits.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { startThread, type ThreadCalls } from '../../lib/thread-calls.ts';
import { threadFile } from '../../lib/thread-file.ts';
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
/** Points that are handed to the thread at once, so that no turn of the loop is long. */
const CHUNK = 512;
const RETRY_MS = 1000;

/** Opens the metric store. Points are written, and queries answered, in two threads. */
export async function createMetrics({ folder, limits, clock, say = () => {} }: MetricsOptions): Promise<MetricsRoom> {
  const file = threadFile(import.meta.url, './thread.ts', 'metric-thread.js');
  let pending: MetricPoint[] = [];
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

  /** Hands what is pending to the writer. Resolves once everything before is committed, or given up. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = pending;
    pending = [];
    if (batch.length === 0) return last;
    writing += batch.length;
    last = writer
      .call<typeof stats>('append', JSON.stringify(batch))
      .then((now) => void (stats = now))
      .catch((error: unknown) => {
        dropped += batch.length;
        say(`${batch.length} metric points were lost (${(error as Error).message}); ${dropped} since the start`);
      })
      .finally(() => (writing -= batch.length));
    return last;
  }

  return {
    record(point) {
      if (closed || pending.length + writing >= limits.metricsQueuePoints) return void dropped++;
      pending.push(point);
      if (pending.length >= CHUNK) void flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    async query(query) {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the metric store is closed');
      const request = requestOf(query, clock.now());
      await flush();
      reader ??= startThread(file, { role: 'read', folder } satisfies MetricThreadData, () => {}, () => (reader = null));
      return reader.call('query', request);
    },
    stats: () => ({ ...stats, pending: pending.length + writing }),
    async close() {
      if (closed) return;
      await flush();
      closed = true;
      await writer.call('close').catch((error: unknown) => say(`the metric store did not close cleanly: ${(error as Error).message}`));
      await Promise.all([writer.end(), reader?.end()]);
    },
  };
}
