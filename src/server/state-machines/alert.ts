import { type AlertState, OPEN_STATES } from '../../contract/vocabulary.ts';

/**
 * One alert instance: Normal → Pending (the condition holds, `for` is not over) → Alerting → Recovering (it holds no
 * longer, `keepFiringSeconds` are not over) → Normal. NoData and Error are the firing states of the two alerts that a rule
 * raises about itself. Times are those of evaluations, in milliseconds.
 */
export interface AlertFacts {
  readonly state: AlertState;
  /** When the state began. */
  readonly since: number;
  /** When the condition began to hold; kept until the alert is Normal again. */
  readonly activeAt: number;
  /** When it began to fire; null before. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly value: number | null;
  readonly seenAt: number;
  /** Evaluations in a row that did not have its series. */
  readonly missing: number;
  readonly reason: AlertReason | null;
}
export type AlertReason = 'MissingSeries' | 'NoData' | 'Error' | 'KeepLast' | 'Paused' | 'RuleDeleted';

/** What an evaluation saw of it. `drop`: its rule is gone or paused. */
export type AlertObservation =
  | {
      readonly on: 'value';
      readonly at: number;
      readonly value: number | null;
      readonly holds: boolean;
      readonly reason?: AlertReason;
    }
  | { readonly on: 'missing'; readonly at: number }
  | { readonly on: 'keep'; readonly at: number }
  | { readonly on: 'drop'; readonly at: number; readonly reason: AlertReason };

export interface AlertTimes {
  readonly forMs: number;
  readonly keepFiringMs: number;
  /** What it is while it fires. */
  readonly firing: 'Alerting' | 'NoData' | 'Error';
}

/** Evaluations without its series after which an alert resolves. */
export const MISSING_EVALUATIONS = 2;

const FIRING: ReadonlySet<AlertState> = new Set<AlertState>(OPEN_STATES);
/** True where people are to be told of it. */
export const isFiring = (facts: Pick<AlertFacts, 'state'>): boolean => FIRING.has(facts.state);

/**
 * The alert after an evaluation; null: it was Normal and stays so. A clock that went back begins the wait of the
 * present state anew, so that it never ends too early and never waits longer than once more.
 */
export function nextAlert(before: AlertFacts | null, seen: AlertObservation, times: AlertTimes): AlertFacts | null {
  const { at } = seen;
  const now =
    before !== null && before.since > at
      ? {
          ...before,
          since: at,
          activeAt: Math.min(before.activeAt, at),
          startsAt: before.startsAt === null ? null : Math.min(before.startsAt, at),
        }
      : before;
  const open = now !== null && now.state !== 'Normal' ? now : null;
  switch (seen.on) {
    case 'value':
      return seen.holds
        ? holding(open, seen.value, seen.reason ?? null, at, times)
        : open && ending(open, seen.value, seen.reason ?? null, at, times);
    case 'missing': {
      if (!open) return null;
      const missing = open.missing + 1;
      return missing >= MISSING_EVALUATIONS ? ended(open, at, 'MissingSeries', missing) : { ...open, missing };
    }
    case 'keep':
      return open && { ...open, seenAt: at, reason: 'KeepLast' };
    case 'drop':
      return open && ended(open, at, seen.reason, open.missing);
  }
}

function holding(
  open: AlertFacts | null,
  value: number | null,
  reason: AlertReason | null,
  at: number,
  times: AlertTimes,
): AlertFacts {
  if (open && isFiring(open))
    return {
      ...open,
      state: times.firing,
      since: open.state === times.firing ? open.since : at,
      value,
      seenAt: at,
      missing: 0,
      reason,
    };
  const activeAt = open?.activeAt ?? at;
  const fires = times.forMs === 0 || (open !== null && at - open.since >= times.forMs);
  if (fires)
    return {
      state: times.firing,
      since: at,
      activeAt,
      startsAt: at,
      endsAt: null,
      value,
      seenAt: at,
      missing: 0,
      reason,
    };
  return {
    state: 'Pending',
    since: open?.since ?? at,
    activeAt,
    startsAt: null,
    endsAt: null,
    value,
    seenAt: at,
    missing: 0,
    reason,
  };
}

function ending(
  open: AlertFacts,
  value: number | null,
  reason: AlertReason | null,
  at: number,
  { keepFiringMs }: AlertTimes,
): AlertFacts {
  // Where there is no value any more, the last one stays: the title of an alert that recovers still says what it was about.
  const facts = { ...open, value: value ?? open.value, seenAt: at, missing: 0, reason };
  if (open.state === 'Pending') return ended(facts, at, reason, 0);
  if (open.state === 'Recovering') return at - open.since >= keepFiringMs ? ended(facts, at, reason, 0) : facts;
  return keepFiringMs === 0 ? ended(facts, at, reason, 0) : { ...facts, state: 'Recovering', since: at };
}

const ended = (open: AlertFacts, at: number, reason: AlertReason | null, missing: number): AlertFacts => ({
  ...open,
  state: 'Normal',
  since: at,
  endsAt: at,
  missing,
  reason,
});
