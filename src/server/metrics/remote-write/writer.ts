import { errorMessage } from '../../../lib/errors.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { snappy } from '../../../lib/snappy.ts';
import { createDelivery } from '../remote/delivery.ts';
import { openSpool } from '../remote/spool.ts';
import type { RemoteWriteMethods, RemoteWriteStats, RemoteWriteThreadData } from './port.ts';
import { createRegistry } from './registry.ts';
import { createRemoteWriteTarget } from './target.ts';
import { writeRequest } from './write-request.ts';

interface Deps extends Pick<RemoteWriteThreadData, 'folder' | 'labels' | 'limits'> {
  readonly http: RemoteHttp;
  readonly address: string;
  now(): number;
  random(): number;
  log(line: string): void;
  onChange(stats: RemoteWriteStats): void;
}

/** Samples of one request. */
const MOST = 2000;

/** The thread of remote write: keeps the state of all series, and sends it at each interval. */
export function openRemoteWriter({
  folder,
  labels,
  limits: given,
  http,
  address,
  now,
  random,
  log,
  onChange,
}: Deps): RemoteWriteMethods {
  let limits = given;
  let told = 0;
  const registry = createRegistry({ labels, mostSeries: () => limits.mostSeries });
  const spool = openSpool(folder, {
    mostBytes: () => limits.queueBytes,
    now,
    onDropped: (samples) => delivery.lose(samples, 'the queue on disk was full (limit metricsRemoteQueueBytes)'),
  });
  const delivery = createDelivery({
    name: `remote write to ${address}`,
    what: 'samples',
    spool,
    target: createRemoteWriteTarget(http),
    ...{ now, random, log },
    onChange: () => onChange({ ...delivery.stats(), series: registry.series, leftOut: registry.leftOut }),
  });

  return {
    take(batches) {
      for (const batch of batches) registry.take(batch, now());
      if (registry.leftOut === 0 || registry.leftOut < 10 * told) return;
      told = registry.leftOut;
      log(
        `remote write has ${registry.series} series, the maximum (limit remoteWriteSeries): ${told} points of new series were left out since the start. Remove tags with many values from your metrics, or raise the limit`,
      );
    },
    sample(health, time) {
      for (const { name, value } of health) registry.set(name, value, time);
      const samples = registry.samples(time);
      try {
        for (let from = 0; from < samples.length; from += MOST) {
          const some = samples.slice(from, from + MOST);
          spool.put(snappy(writeRequest(some, time)), some.length);
        }
      } catch (error) {
        delivery.lose(samples.length, `the queue on disk cannot be written to (${errorMessage(error)})`);
      }
      delivery.kick();
    },
    configure(next) {
      limits = next;
    },
    close: (ms) => delivery.close(ms),
  };
}
