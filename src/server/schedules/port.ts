import type { Page } from '../../contract/shapes.ts';
import type { Schedule, ScheduleBody, SchedulePatch, ScheduleRun } from '../../contract/schedules.ts';
import type { Environment, JobStatus } from '../../contract/vocabulary.ts';
import type { Actor } from '../workflows/port.ts';

/** Where a schedule starts jobs. */
export interface ScheduleRef {
  readonly id: string;
  readonly workflowId: string;
  readonly environment: Environment;
}

export interface ScheduleQuery {
  readonly page: number;
  readonly size: number;
  readonly workflowId?: string;
  readonly environment?: Environment;
  readonly paused?: boolean;
  /** Only of these workflows; null or left out: of all. */
  readonly within?: readonly string[] | null;
}

export interface PreviewQuery {
  readonly cron?: string;
  readonly everySeconds?: number;
  readonly at?: string;
  readonly timeZone?: string;
  readonly startAt?: string;
  readonly endAt?: string;
  readonly from?: string;
  readonly to?: string;
  readonly count?: number;
}

export interface BackfillRange {
  readonly from: string;
  readonly to: string;
  readonly perMinute?: number;
}

/** Due times that had no job in time, by schedule. */
export interface ScheduleTrouble {
  readonly scheduleId: string;
  readonly workflowId: string;
  readonly environment: string;
  readonly missed: number;
  readonly late: number;
}

/** What starts jobs at their due times. All throw SCHEDULE_NOT_FOUND for an id that is none. */
export interface Schedules {
  list(query: ScheduleQuery): Promise<Page<Schedule>>;
  get(id: string): Promise<Schedule>;
  /** Throws VALIDATION_FAILED, WORKFLOW_NOT_FOUND. `lossless`: the inputs with their numbers as they came. */
  create(body: ScheduleBody, lossless: readonly unknown[] | null, actor: Actor): Promise<Schedule>;
  update(
    id: string,
    patch: SchedulePatch,
    lossless: readonly unknown[] | null | undefined,
    actor: Actor,
  ): Promise<Schedule>;
  remove(id: string, actor: Actor): Promise<void>;
  setPaused(id: string, paused: boolean, actor: Actor): Promise<Schedule>;
  /** Throws what keeps the job from starting. */
  run(id: string, actor: Actor): Promise<{ jobId: string; status: JobStatus }>;
  runs(id: string, query: { page: number; size: number; from?: string; to?: string }): Promise<Page<ScheduleRun>>;
  /** Due times in a range (to exclusive) of the past that have no job. */
  backfillCount(id: string, range: BackfillRange): Promise<number>;
  backfill(id: string, range: BackfillRange, actor: Actor): Promise<{ operationId: string; count: number }>;
  preview(query: PreviewQuery): Promise<string[]>;
  /** Since a time, Unix milliseconds. */
  trouble(from: number): readonly ScheduleTrouble[];
  close(): Promise<void>;
}
