import type { JobFailure } from '../../../contract/jobs.ts';
import type { Environment, JobKind, JobStatus, TaskState, TriggerKind } from '../../../contract/vocabulary.ts';
import type { TraceContext } from '../../../lib/trace-context.ts';
import type { JobFacts } from '../../state-machines/job.ts';
import type { TaskFacts } from '../../state-machines/task.ts';
import type { Value } from '../../store/port.ts';
import type { LeaseKind } from '../queue/port.ts';
import type { Plan, PlanNode, ForeachRule } from './plan.ts';
import type { NodeProgress } from '../../../contract/graph.ts';

/** Where a JSON text is kept: in the row, in a payload of its own, or as the output of a task. All null: there is none. */
export interface TextRef {
  readonly text: string | null;
  /** Checksum of the text in the row (`store/whole.ts`); null where there is none, or it was never made. */
  readonly sum: number | null;
  readonly payload: number | null;
  readonly task: number | null;
}

export const NO_TEXT: TextRef = { text: null, sum: null, payload: null, task: null };

/** What started a job where neither its kind nor its lineage tells. */
export interface StartedBy {
  readonly kind: Extract<TriggerKind, 'schedule' | 'backfill' | 'webhook'>;
  /** Of the schedule or the webhook. */
  readonly id: string;
  /** Milliseconds: the time that it was due; null where nothing was. */
  readonly dueAt: number | null;
}

/** Where a job comes from that was not sent in by a caller. */
export interface Lineage {
  readonly rerunOf: string | null;
  /** The node that the rerun begins with; null: at the beginning. */
  readonly rerunNode: string | null;
  readonly parentTaskId: string | null;
  readonly parentJobId: string | null;
  /** Jobs above it. */
  readonly depth: number;
}

/** A job while it is in memory: it has leases, or was touched in this turn. The database holds the same after each turn. */
export interface JobRecord {
  readonly seq: number;
  readonly id: string;
  readonly plan: Plan;
  readonly environment: Environment | null;
  readonly kind: JobKind;
  readonly externalId: string | null;
  /** JSON text of an object of texts. */
  readonly labels: string | null;
  /** The trace that it is part of. */
  readonly trace: TraceContext | null;
  /** Null: a call, a parent job or a rerun. */
  readonly startedBy: StartedBy | null;
  readonly inputCount: number;
  readonly createdAt: number;
  /** -100 to 100, higher first. */
  readonly priority: number;
  /** Number of the API key that it came under. */
  readonly keySeq: number | null;
  readonly replicaTimeoutSeconds: number | null;
  facts: JobFacts;
  replicaDeadline: number | null;
  killedAt: number | null;
  /** When a retry by hand last made it go on. */
  retriedAt: number | null;
  failure: JobFailure | null;
  failureAt: number | null;
  /** Output of a job of one replica; others have rows of their own. */
  output: TextRef;
  /** Its leased tasks and those in the queue in memory; it stays in memory while there are any. */
  held: number;
  /** Its tasks while none of them nor the job is in the database, see `deferWrites` in transaction.ts; null: it is there, or goes there with this turn. */
  unwritten: readonly TaskRecord[] | null;
  /** The jobs that it comes from; null: none. */
  readonly lineage: Lineage | null;
  /** Its forEach nodes that were looked at, by replica and node (`foreach/records.ts`). */
  foreachRecords: Map<string, ForeachRecord> | null;
  /** What its replicas have made, where that is kept (`replica-progress.ts`). */
  progress: Map<number, ReplicaProgress> | null;
  /** What the database says; null: it is not there yet. */
  stored: { readonly status: JobStatus; readonly finishedAt: number | null; readonly values: readonly Value[] } | null;
}

/** A task while it is in memory: it is leased, or was touched in this turn. */
export interface TaskRecord {
  readonly seq: number;
  readonly id: string;
  readonly job: JobRecord;
  readonly node: PlanNode;
  readonly replica: number;
  readonly item: number | null;
  facts: TaskFacts;
  /** READY, but not to be handed out yet: it waits for a place in its forEach, or for its turn to start a child job. */
  withheld: boolean;
  input: TextRef;
  output: TextRef;
  port: string | null;
  /** What its lease was counted as at its worker. */
  leasedAs: LeaseKind;
  /** Ids under which the rest of the chain was leased with it. */
  chain: readonly { readonly id: string; readonly node: string }[];
  /** Measured for metrics; bytes of UTF-16 units, good enough for a rate. */
  inputBytes: number;
  inputEvents: number;
  /** History and retry entries of this turn, not written yet. */
  historyLines: string;
  retryEntries: string;
  /** What the database says; null: it is not there yet. */
  stored: { readonly state: TaskState; readonly attempt: number; readonly values: readonly Value[] } | null;
}

/**
 * `list`: its list comes in. `expand`: its tasks are being made. `run`: they run. `stop`: those that are open are being
 * stopped, because one failed. `stopped`: they are. `revive`: those that were stopped are being made READY again. `done`:
 * the outputs are joined and handed on.
 */
export type ForeachPhase = 'list' | 'expand' | 'run' | 'stop' | 'stopped' | 'revive' | 'done';

/**
 * One forEach of one replica, once its list came in: counts of its items, so that the end of an item costs no look at
 * the others. In memory while its job is; the row says the same after each turn.
 */
export interface ForeachRecord {
  readonly job: JobRecord;
  readonly replica: number;
  readonly node: string;
  readonly rule: ForeachRule;
  /** What the node was given. */
  readonly input: TextRef;
  phase: ForeachPhase;
  /** The attempt of the task that evaluates the list, how many items of it came, and their characters. */
  attempt: number;
  received: number;
  listCharacters: number;
  /** Null until the whole list is there. */
  total: number | null;
  created: number;
  /** Items queued or with workers: at most the rule's concurrency. */
  active: number;
  withheld: number;
  completed: number;
  /** Finally failed, for whatever reason. */
  failed: number;
  /** Of the joined outputs. */
  outputCharacters: number;
  output: TextRef;
  stored: boolean;
  /** Items that ended (or, negative, were opened again) in this turn, by part. */
  ended: Map<number, number>;
  /** A withheld item changed in this turn, so that rows must be written before they are read. */
  hasUnwrittenItems: boolean;
}

/** A forEach with more to do than one turn takes. */
export interface ForeachWork {
  readonly job: number;
  readonly replica: number;
  readonly node: string;
  /** What it is at, and the items before `cursor` have been looked at for that. */
  readonly phase: ForeachPhase | null;
  cursor: number;
}

/**
 * What a replica of a large graph has made so far, kept in memory while its job is, so that the end of a task does not
 * read all the others again. Rows hold the same: what is not kept is read.
 */
export interface ReplicaProgress {
  readonly job: JobRecord;
  readonly replica: number;
  readonly made: Map<string, NodeTask>;
}

/** The task of a node, other than those of a list. */
export interface NodeTask extends NodeProgress {
  readonly seq: number;
}

/**
 * Looks for what still fails a job of which something was retried. It may stand behind hundreds of thousands of tasks that
 * do not count (collected items, items that were stopped with their list), so one turn looks at some of them, and another
 * goes on. A task that fails meanwhile takes the search back to it.
 */
export interface FailureSearch {
  readonly job: number;
  /** That of the retry of the whole job. */
  readonly ofWholeJob: boolean;
  /** Index of the state that is looked through, and the last task of it that was looked at. */
  state: number;
  cursor: number;
}
