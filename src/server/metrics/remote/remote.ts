import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import { Fault } from '../../../lib/fault.ts';
import { remoteTarget } from '../../../lib/remote-http.ts';
import { warnIfPlain } from '../../../lib/remote-text.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { MetricsOptions } from '../metrics.ts';
import type { MetricsRoom } from '../port.ts';
import { requestOf } from '../queries/request.ts';
import { createRecording } from '../recording.ts';
import type { QueryJob } from '../store/port.ts';
import { deliveryInfo, type DeliveryStats } from './delivery.ts';
import type {
  RemoteQueryMethods,
  RemoteStats,
  RemoteThreadData,
  RemoteWriterEvent,
  RemoteWriterMethods,
} from './port.ts';

const RESTART_MS = 1000;
const IDLE_MS = 30_000;
/** A query waits for so long at most until points that were recorded before it are delivered. */
const SETTLE_MS = 2000;
/** The rest of the queue stays on disk. */
const CLOSE_MS = 3000;
/** Bytes that a row of an answer takes, about. */
const ROW_BYTES = 64;
const YOUNG_MB = 12;
const SPARE_MB = 256;

/** The same as `createMetrics` over an InfluxDB 2: points wait in a queue on disk until it has taken them, and queries are asked of it in Flux. */
export async function createRemoteMetrics(
  remote: RemoteMetricsOptions,
  { folder, limits, clock, log = () => {} }: Omit<MetricsOptions, 'damage'>,
): Promise<{ room: MetricsRoom; store: null; close(): Promise<void> }> {
  const { url, organization, bucket } = remote;
  const shared = { target: remoteTarget(remote, '--metrics-ca'), options: { url, organization, bucket } };
  const file = threadFile(import.meta.url, './remote-thread.ts', 'remote-metric-thread.js');
  const nothing: DeliveryStats = {
    ...{ state: 'connecting', reason: null, since: clock.now(), items: 0, bytes: 0, oldestAt: null },
    ...{ delivered: 0, retried: 0, lost: 0, lostReason: null },
  };
  let delivery = nothing;
  warnIfPlain('--metrics', remote, log);
  let closed = false;
  let queueBytes = limits.metricsRemoteQueueBytes;

  const writer = createThread<RemoteWriterMethods, RemoteWriterEvent>({
    file,
    name: 'the metric delivery thread',
    data: () => ({ ...shared, role: 'write', folder, queueBytes }) satisfies RemoteThreadData,
    restartMs: RESTART_MS,
    onEvent(event) {
      if ('line' in event) log(event.line);
      else delivery = together(event.stats);
    },
    onExit: (why) => why !== null && log(`the metric delivery thread ended (${why}); restarting it`),
  });
  try {
    await writer.started;
  } catch (error) {
    await writer.close();
    throw error;
  }
  const reader = createThread<RemoteQueryMethods>({
    file,
    name: 'the metric query thread',
    data: () => ({ ...shared, role: 'read' }) satisfies RemoteThreadData,
    memory: () => ({ youngMb: YOUNG_MB, oldMb: Math.ceil(limits.metricsQueryBytes / 2 ** 20) + SPARE_MB }),
    idleMs: IDLE_MS,
    lost: (why, code) =>
      code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new Fault('METRICS_TOO_BROAD', 'the query needs too much memory: narrow the time range')
        : new Fault('METRICS_UNAVAILABLE', `the metric query thread ended (${why}); try again`),
  });
  let asking = 0;
  const slots = createSemaphore({
    most: () => limits.metricsQueries,
    waiting: 0,
    refuse: (_, most) =>
      new Fault('OVERLOADED', `the maximum of ${most} concurrent metric queries (limit metricsQueries) is reached`),
  });

  const recording = createRecording({
    limits,
    stats: { points: 0, bytes: 0, series: 0, overCardinality: 0, refusing: null, damaged: 0 },
    async write(batches) {
      if (queueBytes !== limits.metricsRemoteQueueBytes)
        await writer.call('configure', (queueBytes = limits.metricsRemoteQueueBytes));
      return writer.call('record', batches);
    },
    log,
  });

  /** Questions under way, by what they ask: one that is asked again meanwhile, as by several people before one dashboard, gets the same answer. */
  const underWay = new Map<string, Promise<unknown>>();

  async function ask<T>(job: QueryJob): Promise<T> {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the metric store is closed');
    const key = JSON.stringify(job);
    let answer = underWay.get(key);
    if (!answer) {
      answer = send(job).finally(() => underWay.delete(key));
      underWay.set(key, answer);
    }
    // The thread answers each kind with its own type.
    return (await answer) as T;
  }

  function send(job: QueryJob): Promise<unknown> {
    return slots.run(async () => {
      asking++;
      try {
        // What was recorded before a question is in its answer, unless the store is behind, which its state says.
        await recording.flush();
        await writer.call('settle', SETTLE_MS).catch(() => {});
        const rows = Math.min(limits.metricsQueryValues, Math.floor(limits.metricsQueryBytes / ROW_BYTES));
        const settled = delivery.oldestAt ?? clock.now();
        return await reader.call('ask', job, { seconds: limits.metricsQuerySeconds, rows, settled });
      } finally {
        asking--;
      }
    });
  }

  const room: MetricsRoom = {
    record: recording.record,
    put: recording.put,
    query: async (query) => ask({ kind: 'metrics', args: requestOf(query, clock.now()) }),
    series: (args) => ask({ kind: 'series', args }),
    names: (within = null) => ask({ kind: 'names', args: within }),
    tags: (args) => ask({ kind: 'tags', args }),
    tagValues: (args) => ask({ kind: 'tagValues', args }),
    // The files are InfluxDB's.
    verify: async () => ({ bytes: 0, damages: [] }),
    stats: () => ({
      ...{ points: 0, series: 0, overCardinality: 0, refusing: recording.stats.refusing, queries: asking },
      ...{ bytes: delivery.bytes, pending: recording.pending + delivery.items },
      dropped: recording.dropped + delivery.lost,
    }),
    info() {
      const { refusing } = recording.stats;
      return {
        ...deliveryInfo('influxdb', url, delivery),
        ...(refusing === null ? {} : { state: 'failing', reason: refusing }),
      };
    },
    remote: () => delivery,
    async close() {
      if (closed) return;
      await recording.flush();
      closed = true;
      recording.end();
      await writer.call('close', CLOSE_MS).catch(() => {});
      await Promise.all([writer.close(), reader.close()]);
    },
  };
  return { room, store: null, close: room.close };
}

/** Of both buckets. Points of runs wait for each of them, and are counted once. */
function together({ all, jobs }: RemoteStats): DeliveryStats {
  // A bucket that nothing was sent to yet says nothing of the store.
  const { state, reason, since } = jobs.state === 'failing' && all.state !== 'failing' ? jobs : all;
  return {
    ...{ state, reason, since },
    items: Math.max(all.items, jobs.items),
    bytes: all.bytes + jobs.bytes,
    oldestAt:
      all.oldestAt === null || jobs.oldestAt === null
        ? (all.oldestAt ?? jobs.oldestAt)
        : Math.min(all.oldestAt, jobs.oldestAt),
    ...{ delivered: all.delivered, retried: all.retried + jobs.retried, lost: Math.max(all.lost, jobs.lost) },
    lostReason: all.lostReason ?? jobs.lostReason,
  };
}
