import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { backoffMs } from '../../lib/backoff.ts';
import { iso } from '../../lib/clock.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Backfills } from './backfills.ts';
import { putRun } from './put-run.ts';
import { specOf, timingOf, type RunRow, type ScheduleRow, type Spec } from './rows.ts';
import * as sql from './sql.ts';
import { isPassing, openJobs, reasonOf, startJob, type StartDeps } from './start.ts';
import { jitterMs, nextDue } from './times.ts';

/** A set clock, a due time that was written meanwhile and a job that ended are seen within this. */
const LOOK_MS = 1000;
/** Due times that are decided at the same time. */
const AT_ONCE = 200;
/** What the event loop may be held for; each of so many makes a job in the turn that follows. */
const SLICE_MS = 4;
const SLICE_ROWS = 20;
/** A start is not held for missed before this, whatever the catch-up window: it is no absence. */
const GRACE_MS = 10_000;
/** Due times that are missed one by one in the history; the others after them together. */
const MISSED_ROWS = 100;
const SET_BACK_MS = 60_000;
const REFUSED_MS = 1000;
const START_BACKOFF = { firstMs: 1000, mostMs: 60_000 };
/** Running jobs that one due time cancels. */
const MOST_CANCELLED = 100;

export interface SchedulerDeps extends StartDeps {
  readonly backfills: Pick<Backfills, 'step'>;
  onError(error: unknown): void;
}

/** When the next due time is to be started. */
export const startOf = (id: string, due: number | null, spec: Spec): number | null =>
  due === null ? null : due + jitterMs(id, due, spec.jitterSeconds);

/**
 * Decides each due time once: the row of the schedule moves on to the next one in the transaction that makes the job or
 * notes why there is none, and only where it still stands at this one. So whatever ends this master in between, and whoever
 * goes on, a due time has one job at most, and is never forgotten.
 */
export function createScheduler(deps: SchedulerDeps) {
  const { store, now } = deps;
  const { read } = store;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let closed = false;
  let again = false;
  let earliest: number | null = null;
  let latest = store.leftAt ?? 0;

  async function pass(): Promise<number> {
    const at = now();
    if (latest - at > SET_BACK_MS) await moveBack(at);
    latest = at;
    await startWaiting();
    await deps.backfills.step();
    while (!closed) {
      const due = read.query<ScheduleRow>(sql.DUE).all(now(), AT_ONCE);
      if (due.length === 0) break;
      await inSlices(due, decide);
    }
    earliest = read.query<{ at: number | null }>(sql.EARLIEST).get()?.at ?? null;
    return earliest === null ? LOOK_MS : Math.max(0, Math.min(LOOK_MS, earliest - now()));
  }

  /** All at the same time, so that they share transactions. Throws what the first of them throws, once all have ended. */
  async function inSlices(rows: readonly ScheduleRow[], each: (row: ScheduleRow) => Promise<void>): Promise<void> {
    const going: Promise<void>[] = [];
    let began = performance.now();
    for (const [i, row] of rows.entries()) {
      const one = each(row);
      // It is looked at below; until then it is nobody's fault that is not handled.
      one.catch(() => {});
      going.push(one);
      if ((i + 1) % SLICE_ROWS > 0 && performance.now() - began < SLICE_MS) continue;
      await turnOfTheLoop();
      began = performance.now();
    }
    for (const { status, ...one } of await Promise.allSettled(going))
      if (status === 'rejected' && 'reason' in one) throw one.reason;
  }

  async function decide(row: ScheduleRow): Promise<void> {
    const { id, next_at: due, start_at: startAt } = row;
    if (due === null || startAt === null) return;
    const spec = specOf(row);
    const timing = timingOf(row, spec);
    const planned = startOf(id, due, spec) ?? due;
    const at = now();
    const windowMs = Math.max(GRACE_MS, spec.catchUpSeconds * 1000);
    if (row.attempts === 0 && at - planned > windowMs) return missAll(row, due, at - windowMs);
    const next = nextDue(timing, due);
    const advance = (db: WriteHandle, outcome: RunRow['outcome']) =>
      db.statement(sql.ADVANCE).run(next, startOf(id, next, spec), due, outcome, id, due) === 1;
    const isDecided = (db: WriteHandle) => {
      const known = db.query<RunRow>(sql.RUN_AT).get(id, due);
      return known !== undefined && known.outcome !== 'MISSED';
    };
    /** Notes that there is no job, and why. */
    const without = (outcome: 'SKIPPED' | 'FAILED', reason: string) =>
      store.write((db) => {
        if (!advance(db, outcome) || isDecided(db)) return;
        putRun(db, deps.limits, {
          ...{ schedule: id, due, kind: 'schedule', at: now(), jobId: null, outcome, reason },
          trouble: outcome === 'FAILED' ? 'missed' : null,
        });
      });
    try {
      if (spec.overlap !== 'allow') {
        const open = openJobs(deps, id, MOST_CANCELLED);
        if (open.length > 0 && spec.overlap === 'skip')
          return await without('SKIPPED', `job ${open[0] ?? ''} still runs`);
        if (spec.overlap === 'queue' && (open.length > 0 || row.waiting_at !== null)) {
          if (row.waiting_at === null)
            await store.write((db) => db.statement(sql.HOLD).run(next, startOf(id, next, spec), due, id, due));
          else {
            const waits = open[0] === undefined ? 'is about to start' : `already waits for job ${open[0]}`;
            await without('SKIPPED', `the due time ${iso(row.waiting_at)} ${waits}`);
          }
          return;
        }
      }
      await startJob(deps, row, due, 'schedule', {
        // Where no job can take its place, the one that runs goes on.
        async ready() {
          if (spec.overlap !== 'cancel') return;
          for (const job of openJobs(deps, id, MOST_CANCELLED)) await deps.jobs.kill(job, `schedule:${id}`);
        },
        claim: (db) => advance(db, 'STARTED') && !isDecided(db),
        made: (db, jobId) => {
          const started = now();
          const isLate = started - planned > deps.limits.scheduleLateSeconds * 1000;
          putRun(db, deps.limits, {
            ...{ schedule: id, due, kind: 'schedule', at: started, jobId, outcome: 'STARTED' },
            ...{ reason: null, trouble: isLate ? 'late' : null },
          });
        },
      });
    } catch (error) {
      if (!isPassing(error) || row.attempts >= deps.limits.scheduleStartRetries)
        return await without('FAILED', reasonOf(error));
      const attempts = row.attempts + 1;
      const later = now() + backoffMs(START_BACKOFF, attempts);
      await store.write((db) => db.statement(sql.POSTPONE).run(later, attempts, id, due));
    }
  }

  /** After an absence: what was to be started before `from` is missed. */
  async function missAll(row: ScheduleRow, first: number, from: number): Promise<void> {
    const { id } = row;
    const spec = specOf(row);
    const timing = timingOf(row, spec);
    const missed: number[] = [];
    let due: number | null = first;
    const isMissed = (one: number) => (startOf(id, one, spec) ?? one) < from;
    while (due !== null && isMissed(due) && missed.length < MISSED_ROWS) {
      missed.push(due);
      due = nextDue(timing, due);
    }
    const left = due !== null && isMissed(due);
    // Of those that a delay may have put behind it, each is looked at.
    const until = Math.max(missed.at(-1) ?? first, from - 1 - spec.jitterSeconds * 1000);
    const next = left ? nextDue(timing, until) : due;
    await store.write((db) => {
      const last = missed.at(-1) ?? first;
      if (db.statement(sql.ADVANCE).run(next, startOf(id, next, spec), last, 'MISSED', id, first) !== 1) return;
      for (const one of missed) {
        if (db.query(sql.RUN_AT).get(id, one)) continue;
        const rest = left && one === last ? `, and so were all until ${iso(until + 1)}` : '';
        putRun(db, deps.limits, {
          ...{ schedule: id, due: one, kind: 'schedule', at: now(), jobId: null, outcome: 'MISSED', trouble: 'missed' },
          reason: `no master ran, and it is older than the catch-up window of ${spec.catchUpSeconds} s${rest}`,
        });
      }
    });
  }

  /** Due times that were held back, once no job of their schedule runs. */
  async function startWaiting(): Promise<void> {
    for (let after = ''; !closed;) {
      const rows: ScheduleRow[] = read.query<ScheduleRow>(sql.WAITING).all(after, AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      await inSlices(
        rows.filter(({ id }) => openJobs(deps, id, 1).length === 0),
        release,
      );
    }
  }

  async function release(row: ScheduleRow): Promise<void> {
    const { id, waiting_at: due } = row;
    if (due === null) return;
    const run = { schedule: id, due, kind: 'schedule' } as const;
    const free = (db: WriteHandle, outcome: RunRow['outcome']) =>
      db.statement(sql.RELEASE).run(due, outcome, id, due) === 1;
    try {
      await startJob(deps, row, due, 'schedule', {
        claim: (db) => free(db, 'STARTED') && db.query(sql.RUN_AT).get(id, due) === undefined,
        made: (db, jobId) =>
          putRun(db, deps.limits, {
            ...{ ...run, at: now(), jobId, outcome: 'STARTED', reason: 'waited for the job before it', trouble: null },
          }),
      });
    } catch (error) {
      // It waits on, and is tried with the next look.
      if (isPassing(error)) return;
      await store.write((db) => {
        if (free(db, 'FAILED'))
          putRun(db, deps.limits, {
            ...{ ...run, at: now(), jobId: null, outcome: 'FAILED', reason: reasonOf(error), trouble: 'missed' },
          });
      });
    }
  }

  /** The clock was set back: what lies further ahead than the next due time was decided by a wrong clock. */
  async function moveBack(at: number): Promise<void> {
    for (let after = ''; !closed;) {
      const rows: ScheduleRow[] = read.query<ScheduleRow>(sql.AFTER_ID).all(after, AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      await inSlices(rows, async (row) => {
        const spec = specOf(row);
        const next = nextDue(timingOf(row, spec), at);
        if (row.paused === 1 || next === null || (row.next_at !== null && row.next_at <= next)) return;
        // One that was decided stays so: its row of the history says it.
        await store.write((db) =>
          row.next_at === null
            ? 0
            : db.statement(sql.MOVE_NEXT).run(next, startOf(row.id, next, spec), row.id, row.next_at),
        );
      });
    }
  }

  function look(ms: number): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      running = pass()
        .catch((error: unknown) => {
          if (!isPassing(error)) deps.onError(error);
          return REFUSED_MS;
        })
        .then((wait) => {
          running = null;
          const soon = again;
          again = false;
          look(soon ? 0 : wait);
        });
    }, ms);
  }

  return {
    /** Something was written that may be due sooner. */
    wake(): void {
      if (running) again = true;
      else look(0);
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
