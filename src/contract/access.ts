import { type Static, Type } from 'typebox';
import { ACTIONS } from './actions.ts';
import { LabelsSchema } from './jobs.ts';
import { RateLimitsPatch, RateLimitsSchema } from './rate-limits.ts';
import {
  enumOf,
  EnvironmentSchema,
  Instant,
  Json,
  Nullable,
  PageOf,
  Paging,
  paging,
  RoleSchema,
  get,
  post,
  patch,
  remove,
  tagged,
  Time,
  Closed,
} from './shapes.ts';
import { ENVIRONMENTS } from './vocabulary.ts';
import { WorkerSchema } from './workers.ts';
import { WorkflowId } from './workflows.ts';

/** Access: API keys, tokens, sessions, and the audit log. */

export const ActionSchema = enumOf(ACTIONS);

/** Who made what belongs to nobody, and outlives them. */
const MadeByUserId = Type.Optional(
  Type.String({ description: 'The person who made it and whom it outlives; left out: no person' }),
);

export const KeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  workflows: Type.Array(Type.String()),
  project: Type.Optional(Type.String({ description: 'ID of its project; a master that knows no projects gives none' })),
  environments: Type.Array(EnvironmentSchema),
  limits: RateLimitsSchema,
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  madeByUserId: MadeByUserId,
});
export type ApiKey = Static<typeof KeySchema>;

export const KeyCreatedSchema = Type.Object({
  ...KeySchema.properties,
  key: Type.String({ description: 'Shown once' }),
});
export type ApiKeyCreated = Static<typeof KeyCreatedSchema>;

export const TokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: RoleSchema,
  prefix: Type.String(),
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
  environments: Nullable(
    Type.Array(EnvironmentSchema, {
      description: 'Its workers run only tasks of these; null: of all. Only of workers',
    }),
  ),
  labels: Type.Record(Type.String(), Type.String(), {
    description: 'Set on its workers, over their own. Only of workers',
  }),
  userId: Type.Optional(Type.String({ description: 'Whose it is; left out: nobody’s' })),
  madeByUserId: MadeByUserId,
});
export type Token = Static<typeof TokenSchema>;

export const TokenCreatedSchema = Type.Object({
  ...TokenSchema.properties,
  token: Type.String({ description: 'Shown once' }),
});
export type TokenCreated = Static<typeof TokenCreatedSchema>;

/** A connection of a worker that was turned away. */
export const WorkerRefusalSchema = Type.Object({
  at: Time,
  address: Nullable(Type.String({ description: 'Where it came from; null: over the socket file of this machine' })),
  code: Type.String(),
  message: Type.String(),
});
export type WorkerRefusal = Static<typeof WorkerRefusalSchema>;

const TokenUseSchema = Type.Object({
  workers: Type.Array(WorkerSchema, { description: 'Those that joined with it' }),
  refused: Type.Array(WorkerRefusalSchema, {
    description: 'Connections of workers that were refused lately, whatever their token; the newest first',
  }),
});
export type TokenUse = Static<typeof TokenUseSchema>;

export const SessionSchema = Type.Object({
  actor: Type.String(),
  role: RoleSchema,
  expiresAt: Nullable(Time),
  user: Type.Optional(
    Type.Object(
      {
        id: Type.String(),
        login: Type.String(),
        name: Type.String(),
        source: Type.Unsafe<'local' | 'oidc'>({ type: 'string', enum: ['local', 'oidc'] }),
        hasGrants: Type.Boolean({ description: 'False: may do nothing yet' }),
      },
      { description: 'The person or service account it belongs to; left out: none' },
    ),
  ),
  grants: Type.Optional(
    Type.Array(
      Type.Object({
        role: Type.String(),
        actions: Type.Array(ActionSchema),
        project: Nullable(Type.String({ description: 'Null: all projects, and what belongs to none' })),
        environments: Nullable(Type.Array(EnvironmentSchema, { description: 'Null: all' })),
      }),
      { description: 'What they may do where; left out: `role` holds everywhere' },
    ),
  ),
});
export type Session = Static<typeof SessionSchema>;

export const OpenSessionSchema = Type.Object({
  id: Type.String(),
  actor: Type.String(),
  role: RoleSchema,
  tokenId: Nullable(Type.String({ description: 'The token it was made from; null: a one-time sign-in code' })),
  createdAt: Nullable(Time),
  expiresAt: Nullable(Time),
  lastSeenAt: Nullable(Time),
  address: Nullable(Type.String()),
  client: Nullable(Type.String({ description: 'What the browser calls itself' })),
  current: Type.Boolean({ description: 'The session of this very request' }),
});
export type OpenSession = Static<typeof OpenSessionSchema>;

export const AuditSchema = Type.Object({
  id: Type.String(),
  at: Time,
  actor: Type.String(),
  role: Nullable(RoleSchema),
  address: Nullable(Type.String()),
  action: Type.String(),
  target: Type.String(),
  before: Json,
  after: Json,
  number: Type.Integer({
    description: 'Place in its chain: changes count up from 1, uses of secrets and reads of payloads down from -1',
  }),
  hash: Nullable(Type.String({ description: 'SHA-256 of the entry and of the hash before it, Base64' })),
});
export type AuditEntry = Static<typeof AuditSchema>;

export type AuditChain = 'changes' | 'uses';
const LinkSchema = Type.Object({ number: Type.Integer(), hash: Nullable(Type.String()) });
export const AuditVerdictSchema = Type.Object({
  ok: Type.Boolean(),
  chains: Type.Array(
    Type.Object({
      chain: Type.Unsafe<AuditChain>({ type: 'string', enum: ['changes', 'uses'] }),
      entries: Type.Integer({ description: 'Entries that fit' }),
      anchor: LinkSchema,
      head: LinkSchema,
      fault: Nullable(Type.Object({ number: Type.Integer(), id: Type.String(), reason: Type.String() })),
    }),
  ),
});
export type AuditVerdict = Static<typeof AuditVerdictSchema>;

export const accessRoutes = tagged('Access', {
  'keys.list': get('/api/v1/keys', 'viewer', 'List API keys', { query: Paging, answers: { 200: PageOf(KeySchema) } }),
  'keys.create': post('/api/v1/keys', 'admin', 'Create an API key', {
    body: Closed({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      workflows: Type.Array(Type.Union([Type.Literal('*'), WorkflowId]), {
        minItems: 1,
        maxItems: 1000,
        description: '`*`: every workflow of the project of the key, and of no other',
      }),
      environments: Type.Array(EnvironmentSchema, { minItems: 1, maxItems: 3 }),
      expiresAt: Type.Optional(Nullable(Instant)),
      limits: Type.Optional(RateLimitsPatch),
      project: Type.Optional(Type.String({ maxLength: 63, description: 'ID of a project; left out: default' })),
    }),
    errors: ['PROJECT_NOT_FOUND'],
    answers: { 201: KeyCreatedSchema },
  }),
  'keys.update': patch('/api/v1/keys/:id', 'admin', 'Change the name, limits or project of an API key', {
    body: Closed({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limits: Type.Optional(RateLimitsPatch),
      project: Type.Optional(Type.String({ maxLength: 63, description: 'Moves it to another project' })),
    }),
    errors: ['KEY_NOT_FOUND', 'PROJECT_NOT_FOUND'],
    answers: { 200: KeySchema },
  }),
  'keys.revoke': remove('/api/v1/keys/:id', 'admin', 'Revoke an API key', {
    errors: ['KEY_NOT_FOUND'],
    answers: { 204: null },
  }),
  'keys.rotate': post('/api/v1/keys/:id/rotate', 'admin', 'Rotate the secret of an API key', {
    body: Closed({ overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, default: 0 })) }),
    errors: ['KEY_NOT_FOUND'],
    answers: { 200: Type.Object({ id: Type.String(), key: Type.String(), prefix: Type.String() }) },
  }),
  'tokens.list': get('/api/v1/tokens', 'viewer', 'List tokens', {
    query: Paging,
    answers: { 200: PageOf(TokenSchema) },
  }),
  'tokens.create': post('/api/v1/tokens', 'admin', 'Create a token', {
    body: Closed({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      role: RoleSchema,
      expiresAt: Type.Optional(Nullable(Instant)),
      environments: Type.Optional(
        Nullable(
          Type.Array(EnvironmentSchema, {
            minItems: 1,
            maxItems: ENVIRONMENTS.length,
            description:
              'Only with the role worker: its workers get only tasks of jobs in these environments, and no draft runs. Null or left out: all',
          }),
        ),
      ),
      labels: Type.Optional({
        ...LabelsSchema,
        description: 'Only with the role worker: labels of its workers, which they cannot change',
      }),
    }),
    answers: { 201: TokenCreatedSchema },
  }),
  'tokens.workers': get('/api/v1/tokens/:id/workers', 'viewer', 'Workers that joined with a token', {
    errors: ['TOKEN_NOT_FOUND'],
    answers: { 200: TokenUseSchema },
  }),
  'tokens.revoke': remove('/api/v1/tokens/:id', 'admin', 'Revoke a token', {
    errors: ['TOKEN_NOT_FOUND'],
    answers: { 204: null },
  }),
  'session.signIn': post('/api/v1/session', 'open', 'Sign a browser in', {
    body: Closed({ token: Type.String({ minLength: 1, maxLength: 512 }) }),
    errors: ['TOKEN_INVALID', 'TOO_MANY_ATTEMPTS', 'FORBIDDEN', 'CSRF'],
    answers: { 204: null },
  }),
  'session.get': get('/api/v1/session', 'self', 'Current session', { answers: { 200: SessionSchema } }),
  'session.signOut': remove('/api/v1/session', 'open', 'Sign out', { errors: ['CSRF'], answers: { 204: null } }),
  'sessions.list': get('/api/v1/sessions', 'self', 'List own browser sessions; admins: all', {
    query: Paging,
    answers: { 200: PageOf(OpenSessionSchema) },
  }),
  'sessions.end': remove('/api/v1/sessions/:id', 'self', 'End an own browser session; admins: any', {
    errors: ['SESSION_NOT_FOUND'],
    answers: { 204: null },
  }),
  'audit.list': get('/api/v1/audit', 'viewer', 'All changes, newest first', {
    query: Closed({
      ...paging,
      action: Type.Optional(Type.String()),
      actor: Type.Optional(Type.String()),
      target: Type.Optional(
        Type.String({ description: 'For example workflow:ID; "workflow:" matches all of that kind' }),
      ),
      number: Type.Optional(Type.Integer({ description: 'The one entry of this number' })),
    }),
    answers: { 200: PageOf(AuditSchema) },
  }),
  'audit.verify': get('/api/v1/audit/verify', 'viewer', 'Check the hashes of the audit log', {
    answers: { 200: AuditVerdictSchema },
  }),
});
