import { fixed, live } from './limit.ts';

/** Limits of people and how they sign in; a part of `limits.ts`. */
export const PEOPLE_LIMITS = {
  /** Maximum number of wrong tokens, keys and sign-in codes per minute and address, and per beginning of a token; above it, wrong ones get 429 `TOO_MANY_ATTEMPTS`. */
  wrongTokens: live(30, 1, 1_000_000),
  /** The same for programs on the machine of the master. */
  wrongTokensLocal: live(3000, 1, 10_000_000),
  /** Longest back-off after too many wrong tokens, in seconds; it begins with one second and doubles. */
  wrongTokensBackoffSeconds: live(300, 1, 86_400),
  /** Maximum number of people and service accounts. */
  users: live(10_000, 1, 1_000_000),
  /** Minimum length of a password, in characters. */
  passwordCharacters: live(12, 8, 128),
  /** Cost of scrypt for passwords: each check takes 1 KiB × 2^n of memory and as much time. Passwords made with less are renewed at the next sign-in. */
  passwordCost: live(15, 14, 20),
  /** How often scrypt runs for one password, one after the other. */
  passwordPasses: live(3, 1, 16),
  /** Maximum number of passwords waiting to be checked; above it, sign-ins get 503 `OVERLOADED`. */
  passwordChecksWaiting: live(50, 1, 10_000),
  /** How long a one-time password can be used, in hours. */
  oneTimePasswordHours: live(72, 1, 8760),
  /** Maximum number of passkeys of one person. */
  passkeysPerPerson: live(20, 1, 100),
  /** How long a browser may take to answer with a passkey, in minutes. */
  passkeyMinutes: live(5, 1, 60),
  /** How long a sign-in at the provider of OpenID Connect may take, in minutes. */
  oidcSignInMinutes: live(10, 1, 60),
  /** Maximum number of sign-ins at the provider that have begun; beyond it, the oldest is forgotten. */
  oidcPendingSignIns: fixed(1000, 10, 100_000),
  /** Interval at which the provider is asked whether somebody who is signed in still has their account, in minutes. */
  oidcCheckMinutes: live(10, 1, 1440),
  /** How long a session lasts after its provider confirmed it last, in minutes: while the provider does not answer, or gives no refresh token. */
  oidcSessionMinutes: live(60, 5, 10_080),
  /** How long the tokens of a person work after their provider confirmed them last, in hours; a sign-in makes them work again. */
  oidcTokenHours: live(24, 1, 8760),
  /** How much the clocks of the master and of the provider may differ, in seconds. */
  oidcClockSeconds: live(30, 0, 600),
  /** How long the code of a command line or desktop that asks to be signed in can be approved, in minutes. */
  deviceCodeMinutes: live(10, 1, 60),
  /** Maximum number of such codes that wait; above it, the address with the most loses its oldest. */
  deviceCodes: live(1000, 1, 100_000),
  /** Maximum number of such codes that wait per address; above it, the oldest of that address is dropped. */
  deviceCodesPerAddress: live(10, 1, 10_000),
  /** How often a command line or desktop may ask whether its code was approved, in seconds. */
  devicePollSeconds: live(5, 1, 60),
  /** How long the token that it gets then works, in days. */
  deviceTokenDays: live(30, 1, 3650),
  /** Maximum number of projects. */
  projects: live(1000, 1, 100_000),
  /** Maximum number of custom roles. */
  customRoles: live(200, 1, 10_000),
  /** Maximum number of grants of one person or of one group. */
  grantsPerPerson: live(200, 1, 10_000),
  /** Number of jobs whose payloads somebody reads in an hour that get an audit log entry of their own; further reads are counted. */
  auditPayloadReads: live(1000, 1, 1_000_000),
} as const;
