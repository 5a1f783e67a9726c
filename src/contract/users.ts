import { type Static, Type } from 'typebox';
import { SIGN_IN_FAILURES } from './sign-in-failures.ts';
import { KeySchema, TokenCreatedSchema, TokenSchema } from './access.ts';
import {
  Closed,
  Instant,
  remove,
  RoleSchema,
  enumOf,
  get,
  Nullable,
  PageOf,
  Paging,
  patch,
  post,
  tagged,
  Time,
} from './shapes.ts';

/** People and service accounts: who they are and how they sign in. */

export const USER_KINDS = ['person', 'service'] as const;
export type UserKind = (typeof USER_KINDS)[number];
/** Who vouches for them: this master by a password, or a provider of OpenID Connect. */
export const USER_SOURCES = ['local', 'oidc'] as const;

/** The built-in roles of people, lowest first. */
export const PERSON_ROLES = ['viewer', 'operator', 'admin'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

export const LOGIN_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$';
export const EMAIL_PATTERN = '^[^@\\s]+@[^@\\s]+$';

const Login = Type.String({
  pattern: LOGIN_PATTERN,
  description: 'Letters, digits and . _ @ + -; kept in lower case',
});
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Email = Type.String({ minLength: 3, maxLength: 320, pattern: EMAIL_PATTERN });
const Groups = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 });
/** What is typed, right or wrong; what a new one must be is said by its refusal. */
const Password = Type.String({ minLength: 1, maxLength: 1024 });

export const UserSchema = Type.Object({
  id: Type.String(),
  login: Type.String(),
  name: Type.String(),
  kind: enumOf(USER_KINDS),
  source: enumOf(USER_SOURCES),
  role: enumOf(PERSON_ROLES),
  hasGrants: Type.Boolean({ description: 'False: may do nothing yet' }),
  email: Nullable(Type.String({ description: 'Null also for those who may not see it' })),
  groups: Type.Array(Type.String()),
  mustChangePassword: Type.Boolean(),
  disabledAt: Nullable(Time),
  createdAt: Time,
  createdBy: Type.String(),
  lastSignInAt: Nullable(Time),
});
export type User = Static<typeof UserSchema>;

const OneTimePassword = {
  password: Type.Optional(Type.String({ description: 'Shown once; has to be changed at the first sign-in' })),
  passwordExpiresAt: Type.Optional(Time),
};
export const UserCreatedSchema = Type.Object({ ...UserSchema.properties, ...OneTimePassword });
export type UserCreated = Static<typeof UserCreatedSchema>;

/** How somebody may sign in here. */
export const SignInWaysSchema = Type.Object({
  password: Type.Boolean({ description: 'There are people with passwords' }),
  passkey: Type.Optional(
    Type.Unsafe<'here' | 'elsewhere'>({
      type: 'string',
      enum: ['here', 'elsewhere'],
      description: 'There are passkeys for this address, or for other addresses of the master alone; left out: none',
    }),
  ),
  provider: Nullable(
    Type.Object({ name: Type.String(), url: Type.String({ description: 'Where the browser goes to begin' }) }),
  ),
});
export type SignInWays = Static<typeof SignInWaysSchema>;

/** A path of the console, to go on at after the sign-in. */
const ReturnTo = Type.String({ maxLength: 2000 });

export const userRoutes = tagged('People', {
  'session.ways': get('/api/v1/session/ways', 'open', 'How to sign in', { answers: { 200: SignInWaysSchema } }),
  'session.password': post('/api/v1/session/password', 'open', 'Sign a browser in by name and password', {
    body: Closed({
      login: Type.String({ minLength: 1, maxLength: 200 }),
      password: Password,
      newPassword: Type.Optional({ ...Password, description: 'Takes the place of a one-time password' }),
    }),
    errors: ['PASSWORD_INVALID', 'PASSWORD_CHANGE_NEEDED', 'PASSWORD_REFUSED', 'TOO_MANY_ATTEMPTS', 'CSRF'],
    answers: { 204: null },
  }),
  'oidc.begin': get('/api/v1/session/oidc', 'open', 'Go to the provider to sign in', {
    query: Closed({ return: Type.Optional(ReturnTo) }),
    errors: [...SIGN_IN_FAILURES],
    answers: { 302: null },
  }),
  'oidc.callback': get('/api/v1/session/oidc/callback', 'open', 'Come back from the provider', {
    query: Type.Object({}, { description: 'As OpenID Connect says' }),
    answers: { 302: null },
  }),
  'oidc.signOut': get('/api/v1/session/oidc/sign-out', 'open', 'Sign out here and at the provider', {
    answers: { 302: null },
  }),
  'oidc.backChannelLogout': post(
    '/api/v1/session/oidc/back-channel-logout',
    'open',
    'Told by the provider that somebody signed out there',
    {
      errors: ['LOGOUT_TOKEN_INVALID', 'PROVIDER_UNREACHABLE', 'TOO_MANY_ATTEMPTS'],
      answers: { 200: Type.Object({ ended: Type.Integer({ description: 'Sessions' }) }) },
    },
  ),
  'users.list': get('/api/v1/users', 'viewer', 'List people and service accounts', {
    query: Paging,
    answers: { 200: PageOf(UserSchema) },
  }),
  'users.create': post('/api/v1/users', 'admin', 'Create a person or a service account', {
    body: Closed({
      login: Login,
      name: Type.Optional(Name),
      email: Type.Optional(Nullable(Email)),
      kind: Type.Optional(enumOf(USER_KINDS)),
      groups: Type.Optional(Groups),
      source: Type.Optional({
        ...enumOf(USER_SOURCES),
        description: 'oidc: becomes whoever signs in at the provider with this e-mail address, verified',
      }),
      role: Type.Optional({
        ...enumOf(PERSON_ROLES),
        description: 'What they may do everywhere. Left out: nothing until somebody grants it',
      }),
      password: Type.Optional({ ...Password, description: 'Left out: a one-time password is made' }),
    }),
    errors: ['USER_EXISTS', 'PASSWORD_REFUSED', 'TOO_MANY_USERS'],
    answers: { 201: UserCreatedSchema },
  }),
  'users.me': get('/api/v1/me', 'self', 'Who I am', {
    errors: ['USER_NOT_FOUND'],
    answers: { 200: UserSchema },
  }),
  'users.changePassword': post('/api/v1/me/password', 'self', 'Change the own password', {
    body: Closed({
      password: Password,
      newPassword: Password,
      endTokens: Type.Optional(Type.Boolean({ description: 'Revokes all own tokens, too. Default: false' })),
    }),
    errors: ['USER_NOT_FOUND', 'PASSWORD_INVALID', 'PASSWORD_REFUSED'],
    answers: { 204: null },
  }),
  'me.tokens': get('/api/v1/me/tokens', 'self', 'List the own tokens', {
    query: Paging,
    errors: ['USER_NOT_FOUND'],
    answers: { 200: PageOf(TokenSchema) },
  }),
  'me.createToken': post('/api/v1/me/tokens', 'self', 'Create an own token, for a program that acts as me', {
    body: Closed({
      name: Name,
      role: Type.Optional({ ...enumOf(PERSON_ROLES), description: 'At most; admin or left out: all that I may' }),
      expiresAt: Type.Optional(Nullable(Instant)),
    }),
    errors: ['USER_NOT_FOUND'],
    answers: { 201: TokenCreatedSchema },
  }),
  'me.revokeToken': remove('/api/v1/me/tokens/:id', 'self', 'Revoke an own token', {
    errors: ['USER_NOT_FOUND', 'TOKEN_NOT_FOUND'],
    answers: { 204: null },
  }),
  'users.tokens': get('/api/v1/users/:id/tokens', 'admin', 'List the tokens of a person or a service account', {
    query: Paging,
    errors: ['USER_NOT_FOUND'],
    answers: { 200: PageOf(TokenSchema) },
  }),
  'users.left': get('/api/v1/users/:id/left', 'admin', 'API keys and tokens that somebody made and that outlive them', {
    errors: ['USER_NOT_FOUND'],
    answers: { 200: Type.Object({ keys: Type.Array(KeySchema), tokens: Type.Array(TokenSchema) }) },
  }),
  'users.revokeLeft': post(
    '/api/v1/users/:id/left/revoke',
    'admin',
    'Revoke all that somebody made and that outlives them',
    {
      errors: ['USER_NOT_FOUND'],
      answers: { 200: Type.Object({ keys: Type.Integer(), tokens: Type.Integer() }) },
    },
  ),
  'users.createToken': post('/api/v1/users/:id/tokens', 'admin', 'Create a token of a service account', {
    body: Closed({
      name: Name,
      role: Type.Optional({
        ...RoleSchema,
        description: 'At most; admin or left out: all that the account may. worker: opens the worker link alone',
      }),
      expiresAt: Type.Optional(Nullable(Instant)),
    }),
    errors: ['USER_NOT_FOUND'],
    answers: { 201: TokenCreatedSchema },
  }),
  'users.get': get('/api/v1/users/:id', 'viewer', 'Show a person or a service account', {
    errors: ['USER_NOT_FOUND'],
    answers: { 200: UserSchema },
  }),
  'users.update': patch('/api/v1/users/:id', 'admin', 'Change, disable or enable a person or a service account', {
    body: Closed({
      name: Type.Optional(Name),
      email: Type.Optional(Nullable(Email)),
      groups: Type.Optional(Groups),
      disabled: Type.Optional(
        Type.Boolean({ description: 'True ends all sessions and tokens at once; what is left of them goes on' }),
      ),
    }),
    errors: ['USER_NOT_FOUND'],
    answers: { 200: UserSchema },
  }),
  'users.delete': remove(
    '/api/v1/users/:id',
    'admin',
    'Delete a person or a service account for good, with sessions, tokens and roles; records keep the name',
    { errors: ['USER_NOT_FOUND'], answers: { 204: null } },
  ),
  'users.resetPassword': post('/api/v1/users/:id/password-reset', 'admin', 'Give a person a one-time password', {
    body: Closed({
      keepTokens: Type.Optional(
        Type.Boolean({ description: 'Their tokens go on; default false: they are revoked, as their sessions end' }),
      ),
      keepPasskeys: Type.Optional(
        Type.Boolean({ description: 'Their passkeys stay; default false: they are removed' }),
      ),
    }),
    errors: ['USER_NOT_FOUND'],
    answers: { 200: Type.Object({ password: Type.String(), expiresAt: Time }) },
  }),
});
