import { type Static, Type } from 'typebox';
import { ApprovalSchema } from './approvals.ts';
import { jobFilters } from './jobs.ts';
import {
  Count,
  EnvironmentSchema,
  Id,
  Json,
  Nullable,
  enumOf,
  PageOf,
  Paging,
  paging,
  post,
  get,
  tagged,
  Time,
  Closed,
  VERSION_NAME,
} from './shapes.ts';
import { LISTED_OPERATION_KINDS, OPERATION_STATUSES } from './vocabulary.ts';

/** Bulk operations: one action on many jobs. */

/** How long the jobs that a dry run counted are kept for a start that names them. */
export const SNAPSHOT_SECONDS = 15 * 60;

export const OperationKindSchema = enumOf(LISTED_OPERATION_KINDS);
export const OperationStatusSchema = enumOf(OPERATION_STATUSES);

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
        description: 'Only for reruns: the requested version, a hash or published; null: the commit of each job',
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
  same: Type.Integer({ minimum: 0, description: 'Number of these jobs that already ran on this commit' }),
});
export type RerunVersion = Static<typeof RerunVersionSchema>;

/** Why a job is not eligible is a code: TERMINAL, NON_RETRYABLE, RETRIES_LEFT, NOTHING_FAILED, NOT_FOUND … */
export const BulkDryRunSchema = Type.Object({
  count: Count,
  eligible: Count,
  ineligible: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
  snapshot: Type.String({
    description:
      'Send it instead of ids or filter within 15 minutes: the operation then touches the jobs counted here, and no others',
  }),
  needsApproval: Type.Optional(
    Type.Literal(true, { description: 'The operation starts only once a second person has approved it' }),
  ),
  versions: Type.Optional(
    Type.Array(RerunVersionSchema, {
      description: 'Only for reruns: the commits that the eligible jobs would run on, most jobs first, at most 20',
    }),
  ),
  unchecked: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Only for reruns: eligible jobs whose inputs were not yet validated against a changed input schema, because the time limit was reached; they are validated when they are rerun',
    }),
  ),
});
export type BulkDryRun = Static<typeof BulkDryRunSchema>;

export const OperationResultSchema = Type.Object({
  jobId: Type.String(),
  ok: Type.Boolean(),
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  newJobId: Type.Optional(Nullable(Type.String({ description: 'Only for reruns: the new job' }))),
});
export type OperationResult = Static<typeof OperationResultSchema>;

/** The jobs that a dry run counted. */
export const SnapshotSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'From a dry run: the jobs that it counted',
});

const target = {
  ids: Type.Optional(Type.Array(Id, { minItems: 1 })),
  filter: Type.Optional(Closed(jobFilters, { description: 'The same filters as the query of the job list' })),
  snapshot: Type.Optional(SnapshotSchema),
  all: Type.Optional(Type.Boolean({ description: 'Allows an empty filter, which matches every job' })),
  dryRun: Type.Optional(Type.Boolean({ description: 'Dry run: only count' })),
};

const Bulk = Closed(target, { description: 'Exactly one of ids, filter and snapshot' });

const BulkRetry = Closed(
  {
    ...target,
    includeNonRetryable: Type.Optional(Type.Boolean({ description: 'Include jobs whose errors a retry does not fix' })),
  },
  { description: 'Exactly one of ids, filter and snapshot' },
);

const BulkRerun = Closed(
  {
    ...target,
    commit: Type.Optional(
      Type.String({
        pattern: VERSION_NAME,
        description:
          'Commit hash, tag or number (v12), or published: the version published in the environment of each job at that time; default: the commit of each job',
      }),
    ),
    includeCompleted: Type.Optional(Type.Boolean({ description: 'Include jobs without failures' })),
    includeRerun: Type.Optional(Type.Boolean({ description: 'Include jobs that were already rerun' })),
  },
  { description: 'Exactly one of ids, filter and snapshot' },
);

/** The operation, or the request for approval where a second person must agree first. */
export const BulkAcceptedSchema = Type.Union([Type.Object({ operationId: Type.String() }), ApprovalSchema]);

export const operationRoutes = tagged('Operations', {
  'operations.kill': post('/api/v1/jobs/bulk/kill', 'operator', 'Kill jobs in bulk', {
    body: Bulk,
    errors: ['SEARCH_TOO_BROAD', 'QUERY_INVALID', 'FILTER_EMPTY', 'SNAPSHOT_EXPIRED', 'TOO_MANY_APPROVALS'],
    answers: { 200: BulkDryRunSchema, 202: BulkAcceptedSchema },
  }),
  'operations.retry': post('/api/v1/jobs/bulk/retry', 'operator', 'Retry jobs in bulk', {
    body: BulkRetry,
    errors: ['SEARCH_TOO_BROAD', 'QUERY_INVALID', 'FILTER_EMPTY', 'SNAPSHOT_EXPIRED', 'TOO_MANY_APPROVALS'],
    answers: { 200: BulkDryRunSchema, 202: BulkAcceptedSchema },
  }),
  'operations.rerun': post('/api/v1/jobs/bulk/rerun', 'operator', 'Rerun jobs in bulk as new jobs', {
    body: BulkRerun,
    errors: ['SEARCH_TOO_BROAD', 'QUERY_INVALID', 'FILTER_EMPTY', 'SNAPSHOT_EXPIRED', 'TOO_MANY_APPROVALS'],
    answers: { 200: BulkDryRunSchema, 202: BulkAcceptedSchema },
  }),
  'operations.list': get('/api/v1/operations', 'viewer', 'List bulk operations, newest first', {
    query: Paging,
    answers: { 200: PageOf(OperationSchema) },
  }),
  'operations.get': get('/api/v1/operations/:id', 'viewer', 'Get a bulk operation and its progress', {
    errors: ['OPERATION_NOT_FOUND'],
    answers: { 200: OperationSchema },
  }),
  'operations.results': get('/api/v1/operations/:id/results', 'viewer', 'Results of each job, in processing order', {
    query: Closed({ ...paging, ok: Type.Optional(Type.Boolean()) }),
    errors: ['OPERATION_NOT_FOUND'],
    answers: { 200: PageOf(OperationResultSchema) },
  }),
  'operations.abort': post(
    '/api/v1/operations/:id/abort',
    'operator',
    'Stop a bulk operation; completed work is not undone',
    { errors: ['OPERATION_NOT_FOUND'], answers: { 200: OperationSchema } },
  ),
});
