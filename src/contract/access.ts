import { type Static, Type } from 'typebox';
import { RateLimitsPatch, RateLimitsSchema } from './rate-limits.ts';
import {
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
import { WorkflowId } from './workflows.ts';

/** Access: API keys, tokens, sessions, and the audit log. */

export const KeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  workflows: Type.Array(Type.String()),
  environments: Type.Array(EnvironmentSchema),
  limits: RateLimitsSchema,
  createdAt: Time,
  createdBy: Type.String(),
  expiresAt: Nullable(Time),
  revokedAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
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
});
export type Token = Static<typeof TokenSchema>;

export const TokenCreatedSchema = Type.Object({
  ...TokenSchema.properties,
  token: Type.String({ description: 'Shown once' }),
});
export type TokenCreated = Static<typeof TokenCreatedSchema>;

export const SessionSchema = Type.Object({ actor: Type.String(), role: RoleSchema, expiresAt: Nullable(Time) });
export type Session = Static<typeof SessionSchema>;

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
});
export type AuditEntry = Static<typeof AuditSchema>;

export const accessRoutes = tagged('Access', {
  'keys.list': get('/api/v1/keys', 'viewer', 'List API keys', { query: Paging, answers: { 200: PageOf(KeySchema) } }),
  'keys.create': post('/api/v1/keys', 'admin', 'Create an API key', {
    body: Closed({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      workflows: Type.Array(Type.Union([Type.Literal('*'), WorkflowId]), { minItems: 1, maxItems: 1000 }),
      environments: Type.Array(EnvironmentSchema, { minItems: 1, maxItems: 3 }),
      expiresAt: Type.Optional(Nullable(Instant)),
      limits: Type.Optional(RateLimitsPatch),
    }),
    answers: { 201: KeyCreatedSchema },
  }),
  'keys.update': patch('/api/v1/keys/:id', 'admin', 'Rename an API key or change its limits', {
    body: Closed({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limits: Type.Optional(RateLimitsPatch),
    }),
    errors: ['KEY_NOT_FOUND'],
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
    }),
    answers: { 201: TokenCreatedSchema },
  }),
  'tokens.revoke': remove('/api/v1/tokens/:id', 'admin', 'Revoke a token', {
    errors: ['TOKEN_NOT_FOUND'],
    answers: { 204: null },
  }),
  'session.signIn': post('/api/v1/session', 'open', 'Sign a browser in', {
    body: Closed({ token: Type.String({ minLength: 1, maxLength: 512 }) }),
    errors: ['TOKEN_INVALID', 'FORBIDDEN', 'CSRF'],
    answers: { 204: null },
  }),
  'session.get': get('/api/v1/session', 'viewer', 'Current session', { answers: { 200: SessionSchema } }),
  'session.signOut': remove('/api/v1/session', 'open', 'Sign out', { errors: ['CSRF'], answers: { 204: null } }),
  'audit.list': get('/api/v1/audit', 'viewer', 'All changes, newest first', {
    query: Closed({
      ...paging,
      action: Type.Optional(Type.String()),
      actor: Type.Optional(Type.String()),
      target: Type.Optional(
        Type.String({ description: 'For example workflow:ID; "workflow:" matches all of that kind' }),
      ),
    }),
    answers: { 200: PageOf(AuditSchema) },
  }),
});
