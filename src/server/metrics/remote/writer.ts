import { join } from 'node:path';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { bucketNames } from '../../../lib/influxdb/buckets.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createInfluxTarget, packLines } from './influx-target.ts';
import { createPointEncoder } from './line-protocol.ts';
import type { RemoteStats, RemoteThreadData, RemoteWriterMethods } from './port.ts';
import { openSpool, type Spool } from './spool.ts';

interface RemoteWriterDeps extends Pick<
  Extract<RemoteThreadData, { role: 'write' }>,
  'folder' | 'options' | 'queueBytes'
> {
  /** A client for one bucket. */
  http(): RemoteHttp;
  now(): number;
  random(): number;
  log(line: string): void;
  onChange(stats: RemoteStats): void;
}

/** The disk will not take more. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

/** The writer thread: points become line protocol, wait on disk, and go to their buckets. */
export function openRemoteWriter(deps: RemoteWriterDeps): RemoteWriterMethods {
  const { folder, options, now, random, log } = deps;
  let { queueBytes } = deps;
  const encode = createPointEncoder();
  const buckets = bucketNames(options.bucket);

  function lane(name: 'all' | 'jobs'): { spool: Spool; delivery: Delivery } {
    const bucket = buckets[name];
    const spool = openSpool(join(folder, name), {
      mostBytes: () => queueBytes,
      now,
      onDropped: (points) => delivery.lose(points, 'the queue on disk was full (limit metricsRemoteQueueBytes)'),
    });
    const delivery = createDelivery({
      name: `the metric store ${options.url} (bucket "${bucket}")`,
      what: 'points',
      spool,
      target: createInfluxTarget(deps.http(), options, bucket),
      ...{ now, random, log },
      onChange: () => deps.onChange(stats()),
    });
    return { spool, delivery };
  }
  const all = lane('all');
  const jobs = lane('jobs');
  const stats = (): RemoteStats => ({ all: all.delivery.stats(), jobs: jobs.delivery.stats() });

  function put({ spool, delivery }: typeof all, lines: string, points: number): void {
    if (points === 0) return;
    spool.put(packLines(lines), points);
    delivery.kick();
  }

  return {
    record(batches) {
      const encoded = encode(batches);
      try {
        put(all, encoded.all, encoded.points);
        put(jobs, encoded.jobs, encoded.jobPoints);
      } catch (error) {
        if (FULL.has(errorCode(error) ?? ''))
          throw new Fault(
            'METRICS_FULL',
            `the queue for the metric store cannot be written to (${errorMessage(error)}): free disk space`,
          );
        throw error;
      }
      return {
        ...{ points: 0, series: 0, overCardinality: 0, refusing: null, damaged: 0 },
        bytes: all.spool.bytes + jobs.spool.bytes,
      };
    },
    configure(bytes) {
      queueBytes = bytes;
    },
    settle: async (ms) => void (await Promise.all([all.delivery.settle(ms), jobs.delivery.settle(ms)])),
    close: async (ms) => void (await Promise.all([all.delivery.close(ms), jobs.delivery.close(ms)])),
  };
}
