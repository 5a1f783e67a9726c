import { Fault } from '../../../lib/fault.ts';
import type { KeyIdentity } from '../../access/port.ts';
import { createRateLimiter, type BucketRate } from './rate-limiter.ts';
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
