import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Limits } from '../../../contract/limits.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { MetricStore } from '../store/port.ts';
import type { Held } from './body.ts';

export interface InfluxHttpOptions {
  readonly store: MetricStore;
  readonly limits: Readonly<Limits>;
  readonly clock: Clock;
  /** Told of every error that was not the caller's. */
  onError(error: unknown): void;
}

/** A request on its way through this surface. */
export interface Ask extends InfluxHttpOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Parts of the path that the route leaves open. */
  readonly params: readonly string[];
  readonly held: Held;
  /** Unix ms of the surface's own start. */
  readonly startedAt: number;
  /** Aborts when the caller has gone, or the surface closes. */
  readonly signal: AbortSignal;
  /** Waits until the query may run; calls back when it is over. */
  turn(signal: AbortSignal): Promise<() => void>;
}
