import { type Static, Type } from 'typebox';
import {
  Count,
  EnvironmentSchema,
  Hash,
  JobStatusSchema,
  Json,
  Nullable,
  enumOf,
  PageOf,
  paging,
  post,
  get,
  put,
  tagged,
  Time,
  Closed,
} from './shapes.ts';
import { SHADOW_STATUSES, SHADOW_VERDICTS } from './vocabulary.ts';

/** Backtests: recorded inputs of an environment, replayed on another version. */

/** Which jobs of the environment are taken. Only finished event calls and batches are; the newest first. */
export const ShadowWhereSchema = Closed({
  status: Type.Optional(Type.Array(JobStatusSchema, { maxItems: 10 })),
  createdFrom: Type.Optional(Type.String({ format: 'date-time' })),
  createdTo: Type.Optional(Type.String({ format: 'date-time' })),
});
export type ShadowWhere = Static<typeof ShadowWhereSchema>;

export const ShadowReplaySchema = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  commit: Type.String({ description: 'The tested version' }),
  environment: EnvironmentSchema,
  against: Nullable(Type.String({ description: 'The published version when the backtest started' })),
  where: ShadowWhereSchema,
  status: enumOf(SHADOW_STATUSES),
  total: Count,
  done: Count,
  summary: Type.Object({ same: Count, different: Count, failing: Count, mended: Count, unknown: Count }),
  /** Places that differ in the answers, `*` for every index, and in how many inputs; the most frequent first. Ignored ones are not among them. */
  paths: Type.Array(Type.Object({ path: Type.String(), inputs: Count })),
  warnings: Type.Array(Type.String()),
  createdAt: Time,
  finishedAt: Nullable(Time),
  createdBy: Type.String(),
});
export type ShadowReplay = Static<typeof ShadowReplaySchema>;

const TrialErrorSchema = Type.Object({ node: Type.String(), code: Type.String(), message: Type.String() });

export const ShadowResultSchema = Type.Object({
  number: Count,
  jobId: Type.String(),
  /** The input of the job, counted from 0. */
  replica: Count,
  /** The commit that the job ran. */
  commit: Type.String(),
  verdict: enumOf(SHADOW_VERDICTS),
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  /** All that differs is ignored. */
  ignored: Type.Boolean(),
  differences: Type.Array(
    Type.Object({
      path: Type.String(),
      kind: enumOf(['added', 'removed', 'changed'] as const),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
      ignored: Type.Boolean(),
    }),
  ),
  differencesTotal: Count,
  assumptions: Type.Array(Type.Object({ node: Type.String(), message: Type.String() })),
  /** Milliseconds of the nodes that were run here, when they were recorded and now. */
  msBefore: Nullable(Type.Number()),
  msAfter: Nullable(Type.Number()),
  errorBefore: Nullable(TrialErrorSchema),
  errorAfter: Nullable(TrialErrorSchema),
});
export type ShadowResult = Static<typeof ShadowResultSchema>;

export const ShadowDetailSchema = Type.Object({
  ...ShadowResultSchema.properties,
  input: Json,
  before: Json,
  after: Json,
  cut: Type.Boolean({ description: 'The outputs were too large to store; only the differences are available' }),
});
export type ShadowDetail = Static<typeof ShadowDetailSchema>;

export const ShadowBodySchema = Closed({
  commit: Hash,
  environment: EnvironmentSchema,
  count: Type.Optional(Type.Integer({ minimum: 1, description: 'Max. inputs; default 50' })),
  where: Type.Optional(ShadowWhereSchema),
});

/** A JSON pointer with `*` for any index or key. What lies under it is ignored too. */
const Path = Type.String({ maxLength: 500, pattern: '^(/.*)?$' });

export const ShadowIgnoresSchema = Closed({ paths: Type.Array(Path, { maxItems: 200 }) });
export type ShadowIgnores = Static<typeof ShadowIgnoresSchema>;

const Workflow = Type.Object({ id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }) });

const Result = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  number: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

export const shadowRoutes = tagged('Backtests', {
  'shadowReplays.start': post(
    '/api/v1/workflows/:id/shadow-replays',
    'operator',
    'Start a backtest: replay recorded inputs of an environment on another commit, without external calls or jobs',
    {
      params: Workflow,
      body: ShadowBodySchema,
      errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS', 'NOT_PUBLISHED', 'INVALID_DAG'],
      answers: { 202: ShadowReplaySchema },
    },
  ),
  'shadowReplays.list': get(
    '/api/v1/workflows/:id/shadow-replays',
    'viewer',
    'List backtests of a workflow, newest first',
    {
      params: Workflow,
      query: Closed({ ...paging, commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })) }),
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 200: PageOf(ShadowReplaySchema) },
    },
  ),
  'shadowReplays.get': get('/api/v1/shadow-replays/:id', 'viewer', 'Get a backtest and its progress', {
    errors: ['SHADOW_NOT_FOUND'],
    answers: { 200: ShadowReplaySchema },
  }),
  'shadowReplays.results': get('/api/v1/shadow-replays/:id/results', 'viewer', 'Results of each input', {
    query: Closed({ ...paging, verdict: Type.Optional(enumOf(SHADOW_VERDICTS)) }),
    errors: ['SHADOW_NOT_FOUND'],
    answers: { 200: PageOf(ShadowResultSchema) },
  }),
  'shadowReplays.result': get('/api/v1/shadow-replays/:id/results/:number', 'viewer', 'One input with both outputs', {
    params: Result,
    errors: ['SHADOW_NOT_FOUND'],
    answers: { 200: ShadowDetailSchema },
  }),
  'shadowReplays.abort': post('/api/v1/shadow-replays/:id/abort', 'operator', 'Stop a backtest; its results are kept', {
    errors: ['SHADOW_NOT_FOUND'],
    answers: { 200: ShadowReplaySchema },
  }),
  'shadowIgnores.get': get(
    '/api/v1/workflows/:id/shadow-ignores',
    'viewer',
    'List ignored paths in the outputs of a workflow',
    { params: Workflow, errors: ['WORKFLOW_NOT_FOUND'], answers: { 200: ShadowIgnoresSchema } },
  ),
  'shadowIgnores.replace': put(
    '/api/v1/workflows/:id/shadow-ignores',
    'operator',
    'Replace the ignored paths; also applies to earlier backtests',
    {
      params: Workflow,
      body: ShadowIgnoresSchema,
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 200: ShadowIgnoresSchema },
    },
  ),
});
