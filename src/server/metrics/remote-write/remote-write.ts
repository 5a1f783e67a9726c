import { hostname } from 'node:os';
import type { Limits } from '../../../contract/limits.ts';
import type { RemoteWriteOptions } from '../../../contract/process.ts';
import type { StoreInfo } from '../../../contract/settings.ts';
import type { Clock } from '../../../lib/clock.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { remoteTarget } from '../../../lib/remote-http.ts';
import { warnIfPlain } from '../../../lib/remote-text.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import { bytesOfBatch, createCollector } from '../collector/collector.ts';
import type { MetricsRoom } from '../port.ts';
import { deliveryInfo } from '../remote/delivery.ts';
import type {
  HealthSample,
  RemoteWriteEvent,
  RemoteWriteLimits,
  RemoteWriteMethods,
  RemoteWriteStats,
  RemoteWriteThreadData,
} from './port.ts';

/** Sends metrics by Prometheus remote write, beside the metric store. */
export interface RemoteWrite {
  /** The same store, whose points are sent too. */
  beside(room: MetricsRoom): MetricsRoom;
  /** From here on all series are sent at each interval, with these values of the master's health. */
  begin(health: () => readonly HealthSample[]): void;
  stats(): RemoteWriteStats;
  info(): StoreInfo;
  close(): Promise<void>;
}

const RESTART_MS = 1000;
const CLOSE_MS = 2000;
/** Points that wait for their thread at most. */
const MOST_WAITING = 100_000;

export async function openRemoteWrite(
  options: RemoteWriteOptions,
  { folder, limits, clock, log }: { folder: string; limits: Readonly<Limits>; clock: Clock; log(line: string): void },
): Promise<RemoteWrite> {
  const target = remoteTarget(options, '--remote-write-ca');
  warnIfPlain('--remote-write', options, log);
  const limitsNow = (): RemoteWriteLimits => ({
    queueBytes: limits.metricsRemoteQueueBytes,
    mostSeries: limits.remoteWriteSeries,
  });
  let stats: RemoteWriteStats = {
    ...{ state: 'connecting', reason: null, since: clock.now(), items: 0, bytes: 0, oldestAt: null },
    ...{ delivered: 0, retried: 0, lost: 0, lostReason: null, series: 0, leftOut: 0 },
  };
  const thread = createThread<RemoteWriteMethods, RemoteWriteEvent>({
    file: threadFile(import.meta.url, './remote-write-thread.ts', 'remote-write-thread.js'),
    name: 'the remote write thread',
    data: () =>
      ({
        ...{ target, folder, limits: limitsNow() },
        // Masters that take over from one another are sources of their own.
        labels: { instance: hostname(), job: 'yardmaster', ...options.labels },
      }) satisfies RemoteWriteThreadData,
    restartMs: RESTART_MS,
    onEvent(event) {
      if ('line' in event) log(event.line);
      else stats = event.stats;
    },
    onExit: (why) => why !== null && log(`the remote write thread ended (${why}); restarting it`),
  });
  try {
    await thread.started;
  } catch (error) {
    await thread.close();
    throw error;
  }

  let waiting = 0;
  let waitingBytes = 0;
  let left = 0;
  let timer: NodeJS.Timeout | undefined;
  let health: () => readonly HealthSample[] = () => [];
  const failed = (error: unknown) => log(`metrics were not handed to remote write: ${errorMessage(error)}`);
  const collector = createCollector((batch) => {
    const bytes = bytesOfBatch(batch);
    waiting += batch.count;
    waitingBytes += bytes;
    thread
      .call('take', [batch])
      .catch(failed)
      .finally(() => {
        waiting -= batch.count;
        waitingBytes -= bytes;
      });
  });

  async function tick(): Promise<void> {
    collector.flush();
    try {
      await thread.call('configure', limitsNow());
      await thread.call('sample', [...health()], clock.now());
    } catch (error) {
      failed(error);
    }
  }
  const again = () => {
    timer = setTimeout(async () => {
      await tick();
      again();
    }, limits.remoteWriteSeconds * 1000).unref();
  };
  const hasRoom = () => {
    if (collector.size + waiting < MOST_WAITING && collector.bytes + waitingBytes < limits.metricsQueueBytes)
      return true;
    left++;
    return false;
  };

  return {
    beside: (room) => ({
      ...room,
      record(point) {
        room.record(point);
        // Of its own health the master sends what `/metrics` shows.
        if (point.measurement !== 'system_metrics' && hasRoom()) collector.add(point);
      },
      put(shape, time, tags, values) {
        room.put(shape, time, tags, values);
        if (hasRoom()) collector.put(shape, time, tags, values);
      },
    }),
    begin(from) {
      health = from;
      again();
    },
    stats: () => ({ ...stats, leftOut: stats.leftOut + left }),
    info: () => deliveryInfo('remote-write', target.url, stats),
    async close() {
      clearTimeout(timer);
      await tick();
      await thread.call('close', CLOSE_MS).catch(() => {});
      await thread.close();
    },
  };
}
