import { type Static, Type } from 'typebox';
import { JobSchema } from './jobs.ts';
import { Count, Id, Nullable, enumOf, get, tagged, TaskStateSchema, Time, Closed } from './shapes.ts';
import { TASK_DIFFERENCES } from './vocabulary.ts';

/** Two runs beside each other. */

const TaskSideSchema = Type.Object({
  taskId: Type.String(),
  state: TaskStateSchema,
  attempt: Count,
  workerId: Nullable(Type.String()),
  /** From ready to start of the attempt that counts, and from there to its end; null: it has not come to that. */
  waitMs: Nullable(Count),
  runMs: Nullable(Count),
  port: Nullable(Type.String()),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type TaskSide = Static<typeof TaskSideSchema>;

const place = { node: Type.String(), nodeType: Type.String(), replica: Count, item: Nullable(Type.Integer()) };

const TaskPairSchema = Type.Object({
  ...place,
  differs: Type.Array(enumOf(TASK_DIFFERENCES)),
  here: Nullable(TaskSideSchema),
  there: Nullable(TaskSideSchema),
});
export type TaskPair = Static<typeof TaskPairSchema>;

/** JSON texts, cut where they are long; null: there is none. */
const ChangeSchema = Type.Object({
  op: enumOf(['added', 'removed', 'changed'] as const),
  path: Type.String({ description: 'Such as $.items[2].sku' }),
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
});
export type ValueChange = Static<typeof ChangeSchema>;

const FirstSchema = Type.Object({ ...TaskPairSchema.properties, change: Nullable(ChangeSchema) });
export type FirstDifference = Static<typeof FirstSchema>;

const NodeSideSchema = Type.Object({
  tasks: Count,
  failed: Count,
  runs: Count,
  runMs: Type.Number({ description: 'Total over all tasks' }),
  maxRunMs: Type.Number(),
  waitMs: Type.Number(),
});
export type NodeSide = Static<typeof NodeSideSchema>;

export const ComparisonSchema = Type.Object({
  here: JobSchema,
  there: JobSchema,
  /** What matters most, in one sentence. */
  message: Type.String(),
  /** The first task, in the order of the graph, that ended otherwise, and the first that differs in anything. */
  ended: Nullable(FirstSchema),
  first: Nullable(FirstSchema),
  nodes: Type.Array(
    Type.Object({
      node: Type.String(),
      nodeType: Type.String(),
      here: Nullable(NodeSideSchema),
      there: Nullable(NodeSideSchema),
    }),
  ),
  tasks: Type.Object({
    here: Count,
    there: Count,
    /** Those that are not alike, but for their durations. */
    differing: Count,
    /** What matters most first: other ends, other outputs, then the longest differences of duration. */
    items: Type.Array(TaskPairSchema),
  }),
  /** How many tasks each worker did. */
  workers: Type.Array(Type.Object({ workerId: Type.String(), here: Count, there: Count })),
  /** Replicas (from 0) whose inputs are not alike, as far as their first tasks tell; the first of them. */
  inputs: Type.Object({ differing: Count, replicas: Type.Array(Count) }),
  /** False: a limit ended it (tasks, or bytes of payloads), and there may be more. */
  complete: Type.Boolean(),
});
export type Comparison = Static<typeof ComparisonSchema>;

export const ValueComparisonSchema = Type.Object({
  /** Bytes of the JSON texts. */
  bytes: Type.Object({ here: Count, there: Count }),
  changes: Type.Array(ChangeSchema),
  complete: Type.Boolean(),
});
export type ValueComparison = Static<typeof ValueComparisonSchema>;

/** Lines that are alike once numbers, ids, times and quoted texts are taken out. */
const LinesSchema = Type.Object({
  level: Type.String(),
  /** What they have in common. */
  pattern: Type.String(),
  /** The first of them as it came. */
  sample: Type.String(),
  here: Count,
  there: Count,
  firstAt: Time,
});
export type ComparedLines = Static<typeof LinesSchema>;

export const LogComparisonSchema = Type.Object({
  lines: Type.Object({ here: Count, there: Count }),
  /** Only here, only there, then those of another count; within each the worst level first. */
  items: Type.Array(LinesSchema),
  /** Patterns that are as frequent on both sides. */
  alike: Count,
  complete: Type.Boolean(),
});
export type LogComparison = Static<typeof LogComparisonSchema>;

export const comparisonRoutes = tagged('Jobs', {
  'jobs.compare': get('/api/v1/jobs/:jobId/compare/:otherId', 'viewer', 'Compare a run with another, task by task', {
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: ComparisonSchema },
  }),
  'jobs.compareValues': get(
    '/api/v1/jobs/:jobId/compare/:otherId/values',
    'viewer',
    'Compare inputs or outputs of two runs, path by path',
    {
      query: Closed({
        of: enumOf(['input', 'output'] as const),
        replica: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 100_000_000,
            description: 'For inputs: number of the replica, from 0',
          }),
        ),
        task: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'A task of this job; with otherTask: compare the payloads of the two tasks',
          }),
        ),
        otherTask: Type.Optional(Id),
      }),
      errors: ['JOB_NOT_FOUND', 'TASK_NOT_FOUND'],
      answers: { 200: ValueComparisonSchema },
    },
  ),
  'jobs.compareLogs': get('/api/v1/jobs/:jobId/compare/:otherId/logs', 'viewer', 'Compare the log lines of two runs', {
    errors: ['JOB_NOT_FOUND', 'QUERY_INVALID', 'QUERY_CANCELLED', 'QUERY_TIMEOUT', 'QUERY_TOO_LARGE'],
    answers: { 200: LogComparisonSchema },
  }),
});
