import { type Static, Type } from 'typebox';
import { Matchers, Name, Names, optional, Seconds, Text } from './alert-rules.ts';
import {
  Count,
  Nullable,
  enumOf,
  PageOf,
  Paging,
  get,
  post,
  patch,
  remove,
  put,
  tagged,
  Time,
  Closed,
} from './shapes.ts';
import { CHANNEL_KINDS, LABEL_NAME } from './vocabulary.ts';

/** Where alerts are sent, and which go where. */

const Url = Type.String({ minLength: 1, maxLength: 2000, pattern: '^https?://' });

const Header = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
  Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' }),
  { maxProperties: 16, additionalProperties: false },
);

export const ChannelSettingsSchema = Closed(
  {
    to: Type.Optional(Type.String({ maxLength: 2000, description: 'email: addresses, separated by semicolons' })),
    from: Type.Optional(Type.String({ maxLength: 320, description: 'email' })),
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'email: SMTP server' })),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'email: default 587, with tls 465' })),
    security: Type.Optional(enumOf(['starttls', 'tls', 'none'] as const)),
    verifyTls: Type.Optional(Type.Boolean({ description: 'email: false accepts any certificate' })),
    user: Type.Optional(Type.String({ maxLength: 320, description: 'email, webhook: user name for the password' })),
    singleEmail: Type.Optional(
      Type.Boolean({ description: 'email: one message to all addresses (default) or one per address' }),
    ),
    url: Type.Optional(Url),
    username: Type.Optional(Type.String({ maxLength: 80, description: 'slack' })),
    channel: Type.Optional(Type.String({ maxLength: 80, description: 'slack' })),
    headers: Type.Optional(Header),
  },
  { description: 'Settings that are not secret, by channel kind' },
);
export type ChannelSettings = Static<typeof ChannelSettingsSchema>;

const SecretsIn = Type.Record(
  Type.String({ maxLength: 32 }),
  Nullable(Type.String({ minLength: 1, maxLength: 4000 })),
  { maxProperties: 8, description: 'Write-only; null removes a secret' },
);

const channelFields = {
  name: Name,
  enabled: Type.Boolean(),
  sendResolved: Type.Boolean(),
  title: Nullable(Text),
  message: Nullable(Type.String({ maxLength: 16_000 })),
  settings: ChannelSettingsSchema,
};

const { name: _channelName, ...channelDefaulted } = channelFields;

export const ChannelDraftSchema = Closed({
  name: Name,
  kind: enumOf(CHANNEL_KINDS),
  ...optional(channelDefaulted),
  secrets: Type.Optional(SecretsIn),
});
export type ChannelDraft = Static<typeof ChannelDraftSchema>;

export const ChannelPatchSchema = Closed({ ...optional(channelFields), secrets: Type.Optional(SecretsIn) });
export type ChannelPatch = Static<typeof ChannelPatchSchema>;

export const ChannelSchema = Type.Object({
  id: Type.String(),
  kind: enumOf(CHANNEL_KINDS),
  ...channelFields,
  secretsSet: Type.Array(Type.String()),
  /** False: the key that its secrets were encrypted with is missing. */
  readable: Type.Boolean(),
  builtIn: Type.Boolean(),
  updatedAt: Time,
  updatedBy: Type.String(),
  lastSentAt: Nullable(Time),
  lastError: Nullable(Type.String()),
  /** Messages that wait for it. */
  waiting: Count,
});
export type Channel = Static<typeof ChannelSchema>;

export const ChannelTestSchema = Type.Object({
  ok: Type.Boolean(),
  status: Nullable(Type.Integer()),
  answer: Type.String(),
  durationMs: Type.Number(),
});
export type ChannelTest = Static<typeof ChannelTestSchema>;

export const TemplateBodySchema = Closed({
  title: Type.Optional(Text),
  message: Type.Optional(Type.String({ maxLength: 16_000 })),
});

export const TemplateSchema = Type.Object({ title: Type.String(), message: Type.String() });

const routeFields = {
  matchers: Matchers,
  channels: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 16, description: 'Channel IDs; inherited if omitted' }),
  ),
  groupBy: Type.Optional(
    Type.Array(Type.String({ pattern: `${LABEL_NAME}|^\\.\\.\\.$` }), {
      maxItems: 16,
      description: '["..."]: each alert is its own group',
    }),
  ),
  groupWaitSeconds: Type.Optional(Seconds),
  groupIntervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 2_592_000 })),
  repeatIntervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 31_536_000 })),
  continue: Type.Optional(Type.Boolean({ description: 'Also check the following routes' })),
};

/** Three levels below the root; a schema that ends keeps documents and validators simple. */
const Leaf = Closed(routeFields);

const Middle = Closed({ ...routeFields, routes: Type.Optional(Type.Array(Leaf, { maxItems: 50 })) });
const Top = Closed({ ...routeFields, routes: Type.Optional(Type.Array(Middle, { maxItems: 50 })) });

export interface PolicyRoute extends Static<typeof Leaf> {
  routes?: PolicyRoute[];
}

export const InhibitionSchema = Closed(
  { source: Matchers, target: Matchers, equal: Names },
  {
    description:
      'While an alert matching source is firing, alerts matching target with the same values of the equal labels are suppressed',
  },
);
export type Inhibition = Static<typeof InhibitionSchema>;

const { matchers: _matchers, continue: _continue, ...rootOptional } = routeFields;

export const PolicyBodySchema = Closed({
  ...rootOptional,
  routes: Type.Optional(Type.Array(Top, { maxItems: 50 })),
  inhibitions: Type.Optional(Type.Array(InhibitionSchema, { maxItems: 50 })),
  builtInInhibitions: Type.Optional(
    Type.Array(InhibitionSchema, {
      maxItems: 50,
      readOnly: true,
      description: 'Ignored; accepted so that a policy can be sent back as it was read',
    }),
  ),
});
export type PolicyBody = Static<typeof PolicyBodySchema>;

export const PolicySchema = Type.Object({
  channels: Type.Array(Type.String()),
  groupBy: Type.Array(Type.String()),
  groupWaitSeconds: Type.Number(),
  groupIntervalSeconds: Type.Number(),
  repeatIntervalSeconds: Type.Number(),
  routes: Type.Array(Top),
  inhibitions: Type.Array(InhibitionSchema),
  /** Always in force. */
  builtInInhibitions: Type.Array(InhibitionSchema),
});
export type Policy = Static<typeof PolicySchema>;

export const channelRoutes = tagged('Alerts', {
  'channels.list': get('/api/v1/alerts/channels', 'viewer', 'List channels; secrets are never shown', {
    query: Paging,
    answers: { 200: PageOf(ChannelSchema) },
  }),
  'channels.create': post('/api/v1/alerts/channels', 'admin', 'Create a channel', {
    body: ChannelDraftSchema,
    errors: ['ALERT_NAME_TAKEN', 'SECRETS_LOCKED'],
    answers: { 201: ChannelSchema },
  }),
  'channels.previewTemplate': post('/api/v1/alerts/template', 'viewer', 'Render templates with an example', {
    body: TemplateBodySchema,
    answers: { 200: TemplateSchema },
  }),
  'channels.get': get('/api/v1/alerts/channels/:id', 'viewer', 'Get a channel', {
    errors: ['CHANNEL_NOT_FOUND'],
    answers: { 200: ChannelSchema },
  }),
  'channels.update': patch('/api/v1/alerts/channels/:id', 'admin', 'Change a channel', {
    body: ChannelPatchSchema,
    errors: ['CHANNEL_NOT_FOUND', 'ALERT_NAME_TAKEN', 'SECRETS_LOCKED'],
    answers: { 200: ChannelSchema },
  }),
  'channels.delete': remove('/api/v1/alerts/channels/:id', 'admin', 'Delete an unused channel', {
    errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_IN_USE', 'ALERT_BUILT_IN'],
    answers: { 204: null },
  }),
  'channels.test': post(
    '/api/v1/alerts/channels/:id/test',
    'admin',
    "Send a test message and return the receiver's response",
    { errors: ['CHANNEL_NOT_FOUND', 'SECRETS_LOCKED'], answers: { 200: ChannelTestSchema } },
  ),
  'alertPolicy.get': get('/api/v1/alerts/policy', 'viewer', 'Get the notification policy', {
    answers: { 200: PolicySchema },
  }),
  'alertPolicy.replace': put('/api/v1/alerts/policy', 'admin', 'Replace the notification policy', {
    body: PolicyBodySchema,
    errors: ['CHANNEL_NOT_FOUND'],
    answers: { 200: PolicySchema },
  }),
});
