import { rootContext, traceIdOf, withSampled, type TraceContext } from '../../lib/trace-context.ts';
import type { Tracing } from './port.ts';

export interface Sampling {
  readonly parentBased: boolean;
  /** 0 to 1. */
  readonly ratio: number;
}

/** The digits of a trace ID that decide: its last 13, which are random and fit a double. */
const DIGITS = 13;

/**
 * Which jobs are traced. A job without a caller's trace begins one of its own if it is sampled; else it costs nothing.
 *
 * @param randomId makes 32 hexadecimal digits
 */
export function createSampler(
  { parentBased, ratio }: Sampling,
  randomId: () => string,
  random: () => number,
): Tracing['decide'] {
  // The same trace is decided alike wherever it is decided by its ID.
  const isIn = (traceId: string) => Number.parseInt(traceId.slice(-DIGITS), 16) < ratio * 16 ** DIGITS;
  return (given: TraceContext | null) => {
    if (given !== null) return parentBased ? given : withSampled(given, isIn(traceIdOf(given)));
    return random() < ratio ? rootContext(randomId()) : null;
  };
}
