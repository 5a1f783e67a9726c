import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import type { RemoteTarget } from '../../../lib/remote-http.ts';
import type { ShapeBatch } from '../collector/port.ts';
import type { QueryJob } from '../store/port.ts';
import type { WriterStats } from '../store/write/port.ts';
import type { DeliveryStats } from './delivery.ts';

/** What the threads of a remote metric store are started with. */
export type RemoteThreadData = {
  readonly target: RemoteTarget;
  readonly options: Pick<RemoteMetricsOptions, 'url' | 'organization' | 'bucket'>;
} & (
  | {
      readonly role: 'write';
      /** Of the queues on disk. */
      readonly folder: string;
      readonly queueBytes: number;
    }
  | { readonly role: 'read' }
);

/** How the delivery to each bucket goes: of all points, and of those of runs beside them. */
export interface RemoteStats {
  readonly all: DeliveryStats;
  readonly jobs: DeliveryStats;
}

export type RemoteWriterEvent = { readonly stats: RemoteStats } | { readonly line: string };

export interface RemoteWriterMethods {
  [method: string]: (...args: never[]) => unknown;
  /** Resolves once they are in the queues on disk. METRICS_FULL where the disk refuses. */
  record(batches: readonly ShapeBatch[]): WriterStats;
  configure(queueBytes: number): void;
  /** Resolves once what is queued is delivered, the store is failing, or `ms` have passed. */
  settle(ms: number): Promise<void>;
  /** Goes on delivering for at most `ms`. */
  close(ms: number): Promise<void>;
}

export interface RemoteQueryMethods {
  [method: string]: (...args: never[]) => unknown;
  ask(
    job: QueryJob,
    limits: { readonly seconds: number; readonly rows: number; readonly settled: number },
  ): Promise<unknown>;
}
