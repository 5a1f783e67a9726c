import { iso } from '../../lib/clock.ts';
import type { Operations } from '../jobs/port.ts';
import type { WriteHandle } from '../store/port.ts';
import { putRun } from './put-run.ts';
import { specOf, timingOf, type BackfillRow, type RunRow, type ScheduleRow } from './rows.ts';
import * as sql from './sql.ts';
import { isPassing, reasonOf, startJob, type StartDeps } from './start.ts';
import { dueAfter } from './times.ts';

export interface BackfillDeps extends StartDeps {
  readonly operations: Pick<Operations, 'noteBackfill' | 'endBackfill'>;
  /** Something of an operation changed. */
  progressed(operationId: string): void;
}

export interface Backfills {
  /** Starts as many jobs of each backfill as its rate allows by now. */
  step(): Promise<void>;
  /** Ends those of a schedule that is deleted in the same transaction; returns their operations. */
  abandon(db: WriteHandle, schedule: string): string[];
}

/** Jobs that one look starts of a backfill, at most. */
const AT_ONCE = 100;

const SCHEDULE_GONE = 'the schedule was deleted';

/** Works off backfills at their rates. Where each is stands in its row, which moves on in the transaction that makes the job. */
export function createBackfills(deps: BackfillDeps): Backfills {
  const { store, now } = deps;
  const { read } = store;
  /** When each last started a job, and the share of one that it may start since. */
  const credit = new Map<string, { at: number; jobs: number }>();

  async function step(): Promise<void> {
    for (const row of read.query<BackfillRow>(sql.BACKFILLS).all()) await advance(row);
  }

  async function advance(backfill: BackfillRow): Promise<void> {
    const { operation, per_minute: perMinute } = backfill;
    const at = performance.now();
    const known = credit.get(operation) ?? { at, jobs: 1 };
    known.jobs = Math.min(Math.max(1, perMinute / 60), known.jobs + ((at - known.at) / 60_000) * perMinute);
    known.at = at;
    credit.set(operation, known);
    const schedule = read.query<ScheduleRow>(sql.BY_ID).get(backfill.schedule);
    if (!schedule) return end(operation, SCHEDULE_GONE);
    if (deps.workflows.endpoint(schedule.workflow_id, schedule.environment).found === 'workflow-unknown')
      return end(operation, `workflow ${schedule.workflow_id} was archived or deleted`);
    let due = backfill.next_at;
    for (let started = 0; known.jobs >= 1 && started < AT_ONCE && due !== null; started++) {
      const { goesOn, next, isStarted } = await startOne(backfill, schedule, due);
      if (!goesOn) break;
      if (isStarted) known.jobs--;
      due = next;
    }
    deps.progressed(operation);
    if (due === null) await end(operation, null);
  }

  /** `reason` null: all of it is done. */
  function finish(db: WriteHandle, operation: string, reason: string | null): void {
    db.statement(sql.DELETE_BACKFILL).run(operation);
    deps.operations.endBackfill(db, operation, reason);
  }

  async function end(operation: string, reason: string | null): Promise<void> {
    await store.write((db) => finish(db, operation, reason));
    credit.delete(operation);
    deps.progressed(operation);
  }

  async function startOne(
    { operation, to_at: to }: BackfillRow,
    schedule: ScheduleRow,
    due: number,
  ): Promise<{ goesOn: boolean; next: number | null; isStarted: boolean }> {
    const after = dueAfter(timingOf(schedule, specOf(schedule)), due);
    const next = after === null || after >= to ? null : after;
    let aborted = false;
    const move = (db: WriteHandle) => db.statement(sql.ADVANCE_BACKFILL).run(next, operation, due) === 1;
    const note = (db: WriteHandle, jobId: string | null, code: string | null, message: string | null) => {
      aborted = !deps.operations.noteBackfill(db, operation, { jobId, code, message });
      if (aborted) db.statement(sql.DELETE_BACKFILL).run(operation);
    };
    try {
      const made = await startJob(deps, schedule, due, 'backfill', {
        claim(db) {
          aborted = false;
          const run = db.query<RunRow>(sql.RUN_AT).get(schedule.id, due);
          if (!move(db)) return false;
          if (!isRunning(db, operation)) {
            db.statement(sql.DELETE_BACKFILL).run(operation);
            aborted = true;
            return false;
          }
          return run?.outcome !== 'STARTED';
        },
        made(db, jobId) {
          note(db, jobId, null, iso(due));
          putRun(db, deps.limits, {
            ...{ schedule: schedule.id, due, kind: 'backfill', at: now(), jobId, outcome: 'STARTED' },
            ...{ reason: null, trouble: null },
          });
        },
      });
      return { goesOn: !aborted, next, isStarted: made !== null };
    } catch (error) {
      if (isPassing(error)) return { goesOn: false, next, isStarted: false };
      await store.write((db) => {
        if (move(db)) note(db, null, 'NOT_STARTED', `${iso(due)}: ${reasonOf(error)}`);
      });
      return { goesOn: !aborted, next, isStarted: true };
    }
  }

  return {
    step,
    abandon(db, schedule) {
      const operations = db
        .query<BackfillRow>(sql.BACKFILLS_OF)
        .all(schedule)
        .map(({ operation }) => operation);
      for (const operation of operations) finish(db, operation, SCHEDULE_GONE);
      return operations;
    },
  };
}

const isRunning = (db: WriteHandle, operation: string): boolean =>
  db.query(`SELECT 1 FROM operation WHERE id = ? AND status = 'RUNNING'`).get(operation) !== undefined;
