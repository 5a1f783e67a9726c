import type { Clock } from '../../lib/clock.ts';

const MOST_KEYS = 10_000;

/** Token buckets, one a key: `perSecond` calls a second, a second's worth at once. 0: no limit. Gives the seconds to wait, 0 where the call may go on. */
export function createRateLimit(perSecond: number, clock: Clock): (keyId: string) => number {
  if (perSecond <= 0) return () => 0;
  const buckets = new Map<string, { left: number; at: number }>();
  const burst = Math.max(1, perSecond);
  return (keyId) => {
    const now = clock.now();
    let bucket = buckets.get(keyId);
    if (!bucket) {
      if (buckets.size >= MOST_KEYS) buckets.clear();
      buckets.set(keyId, (bucket = { left: burst, at: now }));
    }
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
  };
}
