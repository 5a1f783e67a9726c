import { type Static, Type } from 'typebox';
import { Nullable, PageOf, Paging, get, put, remove, tagged, Time, Closed } from './shapes.ts';
import { SECRET_NAME } from './vocabulary.ts';

/** Secrets: values are written, never read back. */

export const SecretSchema = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  /** False: the master does not have the key that it was encrypted with, so tasks that need it fail. */
  readable: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
});
export type Secret = Static<typeof SecretSchema>;

const SecretParams = Type.Object({ name: Type.String({ pattern: SECRET_NAME }) });

export const secretRoutes = tagged('Secrets', {
  // Secrets: values are written, never read back.
  'secrets.list': get('/api/v1/secrets', 'viewer', 'Names of the secrets', {
    query: Paging,
    answers: { 200: PageOf(SecretSchema) },
  }),
  'secrets.set': put('/api/v1/secrets/:name', 'admin', 'Set a secret', {
    params: SecretParams,
    body: Closed({
      value: Type.String({ minLength: 1 }),
      description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    }),
    errors: ['SECRETS_LOCKED'],
    answers: { 200: SecretSchema },
  }),
  'secrets.delete': remove('/api/v1/secrets/:name', 'admin', 'Delete a secret', {
    params: SecretParams,
    errors: ['SECRET_NOT_FOUND'],
    answers: { 204: null },
  }),
});
