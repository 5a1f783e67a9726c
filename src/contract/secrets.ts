import { type Static, Type } from 'typebox';
import { Nullable, PageOf, Paging, type Routes, strict, Time } from './shapes.ts';
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

export const secretRoutes = {
  // Secrets: values are written, never read back.
  'secrets.list': {
    method: 'GET',
    path: '/api/v1/secrets',
    access: 'viewer',
    tag: 'Secrets',
    summary: 'Names of the secrets',
    query: Paging,
    errors: [],
    answers: { 200: PageOf(SecretSchema) },
  },
  'secrets.set': {
    method: 'PUT',
    path: '/api/v1/secrets/:name',
    access: 'admin',
    tag: 'Secrets',
    summary: 'Set a secret',
    params: SecretParams,
    body: Type.Object(
      { value: Type.String({ minLength: 1 }), description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) },
      strict,
    ),
    errors: ['SECRETS_LOCKED'],
    answers: { 200: SecretSchema },
  },
  'secrets.delete': {
    method: 'DELETE',
    path: '/api/v1/secrets/:name',
    access: 'admin',
    tag: 'Secrets',
    summary: 'Delete a secret',
    params: SecretParams,
    errors: ['SECRET_NOT_FOUND'],
    answers: { 204: null },
  },
} as const satisfies Routes;
