import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  EnvironmentSchema,
  enumOf,
  get,
  Id,
  Json,
  Nullable,
  PageOf,
  Paging,
  paging,
  post,
  tagged,
  Time,
} from './shapes.ts';
import { LinkSchema } from './waits.ts';
import { APPROVAL_KINDS, APPROVAL_STATUSES, OPERATION_KINDS, WAIT_TIMEOUTS } from './vocabulary.ts';

/** Approvals: what a second person has to agree to before it is done. */

export const PublishSubjectSchema = Type.Object({
  workflowId: Type.String(),
  environment: EnvironmentSchema,
  hash: Nullable(Type.String({ description: 'The version to publish; null: unpublish' })),
  current: Nullable(Type.String({ description: 'The version that was published there at the time of the request' })),
  description: Nullable(Type.String()),
});
export type PublishSubject = Static<typeof PublishSubjectSchema>;

export const BulkSubjectSchema = Type.Object({
  action: enumOf(OPERATION_KINDS),
  total: Count,
  filter: Nullable(Json),
  options: Type.Record(Type.String(), Json, { description: 'What else was asked for, such as the version of a rerun' }),
});
export type BulkSubject = Static<typeof BulkSubjectSchema>;

export const SettingsSubjectSchema = Type.Object({
  changes: Type.Record(Type.String(), Json, { description: 'Overrides by name; null removes one' }),
  current: Type.Record(Type.String(), Json, { description: 'What was in force at the time of the request' }),
});
export type SettingsSubject = Static<typeof SettingsSubjectSchema>;

export const WaitSubjectSchema = Type.Object({
  jobId: Type.String(),
  taskId: Type.String(),
  workflowId: Type.String(),
  environment: Nullable(EnvironmentSchema),
  node: Type.String(),
  replica: Count,
  item: Nullable(Count),
  title: Type.String({ description: 'The question' }),
  form: Nullable(Json),
  approvers: Nullable(
    Type.Object(
      { roles: Type.Array(Type.String()), people: Type.Array(Type.String()) },
      { description: 'Null: whoever may operate the jobs' },
    ),
  ),
  onTimeout: enumOf(WAIT_TIMEOUTS),
});
/** What a job waits for at a wait node. */
export type WaitSubject = Static<typeof WaitSubjectSchema>;

export const ApprovalSchema = Type.Object({
  id: Type.String(),
  kind: enumOf(APPROVAL_KINDS),
  status: enumOf(APPROVAL_STATUSES),
  publish: Nullable(PublishSubjectSchema),
  bulk: Nullable(BulkSubjectSchema),
  settings: Nullable(SettingsSubjectSchema),
  wait: Nullable(WaitSubjectSchema),
  requestedBy: Type.String(),
  requestedAt: Time,
  expiresAt: Time,
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Time),
  comment: Nullable(Type.String({ description: 'Of who decided' })),
  override: Type.Boolean({ description: 'An admin approved alone' }),
  operation: Nullable(Type.String({ description: 'The bulk operation that was started' })),
  mayDecide: Type.Optional(Type.Boolean({ description: 'A wait: you are one of its approvers' })),
  mine: Type.Optional(Type.Boolean({ description: 'You requested it: another person must decide' })),
});
export type Approval = Static<typeof ApprovalSchema>;

const comment = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));

export const approvalRoutes = tagged('Approvals', {
  'approvals.list': get('/api/v1/approvals', 'viewer', 'List requests for approval, newest first', {
    query: Closed({
      ...paging,
      status: Type.Optional(enumOf(APPROVAL_STATUSES)),
      kind: Type.Optional(enumOf(APPROVAL_KINDS)),
    }),
    answers: { 200: PageOf(ApprovalSchema) },
  }),
  'approvals.get': get('/api/v1/approvals/:id', 'viewer', 'Get a request for approval', {
    errors: ['APPROVAL_NOT_FOUND'],
    answers: { 200: ApprovalSchema },
  }),
  'approvals.jobs': get('/api/v1/approvals/:id/jobs', 'viewer', 'Jobs that a bulk operation would touch', {
    query: Paging,
    errors: ['APPROVAL_NOT_FOUND'],
    answers: { 200: PageOf(Type.Object({ jobId: Id })) },
  }),
  'approvals.decide': post('/api/v1/approvals/:id', 'operator', 'Approve or reject (prod: admin)', {
    body: Closed({
      decision: enumOf(['approve', 'reject'] as const),
      comment,
      form: Type.Optional(Nullable(Json)),
      expected: Type.Optional(
        Nullable(
          Type.String({
            pattern: '^[0-9a-f]{40}$',
            description: 'The version that is published now, where it is another one than at the time of the request',
          }),
        ),
      ),
      override: Type.Optional(
        Type.Boolean({
          description: 'Approve alone, as an admin, with the reason as comment; a setting must allow it',
        }),
      ),
    }),
    errors: [
      'APPROVAL_NOT_FOUND',
      'ALREADY_DECIDED',
      'APPROVAL_EXPIRED',
      'SECOND_PERSON_NEEDED',
      'WORKFLOW_NOT_FOUND',
      'COMMIT_NOT_FOUND',
      'ENVIRONMENT_MOVED',
      'SETTINGS_MOVED',
      'NOT_PUBLISHED',
      'INVALID_DAG',
      'INPUT_INVALID',
    ],
    answers: { 200: ApprovalSchema },
  }),
  'approvals.link': post(
    '/api/v1/approvals/:id/links',
    'operator',
    'Make a one-time link to decide without an account',
    {
      body: Closed({
        for: Type.String({ minLength: 1, maxLength: 200, description: 'Whom it is for; named in the audit log' }),
        expiresSeconds: Type.Optional(
          Type.Integer({ minimum: 60, maximum: 31_622_400, description: 'Default: a week' }),
        ),
      }),
      errors: ['APPROVAL_NOT_FOUND', 'ALREADY_DECIDED'],
      answers: { 201: LinkSchema },
    },
  ),
  'approvals.withdraw': post('/api/v1/approvals/:id/withdraw', 'operator', 'Take back your own request', {
    errors: ['APPROVAL_NOT_FOUND', 'ALREADY_DECIDED', 'APPROVAL_EXPIRED'],
    answers: { 200: ApprovalSchema },
  }),
});
