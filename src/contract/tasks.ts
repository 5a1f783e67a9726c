import { type Static, Type } from 'typebox';
import { warnings } from './data-health.ts';
import { FailureGroupSchema } from './failures.ts';
import {
  Count,
  Json,
  many,
  Nullable,
  enumOf,
  PageOf,
  paging,
  get,
  post,
  tagged,
  sort,
  TaskStateSchema,
  Time,
  Closed,
} from './shapes.ts';
import { WAIT_KINDS, WAIT_REASONS } from './vocabulary.ts';

/** Tasks. */

/** A place in the source of a code node; both counted from 1, in UTF-16 units. */
export const StackFrameSchema = Type.Object({
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  function: Nullable(Type.String()),
});
export type StackFrame = Static<typeof StackFrameSchema>;
const Stack = Type.Optional(
  Type.Array(StackFrameSchema, { description: 'Of code: where it was thrown, then who called it' }),
);

export const TaskErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  retryable: Type.Boolean(),
  stack: Stack,
});
export type TaskError = Static<typeof TaskErrorSchema>;

export const RetryEntrySchema = Type.Object({
  attempt: Type.Integer(),
  workerId: Nullable(Type.String()),
  startedAt: Nullable(Time),
  failedAt: Time,
  code: Type.String(),
  message: Type.String(),
  retryable: Type.Boolean(),
  stack: Stack,
});
export type RetryEntry = Static<typeof RetryEntrySchema>;

export const TransitionSchema = Type.Object({
  from: Nullable(TaskStateSchema),
  to: TaskStateSchema,
  at: Time,
  attempt: Type.Integer(),
  workerId: Nullable(Type.String()),
  reason: Nullable(Type.String()),
});
export type Transition = Static<typeof TransitionSchema>;

/** What a handler told of a running task; null where it told nothing. */
export const TaskProgressSchema = Type.Object({
  fraction: Type.Number({ description: '0 to 1' }),
  message: Nullable(Type.String()),
  at: Time,
});
export type TaskProgress = Static<typeof TaskProgressSchema>;

/** What stands in the place of a payload for people without the action `payload.read`. */
export const HIDDEN_PAYLOAD = { hidden: true } as const;
/** What stands in the place of a field that its project masks. */
export const MASKED_VALUE = '[masked]';

export const TaskSchema = Type.Object({
  id: Type.String(),
  jobId: Type.String(),
  node: Type.String(),
  nodeType: Type.String(),
  replica: Count,
  item: Nullable(Type.Integer()),
  port: Nullable(Type.String({ description: 'The port taken by a completed condition' })),
  state: TaskStateSchema,
  attempt: Type.Integer({ minimum: 1 }),
  retryCount: Type.Integer({ minimum: 0, description: 'Max. retries' }),
  retryEntries: Type.Array(RetryEntrySchema),
  workerId: Nullable(Type.String()),
  childJobId: Nullable(Type.String({ description: 'The latest child job of a workflow node' })),
  readyAt: Time,
  scheduledAt: Nullable(Time),
  startedAt: Nullable(Time),
  finishedAt: Nullable(Time),
  retryAt: Nullable(Time),
  input: Type.Unknown({ description: '`{"hidden": true}` for people who may not read payloads' }),
  output: Type.Unknown({ description: '`{"hidden": true}` for people who may not read payloads' }),
  error: Nullable(TaskErrorSchema),
  history: Type.Array(TransitionSchema),
  progress: Type.Optional(Nullable(TaskProgressSchema)),
});
export type Task = Static<typeof TaskSchema>;

export const WhySchema = Type.Object({
  taskId: Type.String(),
  state: TaskStateSchema,
  reason: enumOf(WAIT_REASONS),
  /** One sentence for people, with the numbers in it. */
  message: Type.String(),
  /** Its place among the tasks that wait for a worker; null where it does not wait in the queue. */
  queue: Nullable(Type.Object({ position: Count, total: Count })),
  slots: Type.Object({ used: Count, total: Count, workers: Count, accepting: Count }),
  /** The handler that it needs, and the workers that have registered it. */
  handler: Nullable(Type.Object({ name: Type.String(), workers: Type.Array(Type.String()) })),
  /** The limit that holds it back. */
  limit: Nullable(
    Type.Object({ scope: enumOf(['forEach', 'workflow', 'key']), name: Type.String(), most: Count, used: Count }),
  ),
  /** What a wait node waits for. */
  wait: Nullable(
    Type.Object({
      for: enumOf(WAIT_KINDS),
      name: Nullable(Type.String({ description: 'Of the signal' })),
      dueAt: Nullable(Time),
      approvalId: Nullable(Type.String()),
    }),
  ),
  /** The child job that it waits for. */
  childJobId: Nullable(Type.String()),
  retryAt: Nullable(Time),
  scheduleTimeoutAt: Nullable(Time),
  runTimeoutAt: Nullable(Time),
});
export type Why = Static<typeof WhySchema>;

/** What else failed like a task; no group where it did not fail, was killed, or is the first to fail so and waits for its retry. */
export const TaskFailureGroupSchema = Type.Object({
  group: Nullable(FailureGroupSchema),
  otherJobs: Type.Integer({ minimum: 0, description: 'Other jobs in the group' }),
});
export type TaskFailureGroup = Static<typeof TaskFailureGroupSchema>;

/** Payloads that are damaged are null, and named in `warnings`. */
export const TaskPageSchema = Type.Object({ ...PageOf(TaskSchema).properties, warnings });
export type TaskPage = Static<typeof TaskPageSchema>;

export const taskRoutes = tagged('Tasks', {
  'tasks.list': get('/api/v1/jobs/:jobId/tasks', 'viewer', 'List the tasks of a job', {
    query: Closed({
      ...paging,
      sort: sort('readyAt', 'node', 'state', 'replica'),
      state: many(TaskStateSchema),
      node: Type.Optional(Type.String()),
      replica: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only this replica, starting at 0' }),
      ),
      worker: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Part of the ID of the worker of the latest attempt',
        }),
      ),
      code: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of the error' })),
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the error message' })),
    }),
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: TaskPageSchema },
  }),
  'tasks.get': get('/api/v1/tasks/:taskId', 'viewer', 'Get a task', {
    errors: ['TASK_NOT_FOUND'],
    answers: { 200: TaskSchema },
  }),
  'tasks.retry': post('/api/v1/tasks/:taskId/retry', 'operator', 'Retry a failed or timed-out task', {
    errors: ['TASK_NOT_FOUND', 'TASK_NOT_FAILED'],
    answers: { 200: TaskSchema },
  }),
  'tasks.why': get('/api/v1/tasks/:taskId/why', 'viewer', 'Why a task is not running', {
    errors: ['TASK_NOT_FOUND'],
    answers: { 200: WhySchema },
  }),
  'tasks.failure': get(
    '/api/v1/tasks/:taskId/failure',
    'viewer',
    'Get the failure group of a task, and how many other jobs are in it',
    { errors: ['TASK_NOT_FOUND'], answers: { 200: TaskFailureGroupSchema } },
  ),
  'tasks.input': get('/api/v1/tasks/:taskId/input', 'viewer', 'Get the full input of a task', {
    errors: ['TASK_NOT_FOUND'],
    answers: { 200: Json },
  }),
  'tasks.output': get('/api/v1/tasks/:taskId/output', 'viewer', 'Get the full output of a task', {
    errors: ['TASK_NOT_FOUND'],
    answers: { 200: Json },
  }),
});
