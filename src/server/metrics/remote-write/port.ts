import type { RemoteTarget } from '../../../lib/remote-http.ts';
import type { ShapeBatch } from '../collector/port.ts';
import type { DeliveryStats } from '../remote/delivery.ts';

/** What the thread of remote write is started with. */
export interface RemoteWriteThreadData {
  readonly target: RemoteTarget;
  readonly labels: Readonly<Record<string, string>>;
  /** Of the queue on disk. */
  readonly folder: string;
  readonly limits: RemoteWriteLimits;
}

/** What can be changed while it runs. */
export interface RemoteWriteLimits {
  readonly queueBytes: number;
  readonly mostSeries: number;
}

export interface RemoteWriteStats extends DeliveryStats {
  readonly series: number;
  /** Points left out because of the limit of series. */
  readonly leftOut: number;
}

/** A value of the master's own health, under the name that `/metrics` has for it. */
export interface HealthSample {
  readonly name: string;
  readonly value: number;
}

export type RemoteWriteEvent = { readonly stats: RemoteWriteStats } | { readonly line: string };

export interface RemoteWriteMethods {
  [method: string]: (...args: never[]) => unknown;
  take(batches: readonly ShapeBatch[]): void;
  /** Puts what all series are now into the queue. */
  sample(health: readonly HealthSample[], time: number): void;
  configure(limits: RemoteWriteLimits): void;
  /** Goes on delivering for at most `ms`. */
  close(ms: number): Promise<void>;
}
