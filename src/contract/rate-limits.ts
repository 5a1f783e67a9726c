import { Type, type Static } from 'typebox';
import { Nullable, Closed } from './shapes.ts';

const fields = {
  eventsPerSecond: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'Event calls per second, with bursts of one second; above it, calls get 429',
    }),
  ),
  concurrency: Nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Concurrent tasks; further tasks wait in the queue' }),
  ),
};

/** Limits of an API key or of a workflow; null: none of its own. */
export const RateLimitsSchema = Closed(fields);
export type RateLimits = Static<typeof RateLimitsSchema>;

/** What a change of limits names; the others stay as they are. Null for all of it: no limits. */
export const RateLimitsPatch = Nullable(
  Closed({ eventsPerSecond: Type.Optional(fields.eventsPerSecond), concurrency: Type.Optional(fields.concurrency) }),
);
export type RateLimitsChange = { eventsPerSecond?: number | null; concurrency?: number | null } | null;

export const NO_LIMITS: RateLimits = { eventsPerSecond: null, concurrency: null };

/** The limits after a change; `change` undefined: none. */
export function changedLimits(before: RateLimits, change: RateLimitsChange | undefined): RateLimits {
  if (change === undefined) return before;
  return change === null ? NO_LIMITS : { ...before, ...change };
}

/** As a row keeps them: null where there are none. */
export const limitsText = (limits: RateLimits): string | null =>
  limits.eventsPerSecond === null && limits.concurrency === null ? null : JSON.stringify(limits);
export const rateLimitsFrom = (text: string | null): RateLimits => (text === null ? NO_LIMITS : JSON.parse(text));

export const PRIORITY_MIN = -100;
export const PRIORITY_MAX = 100;
