import { expect, it } from 'vitest';
import { unitForQuery } from './unit-for-query.ts';

it.each([
  ['timer_run_ms', 'p95', 'ms'],
  ['timer_run_ms', 'count', 'count'],
  ['counter_input_byte_count', 'rate', 'bytesPerSecond'],
  ['gauge_memory_usage', 'mean', 'bytes'],
  ['gauge_cpu_usage', 'mean', 'share'],
  ['counter_error_count', 'rate', 'perSecond'],
  ['gauge_queue_depth', 'last', 'count'],
] as const)('%s by %s is in %s', (field, aggregate, unit) => expect(unitForQuery({ field, aggregate })).toBe(unit));
