import type { ErrorCode } from './errors.ts';

/** Why a sign-in at the provider failed: `#sign-in-failed=CODE` of the console's address. */
export const SIGN_IN_FAILURES = [
  'PROVIDER_UNREACHABLE',
  'PROVIDER_INVALID',
  'CLOCK_WRONG',
  'SIGN_IN_EXPIRED',
  'SIGN_IN_REFUSED',
  'IDENTITY_REFUSED',
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_USERS',
] as const satisfies readonly ErrorCode[];
export type SignInFailure = (typeof SIGN_IN_FAILURES)[number];
