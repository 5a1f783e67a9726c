import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Clock } from '../../../lib/clock.ts';

const MAX_BUCKETS = 20_000;

/** One limit that a call comes under: whose bucket, and calls a second. */
export interface BucketRate {
  readonly bucket: string;
  readonly perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
}

export interface RateLimiter {
  /** The first of these limits that has no call left, and the seconds to wait; null, and a call is taken from each, where all have. */
  take(rates: readonly BucketRate[]): { rate: BucketRate; seconds: number } | null;
  /** The same of one limit, and no call is taken. */
  look(rate: BucketRate): { seconds: number } | null;
}

/** Token buckets: `perSecond` calls a second, a second's worth at once. A limit may change between calls. */
export function createRateLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  // The one that was made first is most likely long full again.
  const buckets = new BoundedMap<string, Bucket>(MAX_BUCKETS);

  function fill({ bucket: name, perSecond }: BucketRate): Bucket {
    const now = clock.now();
    const burst = Math.max(1, perSecond);
    let bucket = buckets.get(name);
    if (!bucket) buckets.set(name, (bucket = { left: burst, at: now }));
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    return bucket;
  }

  const secondsOf = ({ left }: Bucket, { perSecond }: BucketRate): number =>
    Math.max(1, Math.ceil((1 - left) / perSecond));

  return {
    look(rate) {
      const bucket = fill(rate);
      return bucket.left < 1 ? { seconds: secondsOf(bucket, rate) } : null;
    },
    take(rates) {
      const filled = rates.map((rate) => ({ rate, bucket: fill(rate) }));
      for (const { rate, bucket } of filled) if (bucket.left < 1) return { rate, seconds: secondsOf(bucket, rate) };
      for (const { bucket } of filled) bucket.left -= 1;
      return null;
    },
  };
}
