import { Type, type TSchema } from 'typebox';
import * as api from './api.ts';
import * as engine from './api-engine.ts';
import { ALERT_ROUTES } from './routes-alerts.ts';
import { DRAFT_ROUTES } from './routes-drafts.ts';
import { COMPARE_ROUTES } from './routes-compare.ts';
import { DASHBOARD_ROUTES } from './routes-dashboards.ts';
import { FIND_ROUTES } from './routes-find.ts';
import { ImpactSchema } from './api-impact.ts';
import { METRIC_ROUTES } from './routes-metrics.ts';
import { PIPELINE_ROUTES } from './routes-pipeline.ts';
import { SHADOW_ROUTES } from './routes-shadow.ts';
import { LOG_FORMATS, LogContextSchema, LogValuesSchema } from './api-logs.ts';
import { SettingsSchema } from './api-settings.ts';
import { CallWarningSchema, DefinitionSchema, FaultSchema } from './definition.ts';
import { Nullable, PageOf, Time, oneOf } from './shapes.ts';
import { PRIORITY_MAX, PRIORITY_MIN, RateLimitsPatch } from './rate-limits.ts';
import { SECRET_NAME } from './secrets.ts';
import type { Role } from './vocabulary.ts';

/**
 * The route table of the master's port. The server registers exactly these, `/api/v1/openapi.json` and `/docs` are
 * drawn from them, and the worker role reaches none of them.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify form, `:name` for parameters. */
  readonly path: string;
  /** The lowest operator role that may call it; `key`: an API key; `open`: none needed. */
  readonly access: Exclude<Role, 'worker'> | 'key' | 'open';
  readonly tag: string;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Success answers by status; `null`: no body. Errors are always `application/problem+json`. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Answers with another type than JSON. */
  readonly produces?: string;
}

const strict = { additionalProperties: false } as const;
const Id = Type.String({ minLength: 1, maxLength: 64 });
const Hash = Type.String({
  pattern: '^[0-9a-f]{4,40}$',
  description: 'Commit hash, or an unambiguous prefix of at least 4 digits',
});
export const WORKFLOW_ID = '^[a-z0-9][a-z0-9-]{0,62}$';
const WorkflowId = Type.String({ pattern: WORKFLOW_ID });
const Instant = Type.String({ format: 'date-time' });
const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};
const Paging = Type.Object(paging, strict);
const sort = (...fields: string[]) =>
  Type.Optional(
    Type.String({
      pattern: `^(${fields.join('|')})(,(asc|desc))?$`,
      description: `One of ${fields.join(', ')}, then ,asc or ,desc`,
    }),
  );
const many = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Array(schema), schema]));

export const JOB_SORTS = [
  'createdAt',
  'updatedAt',
  'finishedAt',
  'durationMs',
  'status',
  'workflowId',
  'environment',
  'externalId',
  'id',
] as const;
export const jobFilters = {
  status: many(api.JobStatusSchema),
  workflowId: Type.Optional(Type.String()),
  environment: Type.Optional(api.EnvironmentSchema),
  externalId: Type.Optional(Type.String()),
  parentTaskId: Type.Optional(Type.String({ description: 'Child jobs of this task' })),
  parentJobId: Type.Optional(Type.String({ description: 'Child jobs of this job' })),
  rerunOf: Type.Optional(Type.String({ description: 'Reruns of this job' })),
  q: Type.Optional(Type.String({ description: 'Prefix of id or external id' })),
  createdFrom: Type.Optional(Instant),
  createdTo: Type.Optional(Instant),
  label: many(Type.String({ minLength: 1, maxLength: 400, description: 'key, or key=value; several: all of them' })),
  input: many(
    Type.String({
      minLength: 3,
      maxLength: 2000,
      description: 'path=value of a field of an input, such as customer.id=42; several: all of them',
    }),
  ),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Words that the inputs hold, all of them' }),
  ),
  failureGroup: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$', description: 'With a failure of this group' })),
};
export interface JobFilter {
  status?: api.Job['status'][];
  workflowId?: string;
  environment?: 'dev' | 'staging' | 'prod';
  externalId?: string;
  parentTaskId?: string;
  parentJobId?: string;
  rerunOf?: string;
  q?: string;
  createdFrom?: string;
  createdTo?: string;
  label?: string[];
  input?: string[];
  text?: string;
  failureGroup?: string;
}
export const FAILURE_SORTS = ['lastSeenAt', 'count', 'firstSeenAt'] as const;
export const WORKER_SORTS = [
  'id',
  'state',
  'currentTasks',
  'maxTasks',
  'lastHeartbeatAt',
  'registeredAt',
  'createdAt',
] as const;

const logScope = {
  query: Type.Optional(Type.String({ maxLength: 16_384 })),
  job_id: Type.Optional(Type.String()),
  task_id: Type.Optional(Type.String()),
  worker_id: Type.Optional(Type.String()),
  level: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
};
const logFilters = { ...logScope, from: Type.Optional(Instant), to: Type.Optional(Instant) };
const logValues = {
  contains: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only those with this text in them, in any case' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
};

const params = {
  workflow: Type.Object({ id: Type.String() }),
  job: Type.Object({ jobId: Id }),
  task: Type.Object({ taskId: Id }),
  worker: Type.Object({ id: Id }),
  id: Type.Object({ id: Id }),
  secret: Type.Object({ name: Type.String({ pattern: SECRET_NAME }) }),
  commit: Type.Object({ id: Type.String(), hash: Hash }),
  diff: Type.Object({ id: Type.String(), a: Hash, b: Hash }),
  environment: Type.Object({ id: Type.String(), environment: api.EnvironmentSchema }),
  event: Type.Object({ workflowId: Type.String(), environment: Type.String() }),
  eventJob: Type.Object({ workflowId: Type.String(), environment: Type.String(), jobId: Id }),
};

/** `searchedTo`: set where a search does not cover the newest jobs yet. */
const JobPage = Type.Object({ ...PageOf(api.JobSchema).properties, searchedTo: Type.Optional(Time) });
const target = {
  ids: Type.Optional(Type.Array(Id, { minItems: 1 })),
  filter: Type.Optional(
    Type.Object(jobFilters, { additionalProperties: false, description: 'As the query of the list' }),
  ),
  all: Type.Optional(Type.Boolean({ description: 'Lets an empty filter match every job' })),
  dryRun: Type.Optional(Type.Boolean({ description: 'Count, and change nothing' })),
};
const Bulk = Type.Object(target, { additionalProperties: false, description: 'Exactly one of ids and filter' });
const BulkRetry = Type.Object(
  {
    ...target,
    includeNonRetryable: Type.Optional(
      Type.Boolean({ description: 'Also jobs whose failures are all of a kind that a retry does not mend' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of ids and filter' },
);
const BulkRerun = Type.Object(
  {
    ...target,
    commit: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{4,40}|published)$',
        description:
          'Commit hash, or published: what the environment of each job points to when its turn comes; each on its own where absent',
      }),
    ),
    includeCompleted: Type.Optional(Type.Boolean({ description: 'Also jobs of which nothing failed' })),
    includeRerun: Type.Optional(Type.Boolean({ description: 'Also jobs that were run again before' })),
  },
  { additionalProperties: false, description: 'Exactly one of ids and filter' },
);
const JobRef = Type.Object({ jobId: Type.String(), status: api.JobStatusSchema });
const Any = Type.Unknown();

export const ROUTES = {
  // Events (contract §3). Checks run in the order of the contract, so this route validates by hand.
  sendEvent: {
    method: 'POST',
    path: '/api/v1/events/:workflowId/:environment',
    access: 'key',
    tag: 'Events',
    summary: 'Run the published workflow',
    params: params.event,
    body: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1 }),
    answers: {
      200: Any,
      202: Type.Object({ jobId: Type.String(), status: api.JobStatusSchema, statusUrl: Type.String() }),
    },
  },
  eventStatus: {
    method: 'GET',
    path: '/api/v1/events/:workflowId/:environment/jobs/:jobId',
    access: 'key',
    tag: 'Events',
    summary: 'The state and output of an event call',
    params: params.eventJob,
    answers: { 200: api.EventStatusSchema },
  },

  // Workflows (contract §4)
  listWorkflows: {
    method: 'GET',
    path: '/api/v1/workflows',
    access: 'viewer',
    tag: 'Workflows',
    summary: 'List workflows',
    query: Type.Object(
      {
        ...paging,
        sort: sort('id', 'name', 'createdAt', 'updatedAt'),
        q: Type.Optional(Type.String()),
        archived: Type.Optional(Type.Boolean()),
      },
      strict,
    ),
    answers: { 200: PageOf(api.WorkflowSchema) },
  },
  createWorkflow: {
    method: 'POST',
    path: '/api/v1/workflows',
    access: 'operator',
    tag: 'Workflows',
    summary: 'Create a workflow',
    body: Type.Object(
      {
        id: WorkflowId,
        name: Type.String({ minLength: 1, maxLength: 200 }),
        description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
      },
      strict,
    ),
    answers: { 201: api.WorkflowSchema },
  },
  getWorkflow: {
    method: 'GET',
    path: '/api/v1/workflows/:id',
    access: 'viewer',
    tag: 'Workflows',
    summary: 'One workflow',
    params: params.workflow,
    answers: { 200: api.WorkflowSchema },
  },
  updateWorkflow: {
    method: 'PATCH',
    path: '/api/v1/workflows/:id',
    access: 'operator',
    tag: 'Workflows',
    summary: 'Rename or describe a workflow, or change its limits',
    params: params.workflow,
    body: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
        limits: Type.Optional(RateLimitsPatch),
      },
      strict,
    ),
    answers: { 200: api.WorkflowSchema },
  },
  archiveWorkflow: {
    method: 'DELETE',
    path: '/api/v1/workflows/:id',
    access: 'admin',
    tag: 'Workflows',
    summary: 'Archive a workflow; its history stays',
    params: params.workflow,
    answers: { 204: null },
  },
  checkDefinition: {
    method: 'POST',
    path: '/api/v1/workflows/:id/check',
    access: 'viewer',
    tag: 'Workflows',
    summary: 'Faults of a draft, and calls of what is not published, without saving it',
    params: params.workflow,
    body: Type.Object({ definition: DefinitionSchema }, strict),
    answers: { 200: Type.Object({ faults: Type.Array(FaultSchema), warnings: Type.Array(CallWarningSchema) }) },
  },

  ...DRAFT_ROUTES,

  createCommit: {
    method: 'POST',
    path: '/api/v1/workflows/:id/commits',
    access: 'operator',
    tag: 'Versions',
    summary: 'Save a version',
    params: params.workflow,
    body: Type.Object(
      {
        definition: DefinitionSchema,
        message: Type.String({ minLength: 1, maxLength: 10_000 }),
        parent: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-f]{40}$' }))),
      },
      strict,
    ),
    answers: { 201: api.CommitDetailSchema },
  },
  listCommits: {
    method: 'GET',
    path: '/api/v1/workflows/:id/commits',
    access: 'viewer',
    tag: 'Versions',
    summary: 'History, newest first',
    params: params.workflow,
    query: Paging,
    answers: { 200: PageOf(api.CommitSchema) },
  },
  getCommit: {
    method: 'GET',
    path: '/api/v1/workflows/:id/commits/:hash',
    access: 'viewer',
    tag: 'Versions',
    summary: 'One version with its definition',
    params: params.commit,
    answers: { 200: api.CommitDetailSchema },
  },
  diffCommits: {
    method: 'GET',
    path: '/api/v1/workflows/:id/commits/:a/diff/:b',
    access: 'viewer',
    tag: 'Versions',
    summary: 'Difference of two versions',
    params: params.diff,
    answers: { 200: api.DiffSchema },
  },

  listEnvironments: {
    method: 'GET',
    path: '/api/v1/workflows/:id/environments',
    access: 'viewer',
    tag: 'Publication',
    summary: 'What each environment points to',
    params: params.workflow,
    answers: { 200: Type.Object({ items: Type.Array(api.PublicationSummary) }) },
  },
  publish: {
    method: 'PUT',
    path: '/api/v1/workflows/:id/environments/:environment',
    access: 'operator',
    tag: 'Publication',
    summary: 'Publish a version (prod: admin)',
    params: params.environment,
    body: Type.Object(
      {
        hash: Hash,
        description: Type.Optional(Type.String({ maxLength: 2000 })),
        expected: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-f]{40}$' }))),
      },
      strict,
    ),
    answers: { 200: api.PublicationSummary },
  },
  unpublish: {
    method: 'DELETE',
    path: '/api/v1/workflows/:id/environments/:environment',
    access: 'operator',
    tag: 'Publication',
    summary: 'Take an environment offline (prod: admin)',
    params: params.environment,
    query: Type.Object(
      {
        expected: Type.Optional(
          Type.String({ pattern: '^[0-9a-f]{40}$', description: 'Refused where it points elsewhere' }),
        ),
      },
      strict,
    ),
    answers: { 204: null },
  },
  listPublications: {
    method: 'GET',
    path: '/api/v1/workflows/:id/publications',
    access: 'viewer',
    tag: 'Publication',
    summary: 'Log of publications, newest first',
    params: params.workflow,
    query: Paging,
    answers: { 200: PageOf(api.PublicationSchema) },
  },
  listImpacts: {
    method: 'GET',
    path: '/api/v1/workflows/:id/publications/impact',
    access: 'viewer',
    tag: 'Publication',
    summary: 'What each publication did: failures, throughput and durations before and after it',
    params: params.workflow,
    query: Type.Object(
      {
        ...paging,
        environment: Type.Optional(api.EnvironmentSchema),
        window: Type.Optional(
          Type.String({
            pattern: '^[1-9][0-9]{0,3}[mhd]$',
            description: 'Longest time to look at on either side; default 1h, at most 7d',
          }),
        ),
      },
      strict,
    ),
    answers: { 200: PageOf(ImpactSchema) },
  },

  // Jobs (contract §5)
  listJobs: {
    method: 'GET',
    path: '/api/v1/jobs',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'List jobs',
    query: Type.Object({ ...paging, sort: sort(...JOB_SORTS), ...jobFilters }, strict),
    answers: { 200: JobPage },
  },
  createJob: {
    method: 'POST',
    path: '/api/v1/jobs',
    access: 'operator',
    tag: 'Jobs',
    summary: 'Submit a batch job',
    body: Type.Object(
      {
        workflowId: Type.String(),
        environment: Type.Optional(api.EnvironmentSchema),
        commit: Type.Optional(Hash),
        inputs: Type.Array(Any),
        externalId: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
        labels: Type.Optional(Nullable(api.LabelsSchema)),
        priority: Type.Optional(
          Type.Integer({ minimum: PRIORITY_MIN, maximum: PRIORITY_MAX, description: 'Higher first' }),
        ),
        replicaRunTimeoutSeconds: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 604_800 }))),
      },
      strict,
    ),
    answers: { 202: JobRef },
  },
  getJob: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'One job',
    params: params.job,
    answers: { 200: api.JobSchema },
  },
  getJobInput: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/input',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'What a job, or one of its nodes, was given: a list with one input for each replica, as they came',
    params: params.job,
    query: Type.Object(
      {
        replica: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The input of this replica alone, counted from 0',
          }),
        ),
        node: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'What this node was given' })),
      },
      strict,
    ),
    answers: { 200: Any },
  },
  getJobOutput: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/output',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'Output and error of a job',
    params: params.job,
    answers: { 200: Any },
  },
  getJobGraph: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/graph',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'What its tasks came to at each node',
    params: params.job,
    answers: { 200: engine.JobGraphSchema },
  },
  listJobTasks: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/tasks',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'Tasks of a job',
    params: params.job,
    query: Type.Object(
      {
        ...paging,
        sort: sort('readyAt', 'node', 'state', 'replica'),
        state: many(api.TaskStateSchema),
        node: Type.Optional(Type.String()),
      },
      strict,
    ),
    answers: { 200: PageOf(api.TaskSchema) },
  },
  killJob: {
    method: 'DELETE',
    path: '/api/v1/jobs/kill/:jobId',
    access: 'operator',
    tag: 'Jobs',
    summary: 'Kill a job',
    params: params.job,
    answers: { 200: Type.Object({ jobId: Type.String(), killedTasks: Type.Integer(), status: api.JobStatusSchema }) },
  },
  bulkKill: {
    method: 'POST',
    path: '/api/v1/jobs/bulk/kill',
    access: 'operator',
    tag: 'Operations',
    summary: 'Kill many jobs',
    body: Bulk,
    answers: { 200: engine.BulkDryRunSchema, 202: Type.Object({ operationId: Type.String() }) },
  },
  bulkRetry: {
    method: 'POST',
    path: '/api/v1/jobs/bulk/retry',
    access: 'operator',
    tag: 'Operations',
    summary: 'Retry many jobs',
    body: BulkRetry,
    answers: { 200: engine.BulkDryRunSchema, 202: Type.Object({ operationId: Type.String() }) },
  },
  bulkRerun: {
    method: 'POST',
    path: '/api/v1/jobs/bulk/rerun',
    access: 'operator',
    tag: 'Operations',
    summary: 'Run many jobs again as new ones',
    body: BulkRerun,
    answers: { 200: engine.BulkDryRunSchema, 202: Type.Object({ operationId: Type.String() }) },
  },
  exportJobs: {
    method: 'GET',
    path: '/api/v1/jobs/export',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'All jobs that match as CSV, JSON or JSON lines, newest first',
    query: Type.Object(
      { format: Type.Union([Type.Literal('csv'), Type.Literal('json'), Type.Literal('ndjson')]), ...jobFilters },
      strict,
    ),
    answers: { 200: Any },
    produces: 'text/csv',
  },
  ...COMPARE_ROUTES,
  listOperations: {
    method: 'GET',
    path: '/api/v1/operations',
    access: 'viewer',
    tag: 'Operations',
    summary: 'Bulk operations, newest first',
    query: Paging,
    answers: { 200: PageOf(engine.OperationSchema) },
  },
  getOperation: {
    method: 'GET',
    path: '/api/v1/operations/:id',
    access: 'viewer',
    tag: 'Operations',
    summary: 'One bulk operation and its progress',
    params: params.id,
    answers: { 200: engine.OperationSchema },
  },
  listOperationResults: {
    method: 'GET',
    path: '/api/v1/operations/:id/results',
    access: 'viewer',
    tag: 'Operations',
    summary: 'What became of each job, in the order of work',
    params: params.id,
    query: Type.Object({ ...paging, ok: Type.Optional(Type.Boolean()) }, strict),
    answers: { 200: PageOf(engine.OperationResultSchema) },
  },
  abortOperation: {
    method: 'POST',
    path: '/api/v1/operations/:id/abort',
    access: 'operator',
    tag: 'Operations',
    summary: 'Stop a bulk operation; what it did stays done',
    params: params.id,
    answers: { 200: engine.OperationSchema },
  },
  rerunJob: {
    method: 'POST',
    path: '/api/v1/jobs/:jobId/rerun',
    access: 'operator',
    tag: 'Jobs',
    summary: 'Run a job again, whole or from one of its nodes',
    params: params.job,
    body: Type.Object(
      {
        inputs: Type.Optional(
          Type.Array(Any, {
            description:
              'Inputs of the new job, or with fromNode those of that node, one for each replica; the same as before where absent',
          }),
        ),
        commit: Type.Optional(
          Type.String({
            pattern: '^([0-9a-f]{4,40}|published)$',
            description:
              'Commit hash, or published: what the environment of the job points to now; the same as before where absent',
          }),
        ),
        fromNode: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'The node to begin with: finished outputs of nodes that do not depend on it are reused',
          }),
        ),
      },
      strict,
    ),
    answers: { 202: Type.Object({ jobId: Type.String(), rerunOf: Type.String() }) },
  },
  retryTask: {
    method: 'POST',
    path: '/api/v1/tasks/:taskId/retry',
    access: 'operator',
    tag: 'Tasks',
    summary: 'Retry a failed or timed-out task',
    params: params.task,
    answers: { 200: api.TaskSchema },
  },
  retryJob: {
    method: 'POST',
    path: '/api/v1/jobs/:jobId/retry',
    access: 'operator',
    tag: 'Jobs',
    summary: 'Retry failed and timed-out tasks',
    params: params.job,
    answers: { 200: Type.Object({ jobId: Type.String(), retriedTasks: Type.Integer(), status: api.JobStatusSchema }) },
  },
  getTask: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'One task',
    params: params.task,
    answers: { 200: api.TaskSchema },
  },
  whyTask: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/why',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'Why a task is not running',
    params: params.task,
    answers: { 200: engine.WhySchema },
  },
  getTaskFailure: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/failure',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'The failure group of a task, and how many other jobs failed like it',
    params: params.task,
    answers: { 200: engine.TaskFailureSchema },
  },
  getTaskInput: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/input',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'The whole input of a task',
    params: params.task,
    answers: { 200: Any },
  },
  getTaskOutput: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/output',
    access: 'viewer',
    tag: 'Tasks',
    summary: 'The whole output of a task',
    params: params.task,
    answers: { 200: Any },
  },

  // Workers (contract §7)
  listWorkers: {
    method: 'GET',
    path: '/api/v1/workers',
    access: 'viewer',
    tag: 'Workers',
    summary: 'List workers',
    query: Type.Object({ ...paging, sort: sort(...WORKER_SORTS), state: many(api.WorkerStateSchema) }, strict),
    answers: { 200: PageOf(api.WorkerSchema) },
  },
  getWorker: {
    method: 'GET',
    path: '/api/v1/workers/:id',
    access: 'viewer',
    tag: 'Workers',
    summary: 'One worker',
    params: params.worker,
    answers: { 200: api.WorkerSchema },
  },
  listWorkerTasks: {
    method: 'GET',
    path: '/api/v1/workers/:id/tasks',
    access: 'viewer',
    tag: 'Workers',
    summary: 'The tasks that a worker holds now',
    params: params.worker,
    query: Paging,
    answers: { 200: PageOf(api.TaskSchema) },
  },
  drainWorker: {
    method: 'POST',
    path: '/api/v1/workers/:id/drain',
    access: 'operator',
    tag: 'Workers',
    summary: 'Give a worker no new tasks',
    params: params.worker,
    answers: { 200: api.WorkerSchema },
  },
  resumeWorker: {
    method: 'POST',
    path: '/api/v1/workers/:id/resume',
    access: 'operator',
    tag: 'Workers',
    summary: 'Give a drained worker tasks again',
    params: params.worker,
    answers: { 200: api.WorkerSchema },
  },

  // Failure groups
  listFailures: {
    method: 'GET',
    path: '/api/v1/failures',
    access: 'viewer',
    tag: 'Failures',
    summary: 'Failures that are alike, as groups',
    query: Type.Object(
      {
        ...paging,
        sort: sort(...FAILURE_SORTS),
        status: many(engine.FailureStatusSchema),
        workflowId: Type.Optional(Type.String()),
        environment: Type.Optional(api.EnvironmentSchema),
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the message, node or code' })),
      },
      strict,
    ),
    answers: { 200: PageOf(engine.FailureGroupSchema) },
  },
  getFailure: {
    method: 'GET',
    path: '/api/v1/failures/:id',
    access: 'viewer',
    tag: 'Failures',
    summary: 'One group: its jobs, and what sets them apart',
    params: params.id,
    answers: { 200: engine.FailureDetailSchema },
  },
  resolveFailure: {
    method: 'POST',
    path: '/api/v1/failures/:id/resolve',
    access: 'operator',
    tag: 'Failures',
    summary: 'Resolve a group; a new occurrence reopens it',
    params: params.id,
    answers: { 200: engine.FailureGroupSchema },
  },
  ignoreFailure: {
    method: 'POST',
    path: '/api/v1/failures/:id/ignore',
    access: 'operator',
    tag: 'Failures',
    summary: 'Ignore a group, new occurrences too',
    params: params.id,
    answers: { 200: engine.FailureGroupSchema },
  },
  reopenFailure: {
    method: 'POST',
    path: '/api/v1/failures/:id/reopen',
    access: 'operator',
    tag: 'Failures',
    summary: 'Open a group again',
    params: params.id,
    answers: { 200: engine.FailureGroupSchema },
  },
  retryFailure: {
    method: 'POST',
    path: '/api/v1/failures/:id/retry',
    access: 'operator',
    tag: 'Failures',
    summary: 'Retry all jobs of a group, as a bulk operation',
    params: params.id,
    answers: { 202: Type.Object({ operationId: Type.String() }) },
  },

  // Logs (contract §8)
  ...PIPELINE_ROUTES,
  searchLogs: {
    method: 'GET',
    path: '/api/v1/logs/search',
    access: 'viewer',
    tag: 'Logs',
    summary: 'Search logs',
    query: Type.Object(
      {
        ...logFilters,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 500 })),
        order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
        cursor: Type.Optional(Type.String()),
      },
      strict,
    ),
    answers: { 200: api.LogSearchSchema },
  },
  tailLogs: {
    method: 'GET',
    path: '/api/v1/logs/tail',
    access: 'viewer',
    tag: 'Logs',
    summary: 'Follow logs',
    query: Type.Object(
      {
        ...logFilters,
        batch: Type.Optional(
          Type.Boolean({ description: 'Records that come together are one event, whose data is their list' }),
        ),
      },
      strict,
    ),
    answers: { 200: Any },
    produces: 'text/event-stream',
  },
  logHits: {
    method: 'GET',
    path: '/api/v1/logs/hits',
    access: 'viewer',
    tag: 'Logs',
    summary: 'Counts over time',
    query: Type.Object(
      {
        ...logFilters,
        step: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,6}(ms|s|m|h|d)$' })),
        field: Type.Optional(Type.String()),
      },
      strict,
    ),
    answers: { 200: api.LogHitsSchema },
  },
  logContext: {
    method: 'GET',
    path: '/api/v1/logs/context',
    access: 'viewer',
    tag: 'Logs',
    summary: 'The records before and after a moment, of the same job, task, worker or source',
    query: Type.Object(
      {
        at: Type.String({ format: 'date-time', description: '_time of a record' }),
        before: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 20 })),
        after: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 20 })),
        ...logScope,
      },
      strict,
    ),
    answers: { 200: LogContextSchema },
  },
  exportLogs: {
    method: 'GET',
    path: '/api/v1/logs/export',
    access: 'viewer',
    tag: 'Logs',
    summary: 'All records that match as JSON lines, CSV or text',
    query: Type.Object(
      {
        ...logFilters,
        format: oneOf(LOG_FORMATS),
        order: Type.Optional(oneOf(['asc', 'desc'] as const)),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Records at most; all where absent' }),
        ),
        column: many(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Fields that are columns of the CSV, or all that a JSON line has; several: in this order',
          }),
        ),
      },
      strict,
    ),
    answers: { 200: Any },
    produces: 'application/x-ndjson',
  },
  logFields: {
    method: 'GET',
    path: '/api/v1/logs/fields',
    access: 'viewer',
    tag: 'Logs',
    summary: 'Names of the fields of what matches, with counts',
    query: Type.Object({ ...logFilters, ...logValues }, strict),
    answers: { 200: LogValuesSchema },
  },
  logValues: {
    method: 'GET',
    path: '/api/v1/logs/values',
    access: 'viewer',
    tag: 'Logs',
    summary: 'Values of a field of what matches, with counts',
    query: Type.Object({ ...logFilters, field: Type.String({ minLength: 1, maxLength: 200 }), ...logValues }, strict),
    answers: { 200: LogValuesSchema },
  },

  // Metrics (contract §9). Keys that are no parameter are tag filters.
  getMetrics: {
    method: 'GET',
    path: '/api/v1/metrics',
    access: 'viewer',
    tag: 'Metrics',
    summary: 'Query metrics',
    query: Type.Object(
      {
        from: Type.Optional(Instant),
        to: Type.Optional(Instant),
        interval: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(s|m|h|d)$' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1000 })),
        measurement: Type.Optional(Type.String()),
        field: Type.Optional(Type.String()),
      },
      { additionalProperties: Type.String() },
    ),
    answers: { 200: api.MetricsSchema },
  },
  ...METRIC_ROUTES,

  ...SHADOW_ROUTES,
  ...ALERT_ROUTES,
  ...FIND_ROUTES,
  ...DASHBOARD_ROUTES,

  // Access (contract §10)
  listKeys: {
    method: 'GET',
    path: '/api/v1/keys',
    access: 'viewer',
    tag: 'Access',
    summary: 'List API keys',
    query: Paging,
    answers: { 200: PageOf(api.KeySchema) },
  },
  createKey: {
    method: 'POST',
    path: '/api/v1/keys',
    access: 'admin',
    tag: 'Access',
    summary: 'Create an API key',
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200 }),
        workflows: Type.Array(Type.Union([Type.Literal('*'), WorkflowId]), { minItems: 1, maxItems: 1000 }),
        environments: Type.Array(api.EnvironmentSchema, { minItems: 1, maxItems: 3 }),
        expiresAt: Type.Optional(Nullable(Instant)),
        limits: Type.Optional(RateLimitsPatch),
      },
      strict,
    ),
    answers: { 201: api.KeyCreatedSchema },
  },
  updateKey: {
    method: 'PATCH',
    path: '/api/v1/keys/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Rename an API key, or change its limits',
    params: params.id,
    body: Type.Object(
      { name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })), limits: Type.Optional(RateLimitsPatch) },
      strict,
    ),
    answers: { 200: api.KeySchema },
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/v1/keys/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Revoke an API key',
    params: params.id,
    answers: { 204: null },
  },
  rotateKey: {
    method: 'POST',
    path: '/api/v1/keys/:id/rotate',
    access: 'admin',
    tag: 'Access',
    summary: 'Give an API key a new secret',
    params: params.id,
    body: Type.Object(
      { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, default: 0 })) },
      strict,
    ),
    answers: { 200: Type.Object({ id: Type.String(), key: Type.String(), prefix: Type.String() }) },
  },
  listTokens: {
    method: 'GET',
    path: '/api/v1/tokens',
    access: 'viewer',
    tag: 'Access',
    summary: 'List tokens',
    query: Paging,
    answers: { 200: PageOf(api.TokenSchema) },
  },
  createToken: {
    method: 'POST',
    path: '/api/v1/tokens',
    access: 'admin',
    tag: 'Access',
    summary: 'Create a token',
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200 }),
        role: api.RoleSchema,
        expiresAt: Type.Optional(Nullable(Instant)),
      },
      strict,
    ),
    answers: { 201: api.TokenCreatedSchema },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/v1/tokens/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Revoke a token',
    params: params.id,
    answers: { 204: null },
  },
  signIn: {
    method: 'POST',
    path: '/api/v1/session',
    access: 'open',
    tag: 'Access',
    summary: 'Sign a browser in',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 512 }) }, strict),
    answers: { 204: null },
  },
  whoAmI: {
    method: 'GET',
    path: '/api/v1/session',
    access: 'viewer',
    tag: 'Access',
    summary: 'Who is signed in',
    answers: { 200: api.SessionSchema },
  },
  signOut: {
    method: 'DELETE',
    path: '/api/v1/session',
    access: 'open',
    tag: 'Access',
    summary: 'Sign out',
    answers: { 204: null },
  },
  listAudit: {
    method: 'GET',
    path: '/api/v1/audit',
    access: 'viewer',
    tag: 'Access',
    summary: 'Every change, newest first',
    query: Type.Object(
      {
        ...paging,
        action: Type.Optional(Type.String()),
        actor: Type.Optional(Type.String()),
        target: Type.Optional(Type.String({ description: 'Such as workflow:ID; workflow: for all of a kind' })),
      },
      strict,
    ),
    answers: { 200: PageOf(api.AuditSchema) },
  },

  // The master itself
  overview: {
    method: 'GET',
    path: '/api/v1/overview',
    access: 'viewer',
    tag: 'Master',
    summary: 'The state of everything at a glance',
    answers: { 200: api.OverviewSchema },
  },
  getSettings: {
    method: 'GET',
    path: '/api/v1/settings',
    access: 'viewer',
    tag: 'Master',
    summary: 'Limits, ports and versions in force',
    answers: { 200: SettingsSchema },
  },
  patchSettings: {
    method: 'PATCH',
    path: '/api/v1/settings',
    access: 'admin',
    tag: 'Master',
    summary: 'Override settings; null takes an override back',
    body: Type.Record(Type.String(), Any),
    answers: { 200: SettingsSchema },
  },
  backup: {
    method: 'POST',
    path: '/api/v1/backup',
    access: 'admin',
    tag: 'Master',
    summary: 'One checked file with the state of the master',
    answers: { 200: Any },
    produces: 'application/octet-stream',
  },

  // Secrets: values are written, never read back.
  listSecrets: {
    method: 'GET',
    path: '/api/v1/secrets',
    access: 'viewer',
    tag: 'Secrets',
    summary: 'Names of the secrets',
    query: Paging,
    answers: { 200: PageOf(engine.SecretSchema) },
  },
  putSecret: {
    method: 'PUT',
    path: '/api/v1/secrets/:name',
    access: 'admin',
    tag: 'Secrets',
    summary: 'Set a secret',
    params: params.secret,
    body: Type.Object(
      { value: Type.String({ minLength: 1 }), description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) },
      strict,
    ),
    answers: { 200: engine.SecretSchema },
  },
  deleteSecret: {
    method: 'DELETE',
    path: '/api/v1/secrets/:name',
    access: 'admin',
    tag: 'Secrets',
    summary: 'Delete a secret',
    params: params.secret,
    answers: { 204: null },
  },
  stream: {
    method: 'GET',
    path: '/api/v1/stream',
    access: 'viewer',
    tag: 'Master',
    summary: 'Live changes',
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            pattern: '^(now|[0-9]{1,16})$',
            description:
              'As `Last-Event-ID`, which counts where both are given, for those who cannot send it; `now`: begins with an event `cursor`, whose id is where it begins',
          }),
        ),
      },
      strict,
    ),
    answers: { 200: Any },
    produces: 'text/event-stream',
  },
  openapi: {
    method: 'GET',
    path: '/api/v1/openapi.json',
    access: 'open',
    tag: 'Master',
    summary: 'This description',
    answers: { 200: Any },
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    access: 'open',
    tag: 'Master',
    summary: 'The process answers',
    answers: { 200: Any },
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    tag: 'Master',
    summary: 'The master takes work',
    answers: { 200: Any },
  },
  prometheus: {
    method: 'GET',
    path: '/metrics',
    access: 'viewer',
    tag: 'Master',
    summary: 'Prometheus exposition of the master',
    answers: { 200: Any },
    produces: 'text/plain',
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
