import { isDeepStrictEqual } from 'node:util';
import { parseStored } from '../../lib/json.ts';
import type { Limits } from '../../contract/limits.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { embeddedStore } from '../../lib/embedded-store.ts';
import { Fault } from '../../lib/fault.ts';
import { threadFile } from '../../lib/thread-file.ts';
import { createThread } from '../offload/thread.ts';
import type { MetricsRoom } from './port.ts';
import { requestOf } from './queries/request.ts';
import { createRecording } from './recording.ts';
import { createPace } from '../../lib/pace.ts';
import type { DamageRegistry, FoundDamage } from '../observability/port.ts';
import type { MetDamage, MetricDamage, MetricStore, QueryJob } from './store/port.ts';
import { isPartGone } from './store/files/partition.ts';
import { createQueryReaders } from './store/read/readers.ts';
import type { Reader } from './store/read/reader.ts';
import type { MetricThreadData } from './store/store-thread.ts';
import type { WriterEvent, WriterLimits, WriterMethods, WriterStats } from './store/write/port.ts';

export interface MetricsOptions {
  /** Where the points are kept; made where it is missing. */
  folder: string;
  limits: Readonly<Limits>;
  clock: Clock;
  log?(line: string): void;
  damage?: Pick<DamageRegistry, 'report' | 'forget' | 'list' | 'warnings'>;
}

interface Settling {
  /** Does at once what the writer does when it has time: seals, compacts, drops what is too old. */
  settle(): Promise<void>;
}

const RETRY_MS = 1000;
/** Bytes of unsealed rows above which the writer makes chunks of them. */
const SEAL_BYTES = 8 * 1024 * 1024;
/** 512 MiB of unsealed rows: only where partitions cannot be written for long are there so many. */
const HEAD_PAGES = 131_072;
/** A partition that got nothing for so long is compacted. */
const QUIET_MS = 120_000;

/** Opens the metric store. Points are written, and queries answered, in threads. */
export async function createMetrics({
  folder,
  limits,
  clock,
  log = () => {},
  damage,
}: MetricsOptions): Promise<{ room: MetricsRoom & Settling; store: MetricStore; close(): Promise<void> }> {
  const file = threadFile(import.meta.url, './store/store-thread.ts', 'metric-thread.js');
  /** What is found while all is read. */
  let found: Map<string, FoundDamage> | null = null;
  function report({ file, ...rest }: MetricDamage): void {
    const whole: FoundDamage = { ...rest, part: 'metrics', file: `metrics/${file}` };
    found?.set(`${file} ${rest.place}`, whole);
    damage?.report(whole);
  }
  let closed = false;
  let configured: WriterLimits = writerLimits(limits);

  const writer = createThread<WriterMethods, WriterEvent>({
    file,
    name: 'the metric writer thread',
    data: () =>
      ({ role: 'write', folder, sealBytes: SEAL_BYTES, quietMs: QUIET_MS, ...configured }) satisfies MetricThreadData,
    restartMs: RETRY_MS,
    onEvent(event) {
      if ('damage' in event) report(event.damage);
      else if ('removed' in event) damage?.forget('metrics', `metrics/${event.removed}`);
      else log(`metric store: ${event.failed}`);
    },
    onExit: (why) => why !== null && log(`the metric writer thread ended (${why}); restarting it`),
  });
  let stats: WriterStats;
  try {
    stats = await writer.call('stats');
  } catch (error) {
    closed = true;
    await writer.close();
    throw error;
  }
  // Its file may have gone just before a kill, or by hand while the master was stopped.
  for (const { part, file: path } of damage?.list() ?? [])
    if (part === 'metrics' && isPartGone(folder, path.slice('metrics/'.length))) damage?.forget(part, path);
  const readers = createQueryReaders({
    file,
    folder,
    log,
    report,
    limits: () => ({
      seconds: limits.metricsQuerySeconds,
      values: limits.metricsQueryValues,
      bytes: limits.metricsQueryBytes,
      queries: limits.metricsQueries,
    }),
  });
  /** What others ask at the store's own port keeps nobody at the console waiting. */
  const own = readers.slow();
  const others = readers.slow();

  const recording = createRecording({
    limits,
    stats,
    async write(batches) {
      const now = writerLimits(limits);
      if (!isDeepStrictEqual(now, configured)) await writer.call('configure', (configured = now));
      return writer.call('record', batches);
    },
    log,
  });

  async function* run(job: QueryJob, slow: Reader, signal: AbortSignal, met?: MetDamage): AsyncGenerator<Uint8Array> {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the metric store is closed');
    await recording.flush();
    yield* readers.run(job, slow, signal, met);
  }

  /** What an answer lacks is known once it is there: damage that it met was reported before. */
  function told<T extends object>({ from, to }: { from: number; to: number }, answer: T): T {
    const lacking = damage?.warnings(['metrics'], from, to) ?? [];
    return lacking.length === 0 ? answer : { ...answer, warnings: lacking };
  }

  async function ask<T>(job: QueryJob): Promise<T> {
    const pages: Uint8Array[] = [];
    for await (const page of run(job, own, new AbortController().signal)) pages.push(page);
    // Its numbers are doubles, which come out of their text as they were.
    return parseStored<T>(Buffer.concat(pages).toString());
  }

  const room: MetricsRoom & Settling = {
    record: recording.record,
    put: recording.put,
    async query(query) {
      const args = requestOf(query, clock.now());
      return told(args, await ask({ kind: 'metrics', args }));
    },
    series: async (args) => told(args, await ask({ kind: 'series', args })),
    names: (within = null) => ask({ kind: 'names', args: within }),
    tags: async (args) => told(args, await ask({ kind: 'tags', args })),
    tagValues: async (args) => told(args, await ask({ kind: 'tagValues', args })),
    async verify({ bytesPerSecond, signal }) {
      const pace = createPace(bytesPerSecond, signal);
      let bytes = 0;
      found = new Map();
      try {
        await recording.flush();
        for await (const page of own.run({ kind: 'verify', args: null }, signal)) {
          const more = Number(new TextDecoder().decode(page));
          bytes += more;
          await pace(more);
        }
        return { bytes, damages: [...found.values()] };
      } finally {
        found = null;
      }
    },
    settle: async () => void (await writer.call('settle')),
    stats() {
      const { stats: of, pending, dropped } = recording;
      const { points, bytes, series, overCardinality, refusing } = of;
      return { points, bytes, series, overCardinality, refusing, pending, dropped, queries: readers.waiting };
    },
    info: () => embeddedStore(recording.stats.refusing),
    remote: () => null,
    async close() {
      if (closed) return;
      await recording.flush();
      closed = true;
      recording.end();
      await writer
        .call('close')
        .catch((error: unknown) => log(`the metric store did not close cleanly: ${errorMessage(error)}`));
      await Promise.all([writer.close(), readers.end()]);
    },
  };

  const store: MetricStore = {
    write: (bucket, bytes, precision) => writer.call('write', bucket, bytes, precision),
    run: (job, signal, met) => run(job, others, signal, met),
    delete: async (bucket, start, stop, tags) => void (await writer.call('delete', bucket, { start, stop, tags })),
    buckets: () => writer.call('buckets'),
    createBucket: (name, retentionSeconds) => writer.call('createBucket', name, retentionSeconds),
    updateBucket: (id, change) => writer.call('updateBucket', id, change),
    deleteBucket: async (id) => void (await writer.call('deleteBucket', id)),
  };
  return { room, store, close: room.close };
}

const writerLimits = ({
  metricsSeries,
  metricsFields,
  metricsStoreBytes,
  metricsRetentionDays,
  metricsRollupRetentionDays,
}: Readonly<Limits>): WriterLimits => ({
  mostSeries: metricsSeries,
  mostFields: metricsFields,
  mostBytes: metricsStoreBytes,
  rawDays: metricsRetentionDays,
  rollDays: metricsRollupRetentionDays,
  headPages: HEAD_PAGES,
});
