import { createLinkedList, type Linked, type LinkedList } from '../../../lib/linked-list.ts';
import type { ConcurrencyLimit, ConcurrencyLimits } from './concurrency-limits.ts';
import type { Plan } from '../engine/plan.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';

/** A READY task in memory. `inputText` null: it is read when the task is handed out. */
export interface QueuedTask {
  readonly task: TaskRecord;
  readonly inputText: string | null;
  /** Its replica is under way: what was begun is finished first. */
  readonly begun: boolean;
}

export interface QueueEntry extends QueuedTask, Linked<QueueEntry> {
  readonly jobInLane: JobInLane;
}

/** The tasks of one job in one lane. */
export interface JobInLane extends Linked<JobInLane> {
  readonly queuedJob: QueuedJob;
  readonly lane: QueueLane;
  readonly begun: LinkedList<QueueEntry>;
  readonly fresh: LinkedList<QueueEntry>;
  size: number;
  /** The lower, the longer ago that its turn ended. */
  lastTurn: number;
  /** Tasks handed out in its present turn, and when that began. */
  served: number;
  since: number;
}

/** A pass over the READY tasks of a job by their numbers: what was begun, then (from 0) what was made with the job. */
export interface ReadCursor {
  /** The last that was looked at, and the last of this part. */
  readonly from: number;
  readonly to: number;
  /** The last of the second part; 0: this is it. */
  readonly rest: number;
}

/** A job of which tasks are in memory. */
export interface QueuedJob {
  readonly job: JobRecord;
  readonly lanes: Map<QueueLane, JobInLane>;
  size: number;
  /** Where the pass over its tasks in the database stands; null: it begins anew. */
  cursor: ReadCursor | null;
  /** Lines of which it may have tasks in the database alone; null: any. */
  lanesInDatabase: Set<QueueLane> | null;
  /** Those found in the pass over its tasks that is under way. */
  rejected: Set<QueueLane>;
}

/**
 * Tasks of one priority that ask for the same: the handler, and the limits that they come under. All of them can go
 * now, or none can, so that what cannot go is never looked through for what can.
 */
export interface QueueLane {
  readonly level: PriorityLevel;
  readonly handler: string | null;
  readonly limits: readonly ConcurrencyLimit[];
  /** Jobs by turns: the first has waited longest. */
  readonly jobs: LinkedList<JobInLane>;
  size: number;
  /** There may be tasks for it of jobs of which none is in memory. */
  inDatabase: boolean;
  /** One was found in the round over the jobs that is under way. */
  rejected: boolean;
}

export interface PriorityLevel {
  readonly priority: number;
  readonly lanes: QueueLane[];
  /** The lane of tasks that ask for nothing, if there is one: the usual case. */
  plain: QueueLane | null;
  readonly byName: Map<string, QueueLane>;
  size: number;
  /** When it was served last; the lower, the longer ago. */
  served: number;
  /** The last job that was looked at in the database, and whether some never were. */
  cursor: number;
  hasUnread: boolean;
  /** The turn in which a task came that had no place in memory: the database does not show it before the next. */
  leftInDatabaseAt: number;
}

export const createPriorityLevel = (priority: number): PriorityLevel => ({
  priority,
  lanes: [],
  plain: null,
  byName: new Map(),
  size: 0,
  served: 0,
  cursor: 0,
  hasUnread: false,
  leftInDatabaseAt: -1,
});

export function findLane(
  level: PriorityLevel,
  handler: string | null,
  concurrencyLimits: readonly ConcurrencyLimit[],
): QueueLane {
  const isPlain = handler === null && concurrencyLimits.length === 0;
  if (isPlain && level.plain) return level.plain;
  const name = `${handler ?? ''}\n${concurrencyLimits.map(({ scope, id }) => `${scope} ${id}`).join('\n')}`;
  let lane = level.byName.get(name);
  if (!lane) {
    lane = {
      level,
      handler,
      limits: concurrencyLimits,
      jobs: createLinkedList(),
      size: 0,
      inDatabase: false,
      rejected: false,
    };
    level.lanes.push(lane);
    level.byName.set(name, lane);
    if (isPlain) level.plain = lane;
  }
  return lane;
}

const handlers = new WeakMap<Plan, readonly (string | null)[]>();

/** The lanes in which a job's tasks can come to stand. */
export function lanesForJob(
  level: PriorityLevel,
  job: JobRecord,
  concurrencyLimits: ConcurrencyLimits,
): readonly QueueLane[] {
  let asked = handlers.get(job.plan);
  if (!asked) {
    const nodes = [...job.plan.nodes.values()];
    const known = new Set(
      nodes.flatMap(({ handler, foreach }) => (foreach ? [handler, foreach.item.handler] : [handler])),
    );
    handlers.set(job.plan, (asked = known.size === 0 ? [null] : [...known]));
  }
  return asked.map((handler) => findLane(level, handler, concurrencyLimits.forJob(job)));
}

export const mayHoldMore = (queuedJob: QueuedJob, lane: QueueLane): boolean =>
  queuedJob.lanesInDatabase === null || queuedJob.lanesInDatabase.has(lane);
