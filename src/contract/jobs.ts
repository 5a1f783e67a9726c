import { type Static, type TObject, Type } from 'typebox';
import { warnings } from './data-health.ts';
import { tableOf } from './tables.ts';
import { PRIORITY_MAX, PRIORITY_MIN } from './rate-limits.ts';
import {
  Count,
  EnvironmentSchema,
  Hash,
  Instant,
  JobStatusSchema,
  many,
  Nullable,
  enumOf,
  PageOf,
  paging,
  get,
  post,
  remove,
  tagged,
  sort,
  type Several,
  Time,
  Closed,
  Json,
  VERSION_NAME,
} from './shapes.ts';
import { COUNTER_OF, DISPLAY_STATUSES, JOB_KINDS, JOB_SORTS, TASK_STATES, TRIGGER_KINDS } from './vocabulary.ts';

/** Jobs. */

export const JobKindSchema = enumOf(JOB_KINDS);

export const TaskCountersSchema = Type.Object(tableOf(Object.values(COUNTER_OF), () => Count));

/** Words for people and for search; bounded by the limits `labels…`. */
export const LabelsSchema = Type.Record(
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$' }),
  Type.String({ maxLength: 256 }),
  { maxProperties: 32, additionalProperties: false },
);

export type Labels = Record<string, string>;

/**
 * What started a job. `id`: of the schedule, the webhook, the job that called it, or the job that it is a rerun of; absent
 * for calls, and where the caller may not see it. `dueAt`: the time for which a schedule or a backfill started it.
 */
export const TriggerSchema = Type.Object({
  kind: enumOf(TRIGGER_KINDS),
  id: Type.Optional(Type.String()),
  dueAt: Type.Optional(Time),
});
export type Trigger = Static<typeof TriggerSchema>;

/** The status as the console shows it: CANCELLED for a job that was killed, QUEUED while none of its tasks has started, else `status`. */
const DisplayStatusSchema = enumOf(DISPLAY_STATUSES);

export const JobSchema = Type.Object({
  id: Type.String(),
  externalId: Nullable(Type.String()),
  status: JobStatusSchema,
  /** Absent in what an earlier release wrote. */
  displayStatus: Type.Optional(DisplayStatusSchema),
  workflowId: Type.String(),
  environment: Nullable(EnvironmentSchema),
  commit: Type.String(),
  kind: JobKindSchema,
  trigger: TriggerSchema,
  priority: Type.Integer({ description: '-100 to 100; higher runs first' }),
  taskCounters: TaskCountersSchema,
  replicaRunTimeoutSeconds: Nullable(Type.Integer()),
  inputCount: Count,
  labels: Type.Record(Type.String(), Type.String()),
  createdAt: Time,
  updatedAt: Time,
  finishedAt: Nullable(Time),
  killedAt: Nullable(Time),
  /** From its creation to its end. */
  durationMs: Nullable(Type.Integer()),
  /** When a retry by hand last made it go on, from which on the durations of metrics and of the overview are counted. */
  retriedAt: Nullable(Time),
  rerunOf: Nullable(Type.String()),
  parentTaskId: Nullable(Type.String()),
  /** The first failure that was final, where tasks have failed; long messages are cut. */
  error: Type.Optional(Type.Object({ node: Type.String(), code: Type.String(), message: Type.String() })),
  /** The trace that its caller named (W3C Trace Context). Absent: none. */
  traceId: Type.Optional(Type.String()),
});
export type Job = Static<typeof JobSchema>;

/** Why a job gave no output: the first replica that finally failed. */
export const JobFailureSchema = Type.Object({
  taskId: Type.String(),
  node: Type.String(),
  taskCode: Type.String(),
  taskMessage: Type.String(),
});
export type JobFailure = Static<typeof JobFailureSchema>;

/** What the tasks of a job came to at each node of its graph: enough to draw it, however many tasks there are. */
export const JobGraphSchema = Type.Object({
  replicas: Count,
  nodes: Type.Array(
    Type.Object({
      node: Type.String(),
      /** Tasks by state; items of a forEach each for themselves. */
      states: Type.Object(tableOf(TASK_STATES, () => Count)),
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
    Type.String({ description: 'Edges taken by at least one replica, as JSON strings of [from, to, port or null]' }),
  ),
});
export type JobGraph = Static<typeof JobGraphSchema>;

export const jobFilters = {
  status: many(JobStatusSchema),
  displayStatus: many(enumOf(DISPLAY_STATUSES)),
  workflowId: Type.Optional(Type.String()),
  project: Type.Optional(Type.String({ description: 'Jobs of the workflows that belong to this project now' })),
  environment: Type.Optional(EnvironmentSchema),
  externalId: Type.Optional(Type.String()),
  parentTaskId: Type.Optional(Type.String({ description: 'Child jobs of this task' })),
  parentJobId: Type.Optional(Type.String({ description: 'Child jobs of this job' })),
  rerunOf: Type.Optional(Type.String({ description: 'Reruns of this job' })),
  trigger: many(enumOf(TRIGGER_KINDS)),
  triggerId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Jobs that this schedule or webhook started' }),
  ),
  traceId: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Jobs that are part of this trace' })),
  q: Type.Optional(Type.String({ description: 'Prefix of the ID or external ID' })),
  createdFrom: Type.Optional(Instant),
  createdTo: Type.Optional(Instant),
  label: many(
    Type.String({ minLength: 1, maxLength: 400, description: 'key or key=value; repeatable, all must match' }),
  ),
  input: many(
    Type.String({
      minLength: 3,
      maxLength: 2000,
      description: 'path=value of an input field, such as customer.id=42; repeatable, all must match',
    }),
  ),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Words in the inputs; all must match' }),
  ),
  failureGroup: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Jobs with a failure of this group' }),
  ),
  query: Type.Optional(
    Type.String({
      maxLength: 4000,
      description:
        'A query, such as status:failed duration:>5s input.country:DE; holds together with the other filters',
    }),
  ),
};

type Filters = Static<TObject<typeof jobFilters>>;
type Given = { [K in keyof Filters]: Several<Filters[K]> };
/** What is asked for; the master puts the workflows of a project in its place. */
export type AskedJobFilter = Given;
export type JobFilter = Omit<Given, 'project'> & {
  /** Set by the master alone: the workflows that the caller may see, and those of the project that was asked for. */
  within?: readonly string[];
};

/** `searchedTo`: set where a search does not cover the newest jobs yet. */
const JobPage = Type.Object({ ...PageOf(JobSchema).properties, searchedTo: Type.Optional(Time), warnings });

const JobRef = Type.Object({ jobId: Type.String(), status: JobStatusSchema });

/** Why a version does not run with these inputs. */
const NOT_RUNNABLE = [
  'WORKFLOW_NOT_FOUND',
  'COMMIT_NOT_FOUND',
  'COMMIT_AMBIGUOUS',
  'NOT_PUBLISHED',
  'INPUT_INVALID',
  'INVALID_DAG',
] as const;

export const jobRoutes = tagged('Jobs', {
  'jobs.list': get('/api/v1/jobs', 'viewer', 'List jobs', {
    query: Closed({ ...paging, sort: sort(...JOB_SORTS), ...jobFilters }),
    errors: ['SEARCH_TOO_BROAD', 'QUERY_INVALID', 'QUERY_TOO_SLOW'],
    answers: { 200: JobPage },
  }),
  'jobs.create': post('/api/v1/jobs', 'operator', 'Submit a batch job', {
    body: Closed({
      workflowId: Type.String(),
      environment: Type.Optional(EnvironmentSchema),
      commit: Type.Optional(Hash),
      inputs: Type.Array(Json),
      externalId: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
      labels: Type.Optional(Nullable(LabelsSchema)),
      priority: Type.Optional(
        Type.Integer({ minimum: PRIORITY_MIN, maximum: PRIORITY_MAX, description: 'Higher first' }),
      ),
      replicaRunTimeoutSeconds: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 604_800 }))),
    }),
    errors: NOT_RUNNABLE,
    answers: { 202: JobRef },
  }),
  'jobs.get': get('/api/v1/jobs/:jobId', 'viewer', 'Get a job', {
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: JobSchema },
  }),
  'jobs.input': get(
    '/api/v1/jobs/:jobId/input',
    'viewer',
    'Get the inputs of a job or of one of its nodes: an array with one input per replica',
    {
      query: Closed({
        replica: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Only the input of this replica, starting at 0',
          }),
        ),
        node: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only the input of this node' })),
      }),
      errors: ['JOB_NOT_FOUND'],
      answers: { 200: Json },
    },
  ),
  'jobs.output': get('/api/v1/jobs/:jobId/output', 'viewer', 'Output and error of a job', {
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: Json },
  }),
  'jobs.graph': get('/api/v1/jobs/:jobId/graph', 'viewer', 'Task counts per node', {
    errors: ['JOB_NOT_FOUND', 'COMMIT_NOT_FOUND'],
    answers: { 200: JobGraphSchema },
  }),
  'jobs.kill': remove('/api/v1/jobs/kill/:jobId', 'operator', 'Kill a job', {
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: Type.Object({ jobId: Type.String(), killedTasks: Type.Integer(), status: JobStatusSchema }) },
  }),
  'jobs.export': get(
    '/api/v1/jobs/export',
    'viewer',
    'Export all matching jobs, or those of a dry run, as CSV, JSON or JSON lines, newest first',
    {
      query: Closed({
        format: Type.Union([Type.Literal('csv'), Type.Literal('json'), Type.Literal('ndjson')]),
        snapshot: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'From a dry run: the jobs that it counted' }),
        ),
        ...jobFilters,
      }),
      errors: ['SEARCH_TOO_BROAD', 'QUERY_INVALID', 'SNAPSHOT_EXPIRED'],
      answers: { 200: Json },
      produces: 'text/csv',
    },
  ),
  'jobs.incidentBundle': get(
    '/api/v1/jobs/:jobId/incident-bundle',
    'viewer',
    'Download an incident bundle: everything about a job in one file, without secrets',
    {
      query: Closed({ payloads: Type.Optional(Type.Boolean({ description: 'false: without inputs and outputs' })) }),
      errors: ['JOB_NOT_FOUND'],
      answers: { 200: Type.Unknown() },
      produces: 'application/gzip',
    },
  ),
  'jobs.rerun': post('/api/v1/jobs/:jobId/rerun', 'operator', 'Rerun a job, as a whole or from a node', {
    body: Closed({
      inputs: Type.Optional(
        Type.Array(Json, {
          description:
            'Inputs of the new job, or with fromNode the inputs of that node, one per replica; default: the earlier inputs',
        }),
      ),
      commit: Type.Optional(
        Type.String({
          pattern: VERSION_NAME,
          description:
            'Commit hash, tag or number (v12), or published: the version now published in the environment of the job; default: the commit of the job',
        }),
      ),
      fromNode: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Node to start from; finished outputs of nodes that do not depend on it are reused',
        }),
      ),
    }),
    errors: ['JOB_NOT_FOUND', ...NOT_RUNNABLE],
    answers: { 202: Type.Object({ jobId: Type.String(), rerunOf: Type.String() }) },
  }),
  'jobs.retry': post('/api/v1/jobs/:jobId/retry', 'operator', 'Retry failed and timed-out tasks', {
    errors: ['JOB_NOT_FOUND'],
    answers: { 200: Type.Object({ jobId: Type.String(), retriedTasks: Type.Integer(), status: JobStatusSchema }) },
  }),
});
