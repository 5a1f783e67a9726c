import type { Limits } from '../../../contract/limits.ts';
import { watchClockJumps } from '../../../lib/clock-jump.ts';
import { every, type Clock } from '../../../lib/clock.ts';
import { CLOCK_SET_BACK_MS } from '../../state-machines/task.ts';

/** What time it is for the periodic check. */
export interface CheckTime {
  now(): number;
  /** The time by which limits are over: behind `now` after the master was away. */
  deadline(): number;
  /** The clock is behind what it said before. */
  isSetBack(): boolean;
}

/** Runs the periodic check, and knows of the time that nobody was there for. */
export function startTicker(
  {
    clock,
    limits,
    leftAt,
    onError,
  }: {
    clock: Clock;
    limits: Pick<Limits, 'retryCheckSeconds'>;
    /** When the master before this one was there last; null: there was none. */
    leftAt: number | null;
    onError(error: unknown): void;
  },
  check: (time: CheckTime) => Promise<void>,
): { check(): Promise<void>; stop(): Promise<void> } {
  const now = () => clock.now();
  const deadlines = createDeadlineClock(now);
  if (leftAt !== null) deadlines.addAbsence(now() - leftAt);
  /** The latest time that was seen, by this run or the one before. */
  let latest = leftAt ?? 0;
  const isSetBack = () => (latest = Math.max(latest, now())) - now() > CLOCK_SET_BACK_MS;
  const run = () => check({ now, deadline: deadlines.now, isSetBack });
  const everyMs = limits.retryCheckSeconds * 1000;
  const absence = watchClockJumps(clock, everyMs);
  const stop = every(
    everyMs,
    () => {
      deadlines.addAbsence(absence.since());
      return run().finally(absence.ended);
    },
    onError,
  );
  return { check: run, stop };
}

/** Time limits are put off no longer than this, however long the master was away. */
const MAX_MS = 600_000;

/**
 * The time by which limits of waiting and running tasks are over. After the master was away (stopped, asleep, not running)
 * it is behind the clock by as much, for as long: nobody could take what waited, nor tell of what ran, so limits that
 * nobody kept are not held against the tasks.
 */
export interface DeadlineClock {
  addAbsence(awayMs: number): void;
  now(): number;
}

export function createDeadlineClock(now: () => number): DeadlineClock {
  let ms = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    addAbsence(awayMs) {
      if (awayMs <= 0) return;
      ms = awayMs + (now() < until ? ms : 0);
      until = now() + Math.min(ms, MAX_MS);
    },
    now: () => (now() < until ? now() - ms : now()),
  };
}
