import type { Environment, WorkerState } from '../../../contract/vocabulary.ts';
import type { LeasedNode } from '../../../contract/worker-protocol.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import type { Plan, PlanNode } from '../engine/plan.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';
import type { Linked, LinkedList } from '../../../lib/linked-list.ts';

/** One worker as the engine sees it. The workers room owns all but `load`, which counts the leases that it holds, and what follows it. */
export interface PoolWorker {
  readonly id: string;
  /** Tasks that it may hold at once. */
  readonly capacity: number;
  /** True where it is Operational or Maxed, not drained, and linked. */
  readonly accepting: boolean;
  readonly state: WorkerState;
  readonly drained: boolean;
  /** It is there, and what it holds was compared with what it should hold. */
  readonly admitted: boolean;
  /** When it joined last, in milliseconds. */
  readonly registeredAt: number;
  /** Names of the functions that it has registered. */
  readonly handlers: readonly string[];
  /** It runs nodes of type `handler` alone. */
  readonly handlersOnly: boolean;
  /** It takes leases of short tasks beyond its capacity. */
  readonly takesAhead: boolean;
  /** Those of the jobs that it may be given tasks of, by its token; null: it may be given all, and only then those of jobs without one. */
  readonly environments: ReadonlySet<Environment> | null;
  load: number;
  /** Of these, those that are not known to be short. */
  longLoad: number;
  /** Of those, tasks that compute: others that compute may wait for them. */
  longComputing: number;
}

/** `short`: may be leased ahead of free slots; `computing`: only computes, but is not known to be short. */
export type LeaseKind = 'short' | 'computing' | 'other';

/** What the engine asks of the workers. The workers room implements it; nothing here waits. */
export interface WorkerPool {
  workers(): Iterable<PoolWorker>;
  /** Known workers, also those that are away; undefined for one that was forgotten. */
  worker(workerId: string): PoolWorker | undefined;
  /** Sends one frame. `leases` are JSON texts; the nodes of a commit go before its first lease on that link. */
  lease(
    workerId: string,
    leases: readonly string[],
    commits: readonly { commit: string; nodes: readonly LeasedNode[] }[],
  ): void;
  kill(workerId: string, ids: readonly string[], reason: string): void;
  /** These reports came under an old lease. */
  lost(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** Asks it whether it still holds these. */
  verify(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** How a task ended that it held: `crashed` where the worker was at fault. */
  attemptEnded(workerId: string, crashed: boolean): void;
  /** Its load or capacity in use changed. */
  changed(workerId: string): void;
}

/** What the workers tell the engine. */
export interface WorkerPoolEvents {
  report(workerId: string, reports: readonly TaskReport[]): void;
  /** It has (re)joined and holds exactly these leases. It may be given tasks once this resolves. */
  joined(workerId: string, running: readonly { id: string; attempt: number }[]): Promise<void>;
  /** It was asked, and does not hold these. */
  gone(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** It is Down: what it held is lost. */
  down(workerId: string): void;
  /** Calls back once all that workers told so far is stored for good: only then may they forget it. Never, where that cannot be said. */
  settled(done: () => void): void;
  /** There may be room for queued tasks. */
  room(): void;
}

/** What a task asks of the worker that is to run it. */
export interface TaskNeeds {
  /** It has registered this function; null: the task asks for none. */
  readonly handler: string | null;
  /** Its token serves the environment of the job; null: the job has none. */
  readonly environment: Environment | null;
}

/** Who takes the next task with these needs, as one turn sees the workers. */
export interface Chooser {
  hasRoom(needs: TaskNeeds): boolean;
  /** Somebody has room for something. */
  hasAnyRoom(): boolean;
  /** Null: nobody has room. */
  assign(needs: TaskNeeds): PoolWorker | null;
}

/** By free slots. */
export interface Assigner extends Chooser {
  /** With what may be leased ahead as room: for short tasks alone. */
  readonly ahead: Chooser;
  /** The same for those that are very short. */
  readonly furtherAhead: Chooser;
}

/** How long tasks run, by node. */
export interface RunTimes {
  /** A task of this node took so long, milliseconds. */
  record(node: PlanNode, ms: number): void;
  /** Milliseconds that a lease of this node, with its chain, takes on average; infinite where that is not known yet. */
  expected(plan: Plan, node: PlanNode): number;
}

/** A limit on the tasks that run at once of one workflow or one API key. */
export interface ConcurrencyLimit {
  readonly scope: 'workflow' | 'key';
  /** The workflow's id, or the number of the key. */
  readonly id: string | number;
  /** For people. */
  name: string;
  most: number;
  /** Tasks of it that are with workers now. */
  used: number;
}

export type LimitedJob = Pick<JobRecord, 'plan' | 'keySeq'>;

/** The limits in force. Most masters have none, and then nothing is looked up. */
export interface ConcurrencyLimits {
  readonly any: boolean;
  /** Those that a job's tasks have to pass. */
  forJob(job: LimitedJob): readonly ConcurrencyLimit[];
  forIds(workflowId: string, keySeq: number | null): readonly ConcurrencyLimit[];
  find(scope: ConcurrencyLimit['scope'], id: string | number): ConcurrencyLimit | undefined;
  /** `most` null: no limit any more. `used`: what is with workers now. */
  set(scope: ConcurrencyLimit['scope'], id: string | number, name: string, most: number | null, used: number): void;
  acquire(job: LimitedJob): void;
  release(job: LimitedJob): void;
}

/** A limit on the tasks that run at once; `most` null: there is none any more. */
export interface LimitChange {
  readonly scope: ConcurrencyLimit['scope'];
  /** The workflow's id, or the number of the API key. */
  readonly id: string | number;
  readonly name: string;
  readonly most: number | null;
}

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
 * Tasks of one priority that ask for the same of a worker, and come under the same limits. All of them can go now, or
 * none can, so that what cannot go is never looked through for what can.
 */
export interface QueueLane extends TaskNeeds {
  readonly level: PriorityLevel;
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
  /** The lanes of tasks that ask for no handler and have no limits, by environment: the usual case. */
  readonly plain: Map<Environment | null, QueueLane>;
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

/**
 * The queue: priorities, in each lanes of tasks that ask for the same, in each lane jobs by turns, in each job the
 * replicas under way first. Here is its queuedJob; every task in it is in the database too, so it may be incomplete, but
 * never wrong. `load-queue-head.ts` reads the rest in. See docs/queue.md.
 */
export interface Queue {
  readonly size: number;
  /** Highest priority first. */
  readonly levels: readonly PriorityLevel[];
  readonly jobs: ReadonlyMap<number, QueuedJob>;
  /** Jobs that run low here and may have more in the database. */
  readonly runningLow: Set<QueuedJob>;
  /** Counts turns of the engine. */
  turn: number;
  level(priority: number): PriorityLevel;
  /** False where there is no place for it. `must`: it was here a moment ago. */
  add(task: TaskRecord, inputText: string | null, begun: boolean, must?: boolean): boolean;
  /** A READY task has no place here: it waits in the database alone. */
  leaveInDatabase(task: TaskRecord): void;
  /** What was taken out; null: it was not here. */
  remove(task: TaskRecord): QueuedTask | null;
  get(id: string): TaskRecord | undefined;
  /** Whose turn it is among the lanes that are open. */
  pickNext(isOpen: (lane: QueueLane) => boolean, now: number): QueueEntry | null;
  /** It is handed out: call before it is removed. */
  markDispatched(place: QueueEntry, now: number): void;
  /** All places, for who empties the queue; `forgetLanes` afterwards, so that everything is read anew. */
  entries(): QueueEntry[];
  forgetLanes(): void;
  /** After a roll-back: what is here stays, and all that was learned of what is not is learned anew. `priorities`: those of the jobs that were touched. */
  invalidate(priorities: Iterable<number>): void;
}
