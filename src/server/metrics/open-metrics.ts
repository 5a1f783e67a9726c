import { join } from 'node:path';
import type { Limits } from '../../contract/limits.ts';
import type { RemoteMetricsOptions, RemoteWriteOptions } from '../../contract/process.ts';
import type { Clock } from '../../lib/clock.ts';
import { createMetrics, type MetricsOptions } from './metrics.ts';
import type { MetricsRoom, MetricStore } from './port.ts';
import type { RemoteWrite } from './remote-write/remote-write.ts';

/** Opens the embedded store in the data folder, or the one elsewhere with its queues there. `store` null: InfluxDB has a port of its own. */
export async function openMetrics(
  remote: RemoteMetricsOptions | null,
  { data, ...options }: Omit<MetricsOptions, 'folder'> & { data: string },
): Promise<{ room: MetricsRoom; store: MetricStore | null; close(): Promise<void> }> {
  if (remote === null) return createMetrics({ ...options, folder: join(data, 'metrics') });
  const { createRemoteMetrics } = await import('./remote/remote.ts');
  return createRemoteMetrics(remote, { ...options, folder: join(data, 'metrics-remote') });
}

/** The store whose points are sent by remote write too, where that is set up. */
export async function besideRemoteWrite(
  options: RemoteWriteOptions | null,
  room: MetricsRoom,
  { data, ...deps }: { data: string; limits: Readonly<Limits>; clock: Clock; log(line: string): void },
): Promise<{ metrics: MetricsRoom; remoteWrite: RemoteWrite | null }> {
  if (options === null) return { metrics: room, remoteWrite: null };
  const { openRemoteWrite } = await import('./remote-write/remote-write.ts');
  const remoteWrite = await openRemoteWrite(options, { ...deps, folder: join(data, 'remote-write') });
  return { metrics: remoteWrite.beside(room), remoteWrite };
}
