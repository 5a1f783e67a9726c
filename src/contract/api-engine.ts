import { Type, type Static } from 'typebox';
import { EnvironmentSchema, JobStatusSchema, TaskStateSchema } from './api.ts';
import { Count, Json, Nullable, oneOf, Time } from './shapes.ts';
import {
  CAUSE_KINDS,
  FAILURE_STATUSES,
  OPERATION_KINDS,
  OPERATION_STATUSES,
  TASK_STATES,
  type TaskState,
  WAIT_REASONS,
} from './vocabulary.ts';

/** The shapes of mending: why a task waits, bulk operations, failure groups, secrets. */

// Why is it not running? (GET /api/v1/tasks/{id}/why)

export const WhySchema = Type.Object({
  taskId: Type.String(),
  state: TaskStateSchema,
  reason: oneOf(WAIT_REASONS),
  /** One sentence for people, with the numbers in it. */
  message: Type.String(),
  /** Its place among the tasks that wait for a worker; null where it does not wait in the queue. */
  queue: Nullable(Type.Object({ position: Count, total: Count })),
  slots: Type.Object({ used: Count, total: Count, workers: Count, accepting: Count }),
  /** The handler that it needs, and the workers that have registered it. */
  handler: Nullable(Type.Object({ name: Type.String(), workers: Type.Array(Type.String()) })),
  /** The limit that holds it back. */
  limit: Nullable(
    Type.Object({ scope: oneOf(['forEach', 'workflow', 'key']), name: Type.String(), most: Count, used: Count }),
  ),
  /** The child job that it waits for. */
  childJobId: Nullable(Type.String()),
  retryAt: Nullable(Time),
  scheduleTimeoutAt: Nullable(Time),
  runTimeoutAt: Nullable(Time),
});
export type Why = Static<typeof WhySchema>;

/** What the tasks of a job came to at each node of its graph: enough to draw it, however many tasks there are. */
export const JobGraphSchema = Type.Object({
  replicas: Count,
  nodes: Type.Array(
    Type.Object({
      node: Type.String(),
      /** Tasks by state; items of a forEach each for themselves. */
      states: Type.Object(
        Object.fromEntries(TASK_STATES.map((state) => [state, Count])) as Record<TaskState, typeof Count>,
      ),
      /** Of the FAILED ones, those that wait for a retry. */
      retrying: Count,
      /** Replicas that went by another branch. */
      skipped: Count,
      /** Replicas that passed a node which made no task. */
      passed: Count,
      /** Replicas that have not come here (yet). */
      waiting: Count,
    }),
  ),
  taken: Type.Array(
    Type.String({ description: 'Edges that at least one replica took, as JSON texts of [from, to, port or null]' }),
  ),
});
export type JobGraph = Static<typeof JobGraphSchema>;

// Bulk operations (contract §5)

export const OperationKindSchema = oneOf(OPERATION_KINDS);
export const OperationStatusSchema = oneOf(OPERATION_STATUSES);
export const OperationSchema = Type.Object({
  operationId: Type.String(),
  kind: OperationKindSchema,
  status: OperationStatusSchema,
  total: Count,
  done: Count,
  failed: Count,
  createdAt: Time,
  finishedAt: Nullable(Time),
  createdBy: Type.String(),
  /** What was asked for: the filter as submitted, or null where ids were given. */
  filter: Nullable(Json),
  commit: Type.Optional(
    Nullable(
      Type.String({
        description: 'Of a rerun alone: the version as asked for, a hash or published; null: each job on its own',
      }),
    ),
  ),
});
export type Operation = Static<typeof OperationSchema>;

export const RerunVersionSchema = Type.Object({
  workflowId: Type.String(),
  environment: Nullable(EnvironmentSchema),
  commit: Type.String(),
  jobs: Count,
  same: Type.Integer({ minimum: 0, description: 'Of these, the jobs that ran on this commit before' }),
});
export type RerunVersion = Static<typeof RerunVersionSchema>;

/** Why a job is not eligible is a code: TERMINAL, NON_RETRYABLE, RETRIES_LEFT, NOTHING_FAILED, NOT_FOUND … */
export const BulkDryRunSchema = Type.Object({
  count: Count,
  eligible: Count,
  ineligible: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
  versions: Type.Optional(
    Type.Array(RerunVersionSchema, {
      description: 'Of a rerun alone: what the eligible jobs would run on, most jobs first, at most 20',
    }),
  ),
  unchecked: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Of a rerun alone: eligible jobs whose inputs were not checked against a changed input schema, for lack of time; that is done when their turn comes',
    }),
  ),
});
export type BulkDryRun = Static<typeof BulkDryRunSchema>;

export const OperationResultSchema = Type.Object({
  jobId: Type.String(),
  ok: Type.Boolean(),
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  newJobId: Type.Optional(Nullable(Type.String({ description: 'Of a rerun alone: the job that was begun' }))),
});
export type OperationResult = Static<typeof OperationResultSchema>;

// Failure groups

export const FailureStatusSchema = oneOf(FAILURE_STATUSES);
export const FailureCauseSchema = Type.Object({
  kind: oneOf(CAUSE_KINDS),
  /** The input's JSON path; null for the other kinds. */
  path: Nullable(Type.String()),
  value: Type.String(),
  /** Share of the group's failures, and of the successes of the same workflow and time, that have this value: 0 to 1. */
  failures: Type.Number(),
  successes: Type.Number(),
});
export type FailureCause = Static<typeof FailureCauseSchema>;

/** Failures that are alike: same workflow, node, code and message once numbers, ids and quoted texts are taken out. */
export const FailureGroupSchema = Type.Object({
  id: Type.String({ description: 'Fingerprint, 16 hex digits' }),
  status: FailureStatusSchema,
  workflowId: Type.String(),
  node: Type.String(),
  code: Type.String(),
  message: Type.String({ description: 'Normalised' }),
  sample: Type.String({ description: 'The newest message as it came' }),
  sameMessage: Type.Optional(Type.Boolean({ description: 'All of its failures had the message of sample' })),
  count: Count,
  firstSeenAt: Time,
  lastSeenAt: Time,
  lastJobId: Type.String(),
  lastTaskId: Type.String(),
  environments: Type.Array(Type.Object({ environment: Nullable(EnvironmentSchema), count: Count })),
  commits: Type.Array(Type.Object({ commit: Type.String(), count: Count, lastSeenAt: Time })),
  workers: Type.Array(Type.Object({ workerId: Type.String(), count: Count })),
  /** Who resolved or ignored it, and when; null while it is open. */
  decidedAt: Nullable(Time),
  decidedBy: Nullable(Type.String()),
  /** Set where it came back after it was resolved. */
  reopenedAt: Nullable(Time),
  haveSucceeded: Type.Optional(
    Type.Boolean({
      description:
        'In lists: each of its jobs has succeeded since, by its newest rerun where it was run again. Of more than 1,000 jobs that is not said',
    }),
  ),
});
export type FailureGroup = Static<typeof FailureGroupSchema>;

export const FailureDetailSchema = Type.Object({
  ...FailureGroupSchema.properties,
  causes: Type.Array(FailureCauseSchema),
  jobs: Type.Array(
    Type.Object({
      id: Type.String(),
      status: JobStatusSchema,
      createdAt: Time,
      message: Type.String(),
      lastRerun: Type.Optional(Nullable(Type.Object({ id: Type.String(), status: JobStatusSchema }))),
    }),
  ),
  /** What its jobs came to by now: each by its newest rerun where it was run again, and counted once. */
  standing: Type.Object({
    jobs: Type.Integer({
      minimum: 0,
      description: 'Looked at: the newest of the group, as many as the limit failureStanding',
    }),
    succeeded: Count,
    running: Count,
    failed: Count,
  }),
});
export type FailureDetail = Static<typeof FailureDetailSchema>;

/** What else failed like a task; no group where it did not fail, was killed, or is the first to fail so and waits for its retry. */
export const TaskFailureSchema = Type.Object({
  group: Nullable(FailureGroupSchema),
  otherJobs: Type.Integer({ minimum: 0, description: 'Jobs of the group besides that of the task' }),
});
export type TaskFailure = Static<typeof TaskFailureSchema>;

// Secrets: values are written, never read back.

export const SecretSchema = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  /** False: the master does not have the key that it was encrypted with, so tasks that need it fail. */
  readable: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
});
export type Secret = Static<typeof SecretSchema>;
