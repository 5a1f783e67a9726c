import { Fault } from '../../../lib/fault.ts';
import type { KeyIdentity } from '../../access/port.ts';
import type { Services } from '../core/services.ts';
import { createRateLimiter, type BucketRate } from './rate-limiter.ts';

/**
 * What limits event calls, held before a job is made: calls a second of a key and of a workflow (429), the depth of the
 * queue and the memory that waiting calls take (503). How many tasks run at once is limited later, when they are leased:
 * `jobs/queue/concurrency-limits.ts`.
 */
export interface EventLimits {
  /** Throws RATE_LIMITED or OVERLOADED, with the seconds to wait. */
  check(key: KeyIdentity, workflowId: string): void;
  /** The same for a call that comes under no API key. */
  checkWithoutKey(workflowId: string): void;
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

  function refuseRate(key: KeyIdentity | null, workflowId: string): void {
    const ofWorkflow = workflows.limits(workflowId)?.eventsPerSecond ?? null;
    const ofKeys = key === null ? 0 : limits.eventsPerSecondPerKey;
    const ofKey = key?.limits.eventsPerSecond ?? null;
    if (ofKeys === 0 && ofKey === null && ofWorkflow === null) return;
    const under: { rate: BucketRate; who: string }[] = [];
    const add = (bucket: string, perSecond: number | null, who: string) => {
      if (perSecond) under.push({ rate: { bucket, perSecond }, who });
    };
    if (key !== null) {
      add(`every ${key.id}`, ofKeys, `API key ${key.name}`);
      add(`key ${key.id}`, ofKey, `API key ${key.name}`);
    }
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

  function check(key: KeyIdentity | null, workflowId: string): void {
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
      throw busy(`${calls - 1} calls are waiting for a response; the limit eventWaitingCalls is ${eventWaitingCalls}`);
  }

  return {
    check,
    checkWithoutKey: (workflowId) => check(null, workflowId),
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
