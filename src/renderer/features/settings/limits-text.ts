import type { RateLimits } from '../../../contract/rate-limits.ts';
import { tn } from '../../../lib/language.ts';

/** '10 calls/s, 4 tasks at once', or null where there is no limit. */
export function limitsText({ eventsPerSecond, concurrency }: RateLimits): string | null {
  const parts = [
    ...(eventsPerSecond === null ? [] : [tn('{count} call/s', '{count} calls/s', eventsPerSecond)]),
    ...(concurrency === null ? [] : [tn('{count} concurrent task', '{count} concurrent tasks', concurrency)]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
