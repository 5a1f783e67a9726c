import { type Static, Type } from 'typebox';
import {
  EnvironmentSchema,
  Nullable,
  PageOf,
  Paging,
  get,
  patch,
  put,
  remove,
  tagged,
  Time,
  Closed,
} from './shapes.ts';
import { SECRET_NAME } from './vocabulary.ts';
import { WorkflowId } from './workflows.ts';

/** Secrets: values are written, never read back. */

const workflows = Type.Array(WorkflowId, {
  minItems: 1,
  maxItems: 1000,
  uniqueItems: true,
  description: 'Workflows that may use it; absent: all',
});
const environments = Type.Array(EnvironmentSchema, {
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
  description: 'Environments whose jobs may use it; absent: all',
});
const drafts = Type.Boolean({
  description: 'Draft runs, and versions that were never published to the environment of their job, may use it too',
});

export const SecretScopeSchema = Type.Object({
  workflows: Type.Optional(workflows),
  environments: Type.Optional(environments),
  drafts,
});
export type SecretScope = Static<typeof SecretScopeSchema>;

const SecretScopeIn = Closed(
  {
    workflows: Type.Optional(workflows),
    environments: Type.Optional(environments),
    drafts: Type.Optional(drafts),
  },
  { description: 'Which jobs may use it; replaces the whole scope' },
);
export type SecretScopeInput = Static<typeof SecretScopeIn>;

const SecretScopeChange = Closed(
  {
    workflows: Type.Optional(Nullable(workflows)),
    environments: Type.Optional(Nullable(environments)),
    drafts: Type.Optional(drafts),
  },
  { description: 'Absent members stay as they are; null lifts a limit' },
);
export type SecretScopeChange = Static<typeof SecretScopeChange>;

export const SecretSchema = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  scope: SecretScopeSchema,
  project: Type.Optional(Type.String({ description: 'ID of its project; a master that knows no projects gives none' })),
  /** False: the master does not have the key that it was encrypted with, so tasks that need it fail. */
  readable: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
});
export type Secret = Static<typeof SecretSchema>;

const SecretParams = Type.Object({ name: Type.String({ pattern: SECRET_NAME }) });
const description = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));
const project = Type.Optional(
  Type.String({ maxLength: 63, description: 'ID of a project; left out: as it is, and default for a new one' }),
);

export const secretRoutes = tagged('Secrets', {
  // Secrets: values are written, never read back.
  'secrets.list': get('/api/v1/secrets', 'viewer', 'Names and scopes of the secrets', {
    query: Paging,
    answers: { 200: PageOf(SecretSchema) },
  }),
  'secrets.set': put('/api/v1/secrets/:name', 'admin', 'Set a secret', {
    params: SecretParams,
    body: Closed({ value: Type.String({ minLength: 1 }), description, scope: Type.Optional(SecretScopeIn), project }),
    errors: ['SECRETS_LOCKED', 'SECRET_EXISTS', 'PROJECT_NOT_FOUND'],
    answers: { 200: SecretSchema },
  }),
  'secrets.update': patch('/api/v1/secrets/:name', 'admin', 'Change the scope, description or project of a secret', {
    params: SecretParams,
    body: Closed({ description, scope: Type.Optional(SecretScopeChange), project }),
    errors: ['SECRET_NOT_FOUND', 'PROJECT_NOT_FOUND'],
    answers: { 200: SecretSchema },
  }),
  'secrets.delete': remove('/api/v1/secrets/:name', 'admin', 'Delete a secret', {
    params: SecretParams,
    errors: ['SECRET_NOT_FOUND'],
    answers: { 204: null },
  }),
});
