import { type Static, type TSchema, Type } from 'typebox';
import { Closed, get, Json, Nullable, patch, post, remove, tagged, Time } from './shapes.ts';

/** Passkeys (WebAuthn): a way to sign in without a password, for people of this master. */

export const PasskeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'The name of this master that it is for; browsers offer it nowhere else' }),
  synced: Type.Boolean({ description: 'Kept by a password manager or an account that may copy it to other devices' }),
  createdAt: Time,
  lastUsedAt: Nullable(Time),
  copiedAt: Nullable(
    Type.String({ description: 'When a copy of it was noticed; it opens nothing since. ISO 8601, UTC, milliseconds' }),
  ),
});
export type Passkey = Static<typeof PasskeySchema>;

/** Why passkeys cannot work where the browser is. */
const PASSKEY_OBSTACLES = ['ADDRESS', 'INSECURE', 'ANY_HOST'] as const;
export type PasskeyObstacle = (typeof PASSKEY_OBSTACLES)[number];

const Bytes = (bytes: number) =>
  Type.String({ minLength: 1, maxLength: Math.ceil((bytes * 4) / 3), pattern: '^[A-Za-z0-9_-]+$' });
const Credential = <T extends TSchema>(response: T) =>
  Type.Object({ id: Bytes(1023), rawId: Bytes(1023), type: Type.Literal('public-key'), response });
/** What `navigator.credentials.get` gives, as JSON. */
const Assertion = Credential(
  Type.Object({
    clientDataJSON: Bytes(4096),
    authenticatorData: Bytes(4096),
    signature: Bytes(4096),
    userHandle: Type.Optional(Bytes(64)),
  }),
);
export type PasskeyAssertion = Static<typeof Assertion>;
/** What `navigator.credentials.create` gives, as JSON. */
const Registration = Credential(
  Type.Object({
    clientDataJSON: Bytes(4096),
    attestationObject: Bytes(16_384),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
);
export type PasskeyRegistration = Static<typeof Registration>;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Password = Type.String({ minLength: 1, maxLength: 1024 });
const Options = Type.Object({
  options: { ...Json, description: 'For the browser: `PublicKeyCredential.parse…OptionsFromJSON`' },
});
const List = Type.Object({ items: Type.Array(PasskeySchema) });

export const OwnPasskeysSchema = Type.Object({
  items: Type.Array(PasskeySchema),
  most: Type.Integer(),
  host: Nullable(Type.String({ description: 'What a new one would be for; null: it cannot work here' })),
  obstacle: Nullable(
    Type.Unsafe<PasskeyObstacle | 'TOKEN'>({
      type: 'string',
      enum: [...PASSKEY_OBSTACLES, 'TOKEN'],
      description: 'Why none can be added here. TOKEN: not by who signed in with a token',
    }),
  ),
  hasPassword: Type.Boolean({ description: 'False: passkeys are the only way in' }),
});
export type OwnPasskeys = Static<typeof OwnPasskeysSchema>;

const WRONG = ['PASSKEY_INVALID', 'PASSKEY_EXPIRED', 'PASSKEY_COPIED', 'TOO_MANY_ATTEMPTS'] as const;
const OWN = ['USER_NOT_FOUND', 'PERSON_NEEDED'] as const;

export const passkeyRoutes = tagged('People', {
  'passkeys.beginSignIn': post('/api/v1/session/passkey/begin', 'open', 'Begin to sign in with a passkey', {
    errors: ['PASSKEY_UNAVAILABLE', 'CSRF'],
    answers: { 200: Options },
  }),
  'passkeys.signIn': post('/api/v1/session/passkey', 'open', 'Sign a browser in with a passkey', {
    body: Closed({ response: Assertion }),
    errors: [...WRONG, 'PASSKEY_UNAVAILABLE', 'CSRF'],
    answers: { 204: null },
  }),
  'passkeys.beginFirst': post(
    '/api/v1/session/passkey/first/begin',
    'open',
    'Begin to make a passkey in place of a one-time password',
    {
      body: Closed({ login: Type.String({ minLength: 1, maxLength: 200 }), password: Password }),
      errors: ['PASSWORD_INVALID', 'PASSKEY_REFUSED', 'PASSKEY_UNAVAILABLE', 'TOO_MANY_ATTEMPTS', 'CSRF'],
      answers: { 200: Options },
    },
  ),
  'passkeys.makeFirst': post(
    '/api/v1/session/passkey/first',
    'open',
    'Make a passkey in place of a one-time password, and sign in',
    {
      body: Closed({ name: Name, response: Registration }),
      errors: [...WRONG, 'PASSKEY_REFUSED', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS', 'PASSKEY_UNAVAILABLE', 'CSRF'],
      answers: { 204: null },
    },
  ),
  'passkeys.list': get('/api/v1/me/passkeys', 'self', 'List the own passkeys', {
    errors: ['USER_NOT_FOUND'],
    answers: { 200: OwnPasskeysSchema },
  }),
  'passkeys.confirm': post('/api/v1/me/passkey-confirmation', 'self', 'Begin to confirm who I am with a passkey', {
    errors: [...OWN, 'PASSKEY_NOT_FOUND', 'PASSKEY_UNAVAILABLE'],
    answers: { 200: Options },
  }),
  'passkeys.begin': post('/api/v1/me/passkey-registration', 'self', 'Begin to add an own passkey', {
    body: Closed({
      password: Type.Optional({ ...Password, description: 'The present one; or a passkey' }),
      passkey: Type.Optional({ ...Assertion, description: 'Answers the options of passkeys.confirm' }),
    }),
    errors: [...OWN, ...WRONG, 'PASSWORD_INVALID', 'PASSKEY_REFUSED', 'TOO_MANY_PASSKEYS', 'PASSKEY_UNAVAILABLE'],
    answers: { 200: Options },
  }),
  'passkeys.add': post('/api/v1/me/passkeys', 'self', 'Add an own passkey', {
    body: Closed({ name: Name, response: Registration }),
    errors: [...OWN, ...WRONG, 'PASSKEY_REFUSED', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS', 'PASSKEY_UNAVAILABLE'],
    answers: { 201: PasskeySchema },
  }),
  'passkeys.rename': patch('/api/v1/me/passkeys/:id', 'self', 'Rename an own passkey', {
    body: Closed({ name: Name }),
    errors: [...OWN, 'PASSKEY_NOT_FOUND'],
    answers: { 200: PasskeySchema },
  }),
  'passkeys.remove': remove('/api/v1/me/passkeys/:id', 'self', 'Remove an own passkey', {
    errors: [...OWN, 'PASSKEY_NOT_FOUND', 'LAST_WAY_IN'],
    answers: { 204: null },
  }),
  'passkeys.listOf': get('/api/v1/users/:id/passkeys', 'admin', 'List the passkeys of a person', {
    errors: ['USER_NOT_FOUND'],
    answers: { 200: List },
  }),
  'passkeys.removeOf': remove('/api/v1/users/:id/passkeys/:passkeyId', 'admin', 'Remove a passkey of a person', {
    errors: ['USER_NOT_FOUND', 'PASSKEY_NOT_FOUND'],
    answers: { 204: null },
  }),
});
