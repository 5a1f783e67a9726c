import type { Limits } from '../../contract/limits.ts';
import type { RunKind, RunOutcome } from '../../contract/vocabulary.ts';
import type { WriteHandle } from '../store/port.ts';
import * as sql from './sql.ts';

export interface NewRun {
  readonly schedule: string;
  readonly due: number;
  readonly kind: RunKind;
  /** When it was decided: that of the start, where there was one. */
  readonly at: number;
  readonly jobId: string | null;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  /** What alerts count. */
  readonly trouble: 'missed' | 'late' | null;
}

/** One in so many rows looks for those that are too old. */
const TRIM_EVERY = 16;

/** Notes what became of a due time, in the transaction that decides it. */
export function putRun(db: WriteHandle, { scheduleRunsKept }: Pick<Limits, 'scheduleRunsKept'>, run: NewRun): void {
  const { schedule, due, kind, at, jobId, outcome, reason, trouble } = run;
  db.statement(sql.PUT_RUN).run(schedule, due, kind, at, jobId, outcome, reason, trouble);
  if (Math.floor(due / 1000) % TRIM_EVERY === 0) db.statement(sql.TRIM_RUNS).run(schedule, schedule, scheduleRunsKept);
}
