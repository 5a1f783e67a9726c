import type { Schedule, ScheduleRun } from '../../contract/schedules.ts';
import type { Environment, Overlap, RunKind, RunOutcome } from '../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { parseJson, parseStored } from '../../lib/json.ts';
import type { Timing } from './times.ts';

/** What was asked for; kept as JSON. Times are Unix milliseconds. */
export interface Spec extends Omit<Timing, 'createdAt'> {
  /** JSON text of a list, so that numbers keep their digits; null: the expression says. */
  readonly inputs: string | null;
  readonly inputExpression: string | null;
  readonly overlap: Overlap;
  readonly catchUpSeconds: number;
  readonly jitterSeconds: number;
  readonly priority: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | null;
}

export interface ScheduleRow {
  id: string;
  workflow_id: string;
  environment: Environment;
  spec: string;
  paused: number;
  next_at: number | null;
  start_at: number | null;
  attempts: number;
  last_at: number | null;
  last_outcome: RunOutcome | null;
  waiting_at: number | null;
  created_at: number;
  updated_at: number;
  created_by: string;
}

export interface RunRow {
  due_at: number;
  kind: RunKind;
  at: number;
  job_id: string | null;
  outcome: RunOutcome;
  reason: string | null;
}

export interface BackfillRow {
  operation: string;
  schedule: string;
  next_at: number | null;
  to_at: number;
  per_minute: number;
}

export const specOf = (row: Pick<ScheduleRow, 'spec'>): Spec => parseStored(row.spec);
export const timingOf = (row: ScheduleRow, spec: Spec): Timing => ({ ...spec, createdAt: row.created_at });

export function scheduleView(row: ScheduleRow): Schedule {
  const spec = specOf(row);
  return {
    id: row.id,
    workflowId: row.workflow_id,
    environment: row.environment,
    cron: spec.cron,
    everySeconds: spec.everySeconds,
    at: isoOrNull(spec.at),
    timeZone: spec.timeZone,
    inputs: spec.inputs === null ? null : parseJson<unknown[]>(spec.inputs),
    inputExpression: spec.inputExpression,
    overlap: spec.overlap,
    catchUpSeconds: spec.catchUpSeconds,
    jitterSeconds: spec.jitterSeconds,
    startAt: isoOrNull(spec.startAt),
    endAt: isoOrNull(spec.endAt),
    paused: row.paused === 1,
    priority: spec.priority,
    labels: { ...spec.labels },
    description: spec.description,
    nextAt: isoOrNull(row.next_at),
    lastAt: isoOrNull(row.last_at),
    lastOutcome: row.last_outcome,
    waitingAt: isoOrNull(row.waiting_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    createdBy: row.created_by,
  };
}

export const runView = (row: RunRow): ScheduleRun => ({
  dueAt: iso(row.due_at),
  startedAt: row.outcome === 'STARTED' ? iso(row.at) : null,
  jobId: row.job_id,
  outcome: row.outcome,
  reason: row.reason,
  kind: row.kind,
});
