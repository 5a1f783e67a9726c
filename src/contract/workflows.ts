import { type Static, Type } from 'typebox';
import { ApprovalSchema } from './approvals.ts';
import { DefinitionSchema, DefinitionFaultSchema, DefinitionWarningSchema, type WorkflowNode } from './definition.ts';
import { RateLimitsPatch, RateLimitsSchema } from './rate-limits.ts';
import {
  Count,
  EnvironmentSchema,
  Hash,
  Json,
  Nullable,
  enumOf,
  PageOf,
  paging,
  Paging,
  get,
  post,
  patch,
  remove,
  put,
  tagged,
  sort,
  Time,
  Closed,
  WholeHash,
} from './shapes.ts';
import { IMPACT_VERDICTS, WORKFLOW_ID } from './vocabulary.ts';

/** Workflows, their versions and publications. */

export const PublicationSummary = Type.Object({
  environment: EnvironmentSchema,
  hash: Nullable(WholeHash),
  number: Type.Optional(Nullable(Type.Integer({ description: 'Number of the version, counted from 1' }))),
  description: Nullable(Type.String()),
  publishedAt: Nullable(Time),
  publishedBy: Nullable(Type.String()),
});
export type EnvironmentPointer = Static<typeof PublicationSummary>;

export const WorkflowSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  project: Type.Optional(Type.String({ description: 'ID of its project; a master that knows no projects gives none' })),
  head: Nullable(Type.String({ ...WholeHash, description: 'Hash of the latest version' })),
  environments: Type.Array(PublicationSummary),
  limits: RateLimitsSchema,
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Nullable(Time),
});
export type Workflow = Static<typeof WorkflowSchema>;

export const WorkflowId = Type.String({ pattern: WORKFLOW_ID });

export const CommitSchema = Type.Object({
  hash: WholeHash,
  number: Type.Optional(Type.Integer({ description: 'Place among the versions of the workflow, counted from 1' })),
  tags: Type.Optional(Type.Array(Type.String())),
  parent: Nullable(WholeHash),
  restores: Nullable(Type.String({ description: 'The latest version before its parent with the same definition' })),
  message: Type.String(),
  author: Type.Object({ name: Type.String(), email: Type.String() }),
  createdAt: Time,
  description: Nullable(Type.String({ description: 'Description of its latest publication' })),
  environments: Type.Array(EnvironmentSchema),
  valid: Type.Boolean(),
});
export type Commit = Static<typeof CommitSchema>;

export const CommitDetailSchema = Type.Object({
  ...CommitSchema.properties,
  definition: DefinitionSchema,
  faults: Type.Array(DefinitionFaultSchema),
});
export type CommitDetail = Static<typeof CommitDetailSchema>;

const Patch = Type.Array(
  Type.Object(
    { op: Type.String(), path: Type.String() },
    { additionalProperties: true, description: 'RFC 6902 operation' },
  ),
);

const EdgeOut = Type.Object({ from: Type.String(), to: Type.String(), port: Type.Optional(Type.String()) });

/** As it was saved, perhaps by an earlier version: typed, not checked. */
const StoredNode = Type.Unsafe<WorkflowNode>(Json);

export const DiffSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  nodes: Type.Object({
    added: Type.Array(StoredNode),
    removed: Type.Array(StoredNode),
    changed: Type.Array(Type.Object({ id: Type.String(), patch: Patch })),
  }),
  edges: Type.Object({ added: Type.Array(EdgeOut), removed: Type.Array(EdgeOut) }),
  settings: Patch,
});
export type CommitDiff = Static<typeof DiffSchema>;

export const PublicationSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentSchema,
  hash: Nullable(Type.String()),
  number: Type.Optional(Nullable(Type.Integer({ description: 'Number of the version, counted from 1' }))),
  previousHash: Nullable(Type.String()),
  previousNumber: Type.Optional(Nullable(Type.Integer({ description: 'Number of the version before' }))),
  description: Nullable(Type.String()),
  publishedAt: Time,
  publishedBy: Type.String({ description: 'Who asked for it, where it needed approval' }),
  approvedBy: Type.Optional(Type.String({ description: 'Left out: it needed no approval' })),
});
export type Publication = Static<typeof PublicationSchema>;

const SideSchema = Type.Object({
  from: Time,
  /** Exclusive. */
  to: Time,
  jobs: Count,
  /** Of the finished ones, those that ended otherwise than COMPLETED or EMPTY. */
  failed: Count,
  finished: Count,
  /** failed ÷ finished, 0 to 1; null: none has finished. */
  failureRate: Nullable(Type.Number()),
  jobsPerMinute: Type.Number(),
  /** Of finished jobs, milliseconds from creation to end; null: none has finished. */
  p50Ms: Nullable(Type.Number()),
  p95Ms: Nullable(Type.Number()),
  /** There were more jobs than are looked at: those nearest to the publication count. */
  sampled: Type.Boolean(),
});
export type ImpactSide = Static<typeof SideSchema>;

export const ImpactSchema = Type.Object({
  publication: PublicationSchema,
  before: SideSchema,
  after: SideSchema,
  /** `unclear`: too few jobs on a side to say. */
  verdict: enumOf(IMPACT_VERDICTS),
  /** One sentence for people, with the numbers in it. */
  message: Type.String(),
});
export type Impact = Static<typeof ImpactSchema>;

const WorkflowParams = Type.Object({ id: Type.String() });
/** A name of a version; what could be a hash is none. */
export const VERSION_TAG = '^(?![0-9a-f]{4,40}$)[A-Za-z0-9][A-Za-z0-9._-]{0,49}$';
const TagParams = Type.Object({ id: Type.String(), tag: Type.String({ pattern: VERSION_TAG }) });
const CommitParams = Type.Object({ id: Type.String(), hash: Hash });
const DiffParams = Type.Object({ id: Type.String(), a: Hash, b: Hash });
const EnvironmentParams = Type.Object({ id: Type.String(), environment: EnvironmentSchema });

export const workflowRoutes = {
  ...tagged('Workflows', {
    'workflows.list': get('/api/v1/workflows', 'viewer', 'List workflows', {
      query: Closed({
        ...paging,
        sort: sort('id', 'name', 'createdAt', 'updatedAt'),
        q: Type.Optional(Type.String()),
        archived: Type.Optional(Type.Boolean()),
        project: Type.Optional(Type.String({ description: 'ID of a project' })),
      }),
      answers: { 200: PageOf(WorkflowSchema) },
    }),
    'workflows.create': post('/api/v1/workflows', 'operator', 'Create a workflow', {
      body: Closed({
        id: WorkflowId,
        name: Type.String({ minLength: 1, maxLength: 200 }),
        description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
        project: Type.Optional(Type.String({ maxLength: 63, description: 'ID of a project; left out: default' })),
      }),
      errors: ['WORKFLOW_EXISTS', 'PROJECT_NOT_FOUND'],
      answers: { 201: WorkflowSchema },
    }),
    'workflows.get': get('/api/v1/workflows/:id', 'viewer', 'Get a workflow', {
      params: WorkflowParams,
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 200: WorkflowSchema },
    }),
    'workflows.update': patch(
      '/api/v1/workflows/:id',
      'operator',
      'Update the name, description, limits or project of a workflow',
      {
        params: WorkflowParams,
        body: Closed({
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
          limits: Type.Optional(RateLimitsPatch),
          project: Type.Optional(Type.String({ maxLength: 63, description: 'Moves it to another project' })),
        }),
        errors: ['WORKFLOW_NOT_FOUND', 'PROJECT_NOT_FOUND'],
        answers: { 200: WorkflowSchema },
      },
    ),
    'workflows.archive': remove('/api/v1/workflows/:id', 'admin', 'Archive a workflow; its history is kept', {
      params: WorkflowParams,
      errors: ['WORKFLOW_NOT_FOUND', 'SECOND_PERSON_NEEDED'],
      answers: { 204: null },
    }),
    'workflows.check': post(
      '/api/v1/workflows/:id/check',
      'viewer',
      'Validate a draft without saving it: errors, and warnings about calls to unpublished workflows, unconnected ports and fields that the input schema does not have',
      {
        params: WorkflowParams,
        body: Closed({ definition: DefinitionSchema }),
        errors: ['WORKFLOW_NOT_FOUND'],
        answers: {
          200: Type.Object({
            faults: Type.Array(DefinitionFaultSchema),
            warnings: Type.Array(DefinitionWarningSchema),
          }),
        },
      },
    ),
  }),
  ...tagged('Versions', {
    'commits.create': post('/api/v1/workflows/:id/commits', 'operator', 'Save a version', {
      params: WorkflowParams,
      body: Closed({
        definition: DefinitionSchema,
        message: Type.String({ minLength: 1, maxLength: 10_000 }),
        parent: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-f]{40}$' }))),
      }),
      errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS', 'STALE_PARENT'],
      answers: { 201: CommitDetailSchema },
    }),
    'commits.list': get('/api/v1/workflows/:id/commits', 'viewer', 'List versions, newest first', {
      params: WorkflowParams,
      query: Paging,
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 200: PageOf(CommitSchema) },
    }),
    'commits.get': get('/api/v1/workflows/:id/commits/:hash', 'viewer', 'Get a version with its definition', {
      params: CommitParams,
      errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS'],
      answers: { 200: CommitDetailSchema },
    }),
    'commits.tag': put('/api/v1/workflows/:id/tags/:tag', 'operator', 'Tag a version; an existing tag is moved', {
      params: TagParams,
      body: Closed({ hash: Hash }),
      errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS'],
      answers: { 200: CommitSchema },
    }),
    'commits.untag': remove('/api/v1/workflows/:id/tags/:tag', 'operator', 'Remove a tag', {
      params: TagParams,
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 204: null },
    }),
    'commits.diff': get('/api/v1/workflows/:id/commits/:a/diff/:b', 'viewer', 'Diff of two versions', {
      params: DiffParams,
      errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS'],
      answers: { 200: DiffSchema },
    }),
  }),
  ...tagged('Publication', {
    'workflows.environments': get(
      '/api/v1/workflows/:id/environments',
      'viewer',
      'List the published version of each environment',
      {
        params: WorkflowParams,
        errors: ['WORKFLOW_NOT_FOUND'],
        answers: { 200: Type.Object({ items: Type.Array(PublicationSummary) }) },
      },
    ),
    'workflows.publish': put(
      '/api/v1/workflows/:id/environments/:environment',
      'operator',
      'Publish a version (prod: admin)',
      {
        params: EnvironmentParams,
        body: Closed({
          hash: Hash,
          description: Type.Optional(Type.String({ maxLength: 2000 })),
          expected: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-f]{40}$' }))),
          override: Type.Optional(Type.Boolean({ description: 'Publish although tests fail; admin only' })),
        }),
        errors: [
          'TESTS_FAILED',
          'WORKFLOW_NOT_FOUND',
          'COMMIT_NOT_FOUND',
          'COMMIT_AMBIGUOUS',
          'ENVIRONMENT_MOVED',
          'INVALID_DAG',
          'TOO_MANY_APPROVALS',
        ],
        answers: { 200: PublicationSummary, 202: ApprovalSchema },
      },
    ),
    'workflows.unpublish': remove(
      '/api/v1/workflows/:id/environments/:environment',
      'operator',
      'Unpublish a workflow from an environment (prod: admin)',
      {
        params: EnvironmentParams,
        query: Closed({
          expected: Type.Optional(
            Type.String({ pattern: '^[0-9a-f]{40}$', description: 'Rejected if another version is published' }),
          ),
        }),
        errors: ['WORKFLOW_NOT_FOUND', 'ENVIRONMENT_MOVED', 'NOT_PUBLISHED', 'TOO_MANY_APPROVALS'],
        answers: { 202: ApprovalSchema, 204: null },
      },
    ),
    'publications.list': get('/api/v1/workflows/:id/publications', 'viewer', 'Publish history, newest first', {
      params: WorkflowParams,
      query: Paging,
      errors: ['WORKFLOW_NOT_FOUND'],
      answers: { 200: PageOf(PublicationSchema) },
    }),
    'publications.impact': get(
      '/api/v1/workflows/:id/publications/impact',
      'viewer',
      'Impact of each publication: failures, throughput and durations before and after',
      {
        params: WorkflowParams,
        query: Closed({
          ...paging,
          environment: Type.Optional(EnvironmentSchema),
          window: Type.Optional(
            Type.String({
              pattern: '^[1-9][0-9]{0,3}[mhd]$',
              description: 'Max. period before and after; default 1h, at most 7d',
            }),
          ),
        }),
        errors: ['WORKFLOW_NOT_FOUND'],
        answers: { 200: PageOf(ImpactSchema) },
      },
    ),
  }),
};
