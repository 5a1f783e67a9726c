import { type Static, Type } from 'typebox';
import {
  Count,
  EnvironmentSchema,
  JobStatusSchema,
  many,
  Nullable,
  enumOf,
  PageOf,
  paging,
  get,
  post,
  tagged,
  sort,
  Time,
  Closed,
} from './shapes.ts';
import { BulkAcceptedSchema } from './operations.ts';
import { CAUSE_KINDS, FAILURE_SORTS, FAILURE_STATUSES } from './vocabulary.ts';

/** Failure groups: failures that are alike. */

export const FailureStatusSchema = enumOf(FAILURE_STATUSES);

export const FailureCauseSchema = Type.Object({
  kind: enumOf(CAUSE_KINDS),
  /** The path in the input; null for kinds that are not about it. */
  path: Nullable(Type.String()),
  value: Type.String(),
  /** Share of the group's failures, and of the successes of the same workflow and time, that have this value: 0 to 1. */
  failures: Type.Number(),
  successes: Type.Number(),
  fewRuns: Type.Optional(
    Type.Object(
      { failures: Count, successes: Count },
      { description: 'Set where so few runs were compared that only a complete separation says something: how many' },
    ),
  ),
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
  sample: Type.String({ description: 'Latest message, unchanged' }),
  sameMessage: Type.Optional(Type.Boolean({ description: 'All of its failures had the message of sample' })),
  count: Count,
  firstSeenAt: Time,
  lastSeenAt: Time,
  lastJobId: Type.String(),
  lastTaskId: Type.String(),
  environments: Type.Array(Type.Object({ environment: Nullable(EnvironmentSchema), count: Count })),
  commits: Type.Array(Type.Object({ commit: Type.String(), count: Count, lastSeenAt: Time })),
  workers: Type.Array(Type.Object({ workerId: Type.String(), count: Count })),
  /** Failures over time, from the first to the last; absent where none was counted since this is recorded. */
  histogram: Type.Optional(
    Type.Object({ from: Time, stepSeconds: Type.Integer({ minimum: 1 }), counts: Type.Array(Count) }),
  ),
  /** Who resolved or ignored it, and when; null while it is open. */
  decidedAt: Nullable(Time),
  decidedBy: Nullable(Type.String()),
  /** Set where it came back after it was resolved. */
  reopenedAt: Nullable(Time),
  haveSucceeded: Type.Optional(
    Type.Boolean({
      description:
        'In lists: all jobs of the group have since succeeded, themselves or in their latest rerun; not set for groups of more than 1,000 jobs',
    }),
  ),
});
export type FailureGroup = Static<typeof FailureGroupSchema>;

export const FailureDetailSchema = Type.Object({
  ...FailureGroupSchema.properties,
  causes: Type.Array(FailureCauseSchema),
  introducedBy: Type.Optional(
    Nullable(
      Type.String({
        description: 'The version that brought it: jobs of earlier versions succeeded, and none of them failed so',
      }),
    ),
  ),
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
      description: 'Number of latest jobs of the group that were counted (limit failureStanding)',
    }),
    succeeded: Count,
    running: Count,
    failed: Count,
  }),
});
export type FailureDetail = Static<typeof FailureDetailSchema>;

export const failureRoutes = tagged('Failures', {
  // Failure groups
  'failures.list': get('/api/v1/failures', 'viewer', 'List failure groups', {
    query: Closed({
      ...paging,
      sort: sort(...FAILURE_SORTS),
      status: many(FailureStatusSchema),
      workflowId: Type.Optional(Type.String()),
      environment: Type.Optional(EnvironmentSchema),
      node: Type.Optional(Type.String({ maxLength: 100 })),
      code: Type.Optional(Type.String({ maxLength: 100 })),
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the message, node or code' })),
    }),
    answers: { 200: PageOf(FailureGroupSchema) },
  }),
  'failures.get': get('/api/v1/failures/:id', 'viewer', 'Get a failure group with its jobs and likely causes', {
    errors: ['FAILURE_NOT_FOUND'],
    answers: { 200: FailureDetailSchema },
  }),
  'failures.resolve': post(
    '/api/v1/failures/:id/resolve',
    'operator',
    'Resolve a failure group; a new occurrence reopens it',
    { errors: ['FAILURE_NOT_FOUND'], answers: { 200: FailureGroupSchema } },
  ),
  'failures.ignore': post(
    '/api/v1/failures/:id/ignore',
    'operator',
    'Ignore a failure group, including new occurrences',
    { errors: ['FAILURE_NOT_FOUND'], answers: { 200: FailureGroupSchema } },
  ),
  'failures.reopen': post('/api/v1/failures/:id/reopen', 'operator', 'Reopen a failure group', {
    errors: ['FAILURE_NOT_FOUND'],
    answers: { 200: FailureGroupSchema },
  }),
  'failures.retry': post(
    '/api/v1/failures/:id/retry',
    'operator',
    'Retry all jobs of a failure group as a bulk operation',
    { errors: ['FAILURE_NOT_FOUND', 'TOO_MANY_APPROVALS'], answers: { 202: BulkAcceptedSchema } },
  ),
});
