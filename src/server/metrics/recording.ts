import type { Limits } from '../../contract/limits.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { bytesOfBatch, createCollector } from './collector/collector.ts';
import type { ShapeBatch } from './collector/port.ts';
import type { MetricsRoom } from './port.ts';
import type { WriterStats } from './store/write/port.ts';

/** The master's own points on their way to the thread that writes them. */
export interface Recording extends Pick<MetricsRoom, 'record' | 'put'> {
  /** Hands what is collected to the writer. Resolves once everything before is committed, or given up. */
  flush(): Promise<void>;
  /** What the writer said last. */
  readonly stats: WriterStats;
  /** Recorded and not yet written. */
  readonly pending: number;
  readonly dropped: number;
  /** Nothing more is taken. */
  end(): void;
}

export interface RecordingOptions {
  readonly limits: Readonly<Limits>;
  readonly stats: WriterStats;
  /** Writes batches, in their order, one call at a time. Rejects with METRICS_FULL where they are to be offered again. */
  write(batches: readonly ShapeBatch[]): Promise<WriterStats>;
  log(line: string): void;
}

const FLUSH_MS = 1000;

export function createRecording({ limits, stats: first, write, log }: RecordingOptions): Recording {
  const collector = createCollector(give);
  /** Batches that the writer has not taken: it works in order, one call at a time. */
  let queue: ShapeBatch[] = [];
  let waiting = 0;
  let waitingBytes = 0;
  let dropped = 0;
  let warned = 0;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  let stats = first;
  let last: Promise<void> = Promise.resolve();

  function give(batch: ShapeBatch): void {
    queue.push(batch);
    waiting += batch.count;
    waitingBytes += bytesOfBatch(batch);
    last = last.then(send);
  }

  /** What the writer has not taken yet. On a full disk it waits for the next flush; while there is room for it. */
  async function send(): Promise<void> {
    if (queue.length === 0) return;
    const batches = queue;
    const points = batches.reduce((sum, { count }) => sum + count, 0);
    const bytes = batches.reduce((sum, batch) => sum + bytesOfBatch(batch), 0);
    queue = [];
    try {
      const before = stats.refusing;
      stats = await write(batches);
      waiting -= points;
      waitingBytes -= bytes;
      if (before !== null) log('the metric store accepts writes again');
      if (stats.overCardinality > warned) {
        if (warned === 0 || stats.overCardinality > 10 * warned) {
          warned = stats.overCardinality;
          log(
            // Workers may send what no store takes: that says nothing of the limits.
            `the metric store left out ${warned} points since the start: of new series or fields beyond the limits (metricsSeries: it has ${stats.series} of ${limits.metricsSeries}; metricsFields), or with names, values or times that it does not take. Remove tags with many values from your metrics, or raise the limits`,
          );
        }
      }
    } catch (error) {
      if (errorCode(error) === 'METRICS_FULL') {
        if (stats.refusing === null) log(errorMessage(error));
        stats = { ...stats, refusing: errorMessage(error) };
        queue = [...batches, ...queue];
        timer ??= setTimeout(flush, FLUSH_MS).unref();
        return;
      }
      waiting -= points;
      waitingBytes -= bytes;
      dropped += points;
      if (!ended) log(`${points} metric points were lost (${errorMessage(error)}); ${dropped} since the start`);
    }
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    collector.flush();
    last = last.then(send);
    return last;
  }

  const full = () =>
    collector.size + waiting >= limits.metricsQueuePoints || collector.bytes + waitingBytes >= limits.metricsQueueBytes;
  const soon = () => void (timer ??= setTimeout(flush, FLUSH_MS));

  return {
    record(point) {
      if (ended || full()) return void dropped++;
      collector.add(point);
      soon();
    },
    put(shape, time, tags, values) {
      if (ended || full()) return void dropped++;
      collector.put(shape, time, tags, values);
      soon();
    },
    flush,
    get stats() {
      return stats;
    },
    get pending() {
      return collector.size + waiting;
    },
    get dropped() {
      return dropped;
    },
    end() {
      ended = true;
    },
  };
}
