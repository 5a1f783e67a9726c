import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { KeyIdentity } from '../../access/port.ts';
import type { Services } from '../core/services.ts';

/**
 * What limits event calls, held before a job is made: calls a second of a key and of a workflow (429), the depth of the
 * queue and the memory that waiting calls take (503). How many tasks run at once is limited later, when they are leased:
 * `jobs/queue/concurrency-limits.ts`.
 */
export interface EventLimits {
  /** Throws RATE_LIMITED or OVERLOADED, with the seconds to wait. */
  check(key: KeyIdentity, workflowId: string): void;
  /** Counts a call with its body from now until the function that comes back is called. */
  enter(bytes: number): () => void;
}

const BUSY_SECONDS = 2;

export function createEventLimits({
  limits,
  clock,
  workflows,
  jobs,
}: Pick<Services, 'limits' | 'clock' | 'workflows' | 'jobs'>): EventLimits {
  const rates = createRateLimiter(clock);
  let calls = 0;
  let bytes = 0;

  function refuseRate(key: KeyIdentity, workflowId: string): void {
    const ofWorkflow = workflows.limits(workflowId)?.eventsPerSecond ?? null;
    if (limits.eventsPerSecondPerKey === 0 && key.limits.eventsPerSecond === null && ofWorkflow === null) return;
    const under: { rate: BucketRate; who: string }[] = [];
    const add = (bucket: string, perSecond: number | null, who: string) => {
      if (perSecond) under.push({ rate: { bucket, perSecond }, who });
    };
    add(`every ${key.id}`, limits.eventsPerSecondPerKey, `API key ${key.name}`);
    add(`key ${key.id}`, key.limits.eventsPerSecond, `API key ${key.name}`);
    add(`workflow ${workflowId}`, ofWorkflow, `workflow ${workflowId}`);
    const refused = rates.take(under.map(({ rate }) => rate));
    if (refused === null) return;
    const who = under.find(({ rate }) => rate === refused.rate)?.who;
    throw new Fault(
      'RATE_LIMITED',
      `${who} has reached its rate limit of ${refused.rate.perSecond} event calls per second: retry in ${refused.seconds} s`,
      { extra: { retryAfterSeconds: refused.seconds } },
    );
  }

  return {
    check(key, workflowId) {
      refuseRate(key, workflowId);
      const { queueDepth, eventWaitingBytes, eventWaitingCalls } = limits;
      const busy = (what: string) =>
        new Fault('OVERLOADED', `${what}: retry later, or add workers`, {
          extra: { retryAfterSeconds: BUSY_SECONDS },
        });
      if (queueDepth > 0 && jobs.queueDepth >= queueDepth)
        throw busy(`${jobs.queueDepth} tasks are waiting for a worker; the limit queueDepth is ${queueDepth}`);
      // The call itself is counted.
      if (eventWaitingBytes > 0 && bytes > eventWaitingBytes)
        throw busy(
          `calls waiting for a response hold ${bytes} bytes; the limit eventWaitingBytes is ${eventWaitingBytes}`,
        );
      if (eventWaitingCalls > 0 && calls > eventWaitingCalls)
        throw busy(
          `${calls - 1} calls are waiting for a response; the limit eventWaitingCalls is ${eventWaitingCalls}`,
        );
    },
    enter(size) {
      calls++;
      bytes += size;
      return () => {
        calls--;
        bytes -= size;
      };
    },
  };
}

const MAX_BUCKETS = 20_000;

/** One limit that a call comes under: whose bucket, and calls a second. */
interface BucketRate {
  readonly bucket: string;
  readonly perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
}

interface RateLimiter {
  /** The first of these limits that has no call left, and the seconds to wait; null, and a call is taken from each, where all have. */
  take(rates: readonly BucketRate[]): { rate: BucketRate; seconds: number } | null;
}

/** Token buckets: `perSecond` calls a second, a second's worth at once. A limit may change between calls. */
function createRateLimiter(clock: Clock): RateLimiter {
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

  return {
    take(rates) {
      const filled = rates.map((rate) => ({ rate, bucket: fill(rate) }));
      for (const { rate, bucket } of filled)
        if (bucket.left < 1) return { rate, seconds: Math.max(1, Math.ceil((1 - bucket.left) / rate.perSecond)) };
      for (const { bucket } of filled) bucket.left -= 1;
      return null;
    },
  };
}
