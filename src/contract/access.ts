import { type Static, Type } from 'typebox';
import { RateLimitsPatch, RateLimitsSchema } from './rate-limits.ts';
import {
  EnvironmentSchema,
  IdParams,
  Instant,
  Json,
  Nullable,
  PageOf,
  Paging,
  paging,
  RoleSchema,
  type Routes,
  strict,
  Time,
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

export const accessRoutes = {
  'keys.list': {
    method: 'GET',
    path: '/api/v1/keys',
    access: 'viewer',
    tag: 'Access',
    summary: 'List API keys',
    query: Paging,
    errors: [],
    answers: { 200: PageOf(KeySchema) },
  },
  'keys.create': {
    method: 'POST',
    path: '/api/v1/keys',
    access: 'admin',
    tag: 'Access',
    summary: 'Create an API key',
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200 }),
        workflows: Type.Array(Type.Union([Type.Literal('*'), WorkflowId]), { minItems: 1, maxItems: 1000 }),
        environments: Type.Array(EnvironmentSchema, { minItems: 1, maxItems: 3 }),
        expiresAt: Type.Optional(Nullable(Instant)),
        limits: Type.Optional(RateLimitsPatch),
      },
      strict,
    ),
    errors: [],
    answers: { 201: KeyCreatedSchema },
  },
  'keys.update': {
    method: 'PATCH',
    path: '/api/v1/keys/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Rename an API key or change its limits',
    params: IdParams,
    body: Type.Object(
      { name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })), limits: Type.Optional(RateLimitsPatch) },
      strict,
    ),
    errors: ['KEY_NOT_FOUND'],
    answers: { 200: KeySchema },
  },
  'keys.revoke': {
    method: 'DELETE',
    path: '/api/v1/keys/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Revoke an API key',
    params: IdParams,
    errors: ['KEY_NOT_FOUND'],
    answers: { 204: null },
  },
  'keys.rotate': {
    method: 'POST',
    path: '/api/v1/keys/:id/rotate',
    access: 'admin',
    tag: 'Access',
    summary: 'Rotate the secret of an API key',
    params: IdParams,
    body: Type.Object(
      { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, default: 0 })) },
      strict,
    ),
    errors: ['KEY_NOT_FOUND'],
    answers: { 200: Type.Object({ id: Type.String(), key: Type.String(), prefix: Type.String() }) },
  },
  'tokens.list': {
    method: 'GET',
    path: '/api/v1/tokens',
    access: 'viewer',
    tag: 'Access',
    summary: 'List tokens',
    query: Paging,
    errors: [],
    answers: { 200: PageOf(TokenSchema) },
  },
  'tokens.create': {
    method: 'POST',
    path: '/api/v1/tokens',
    access: 'admin',
    tag: 'Access',
    summary: 'Create a token',
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200 }),
        role: RoleSchema,
        expiresAt: Type.Optional(Nullable(Instant)),
      },
      strict,
    ),
    errors: [],
    answers: { 201: TokenCreatedSchema },
  },
  'tokens.revoke': {
    method: 'DELETE',
    path: '/api/v1/tokens/:id',
    access: 'admin',
    tag: 'Access',
    summary: 'Revoke a token',
    params: IdParams,
    errors: ['TOKEN_NOT_FOUND'],
    answers: { 204: null },
  },
  'session.signIn': {
    method: 'POST',
    path: '/api/v1/session',
    access: 'open',
    tag: 'Access',
    summary: 'Sign a browser in',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 512 }) }, strict),
    errors: ['TOKEN_INVALID', 'FORBIDDEN', 'CSRF'],
    answers: { 204: null },
  },
  'session.get': {
    method: 'GET',
    path: '/api/v1/session',
    access: 'viewer',
    tag: 'Access',
    summary: 'Current session',
    errors: [],
    answers: { 200: SessionSchema },
  },
  'session.signOut': {
    method: 'DELETE',
    path: '/api/v1/session',
    access: 'open',
    tag: 'Access',
    summary: 'Sign out',
    errors: ['CSRF'],
    answers: { 204: null },
  },
  'audit.list': {
    method: 'GET',
    path: '/api/v1/audit',
    access: 'viewer',
    tag: 'Access',
    summary: 'All changes, newest first',
    query: Type.Object(
      {
        ...paging,
        action: Type.Optional(Type.String()),
        actor: Type.Optional(Type.String()),
        target: Type.Optional(
          Type.String({ description: 'For example workflow:ID; "workflow:" matches all of that kind' }),
        ),
      },
      strict,
    ),
    errors: [],
    answers: { 200: PageOf(AuditSchema) },
  },
} as const satisfies Routes;
