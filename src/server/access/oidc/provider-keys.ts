import { createRemoteJWKSet, customFetch, errors } from 'jose';
import { boundedFetch } from './bounded-fetch.ts';

/** With keys that the provider publishes: never one that both know. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export type ProviderKeys = ReturnType<typeof createRemoteJWKSet>;

/** The keys that a provider publishes, read again when one is new. */
export const keysOf = (url: string): ProviderKeys => createRemoteJWKSet(new URL(url), { [customFetch]: boundedFetch });

/** True where the keys could not be read, which says nothing of what they were to check. */
export const isAboutKeys = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  // An answer that is no 200, or no JSON.
  error.code === errors.JOSEError.code;
