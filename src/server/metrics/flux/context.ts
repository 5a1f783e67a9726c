import type { QueryEnv } from '../store/port.ts';
import type { Budget } from './budget.ts';
import type { Stream } from './values/stream.ts';

/** What the built-in functions of one run of a program share. */
export interface Context {
  readonly env: Pick<QueryEnv, 'source' | 'buckets'>;
  readonly budget: Budget;
  /** Nanoseconds since the epoch; the same through the whole run. */
  now(): bigint;
  /** Makes tables a result of the program. */
  yields(name: string, stream: Stream): void;
}
