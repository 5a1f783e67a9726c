import type { JobFailure } from '../../../contract/jobs.ts';
import type { Environment, JobKind, JobStatus, TaskState } from '../../../contract/vocabulary.ts';
import type { JobFacts } from '../../machine/job.ts';
import type { TaskFacts } from '../../machine/task.ts';
import type { Value } from '../../store/port.ts';
import type { ForeachRecord } from '../foreach/records.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { ReplicaProgress } from './replica-progress.ts';

/** Where a JSON text is kept: in the row, in a payload of its own, or as the output of a task. All null: there is none. */
export interface TextRef {
  readonly text: string | null;
  readonly payload: number | null;
  readonly task: number | null;
}

export const NO_TEXT: TextRef = { text: null, payload: null, task: null };
export const outputOfTask = (taskSeq: number): TextRef => ({ text: null, payload: null, task: taskSeq });

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
  /** Its tasks while none of them nor the job is in the database, see `deferred-writes.ts`; null: it is there, or goes there with this turn. */
  unwritten: readonly TaskRecord[] | null;
  /** The jobs that it comes from; null: none. */
  readonly lineage: Lineage | null;
  /** Its foreach-outs that were looked at, by replica and node (`records.ts`). */
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
