import { Type, type Static, type TProperties } from 'typebox';
import {
  AGGREGATES,
  ALERT_STATES,
  CHANNEL_KINDS,
  COMPARISONS,
  ERROR_STATES,
  HISTORY_KINDS,
  LABEL_NAME,
  MATCH_OPERATORS,
  NO_DATA_STATES,
  REDUCERS,
  SEVERITIES,
  SIGNALS,
} from './alerts.ts';
import { Count, Nullable, oneOf, Time } from './shapes.ts';

/** The shapes of alerting: rules, instances, silences, channels, the notification policy and its history. */

const strict = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Text = Type.String({ maxLength: 4000 });
const Seconds = Type.Number({ minimum: 0, maximum: 2_592_000 });
const Labels = Type.Record(Type.String({ pattern: LABEL_NAME }), Type.String({ maxLength: 1000 }), {
  maxProperties: 32,
  additionalProperties: false,
});
const Names = Type.Array(Type.String({ pattern: LABEL_NAME }), { maxItems: 16 });
const AnyLabels = Type.Record(Type.String(), Type.String());

export const MatcherSchema = Type.Object(
  {
    name: Type.String({ pattern: LABEL_NAME }),
    op: oneOf(MATCH_OPERATORS),
    value: Type.String({
      maxLength: 1000,
      description: 'A regular expression (RE2), anchored on both sides, with =~ and !~',
    }),
  },
  strict,
);
export type Matcher = Static<typeof MatcherSchema>;
const Matchers = Type.Array(MatcherSchema, { maxItems: 32 });

// Rules

const MetricsQuery = Type.Object(
  {
    source: Type.Literal('metrics'),
    measurement: Name,
    field: Name,
    aggregate: oneOf(AGGREGATES),
    groupBy: Type.Optional(
      Type.Array(Name, { maxItems: 8, description: 'One alert for each set of values of these tags' }),
    ),
    filters: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 200 }),
        Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
        { maxProperties: 16 },
      ),
    ),
    stepSeconds: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 86_400,
        description: 'Width of the windows that are reduced; absent: one window, the whole range',
      }),
    ),
  },
  strict,
);
const LogsQuery = Type.Object(
  {
    source: Type.Literal('logs'),
    query: Type.String({ minLength: 1, maxLength: 16_384, description: 'LogsQL' }),
    groupBy: Type.Optional(Name),
    stepSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 86_400 })),
  },
  { ...strict, description: 'How many records match; groupBy names the field whose values are alerts of their own' },
);
const EngineQuery = Type.Object(
  { source: Type.Literal('engine'), signal: oneOf(SIGNALS) },
  { ...strict, description: 'What the master knows by itself; built-in rules alone' },
);
export const AlertQuerySchema = Type.Union([MetricsQuery, LogsQuery, EngineQuery]);
export type AlertQuery = Static<typeof AlertQuerySchema>;

export const ThresholdSchema = Type.Object(
  {
    op: oneOf(COMPARISONS),
    value: Type.Number(),
    upper: Type.Optional(Type.Number({ description: 'Second bound of within and outside' })),
  },
  strict,
);
export type Threshold = Static<typeof ThresholdSchema>;

const evaluated = {
  query: AlertQuerySchema,
  rangeSeconds: Type.Number({ minimum: 1, maximum: 2_592_000, description: 'How far the query looks back' }),
  reducer: oneOf(REDUCERS),
  threshold: ThresholdSchema,
};
const ruleFields = {
  name: Name,
  group: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Rules of a group with the same interval are evaluated one after the other',
  }),
  ...evaluated,
  intervalSeconds: Type.Number({ minimum: 1, maximum: 86_400 }),
  forSeconds: Seconds,
  keepFiringSeconds: Seconds,
  noData: oneOf(NO_DATA_STATES),
  onError: oneOf(ERROR_STATES),
  severity: oneOf(SEVERITIES),
  labels: Labels,
  annotations: Type.Record(Type.String({ pattern: LABEL_NAME }), Text, {
    maxProperties: 16,
    additionalProperties: false,
  }),
  enabled: Type.Boolean(),
};
const optional = <P extends TProperties>(fields: P) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>;
  };
const { name: _name, query: _query, threshold: _threshold, ...defaulted } = ruleFields;
/** A new rule: what is left out takes its default. */
export const RuleDraftSchema = Type.Object(
  { name: Name, query: AlertQuerySchema, threshold: ThresholdSchema, ...optional(defaulted) },
  strict,
);
export type RuleDraft = Static<typeof RuleDraftSchema>;
export const RulePatchSchema = Type.Object(optional(ruleFields), strict);
export type RulePatch = Static<typeof RulePatchSchema>;

export const RuleSchema = Type.Object({
  id: Type.String(),
  ...ruleFields,
  builtIn: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
  /** The worst state of its instances. */
  state: oneOf(ALERT_STATES),
  firing: Count,
  pending: Count,
  lastEvaluatedAt: Nullable(Time),
  lastDurationMs: Nullable(Type.Number()),
  lastError: Nullable(Type.String()),
  /** Series that the last evaluation saw. */
  lastSeries: Nullable(Count),
  /** Evaluations left out because the one before still ran. */
  skipped: Count,
});
export type AlertRule = Static<typeof RuleSchema>;
export type RuleConfig = Static<ReturnType<typeof Type.Object<typeof ruleFields>>>;

/** A dry run of a rule that need not exist: what it would have seen, and when it would have fired. */
export const PreviewBodySchema = Type.Object(
  {
    ...evaluated,
    rangeSeconds: Type.Optional(evaluated.rangeSeconds),
    reducer: Type.Optional(evaluated.reducer),
    intervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 86_400 })),
    forSeconds: Type.Optional(Seconds),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time' })),
  },
  strict,
);
export type PreviewBody = Static<typeof PreviewBodySchema>;
export const PreviewSchema = Type.Object({
  from: Time,
  to: Time,
  stepSeconds: Type.Number(),
  times: Type.Array(Time),
  series: Type.Array(Type.Object({ labels: AnyLabels, values: Type.Array(Nullable(Type.Number())), firings: Count })),
  /** Series that the query has; the first ones are in the answer. */
  totalSeries: Count,
  /** Instants at which at least one series would have fired. */
  firing: Count,
});
export type Preview = Static<typeof PreviewSchema>;

// Instances

export const AlertSchema = Type.Object({
  id: Type.String({ description: '<rule>:<fingerprint>' }),
  fingerprint: Type.String({ description: '16 hexadecimal digits: FNV-64a over the sorted labels' }),
  ruleId: Type.String(),
  ruleName: Type.String(),
  state: oneOf(ALERT_STATES),
  severity: oneOf(SEVERITIES),
  labels: AnyLabels,
  annotations: AnyLabels,
  value: Nullable(Type.Number()),
  /** When the condition began to hold. */
  activeAt: Time,
  /** When it began to fire; null while it is pending. */
  startsAt: Nullable(Time),
  endsAt: Nullable(Time),
  lastEvaluatedAt: Time,
  reason: Nullable(Type.String()),
  silencedBy: Type.Array(Type.String()),
  inhibitedBy: Type.Array(Type.String()),
  acknowledged: Type.Optional(
    Nullable(
      Type.Object(
        { at: Time, by: Type.String(), note: Type.String({ description: 'Empty where there is none' }) },
        { description: 'Who looks after it: its messages are not repeated until it ends or gets worse' },
      ),
    ),
  ),
});
export const AcknowledgeBodySchema = Type.Object({ note: Type.Optional(Type.String({ maxLength: 2000 })) }, strict);
export type Alert = Static<typeof AlertSchema>;

// Silences

export const SilenceDraftSchema = Type.Object(
  {
    matchers: Type.Array(MatcherSchema, { minItems: 1, maxItems: 32 }),
    comment: Type.String({ minLength: 1, maxLength: 2000 }),
    startsAt: Type.Optional(Type.String({ format: 'date-time', description: 'Now where absent' })),
    endsAt: Type.Optional(Type.String({ format: 'date-time' })),
    durationSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 31_536_000 })),
  },
  { ...strict, description: 'One of endsAt and durationSeconds' },
);
export type SilenceDraft = Static<typeof SilenceDraftSchema>;
export const SilenceSchema = Type.Object({
  id: Type.String(),
  matchers: Matchers,
  comment: Type.String(),
  startsAt: Time,
  endsAt: Time,
  createdAt: Time,
  createdBy: Type.String(),
  state: oneOf(['pending', 'active', 'expired'] as const),
  /** Alerts that it holds back now. */
  alerts: Count,
});
export type Silence = Static<typeof SilenceSchema>;

// Channels

const Url = Type.String({ minLength: 1, maxLength: 2000, pattern: '^https?://' });
const Header = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
  Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' }),
  { maxProperties: 16, additionalProperties: false },
);
export const ChannelSettingsSchema = Type.Object(
  {
    to: Type.Optional(Type.String({ maxLength: 2000, description: 'email: addresses, a semicolon between' })),
    from: Type.Optional(Type.String({ maxLength: 320, description: 'email' })),
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'email: the SMTP server' })),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'email: 587 where absent, 465 with tls' }),
    ),
    security: Type.Optional(oneOf(['starttls', 'tls', 'none'] as const)),
    verifyTls: Type.Optional(Type.Boolean({ description: 'email: false takes any certificate' })),
    user: Type.Optional(
      Type.String({ maxLength: 320, description: 'email, webhook: the name that goes with the password' }),
    ),
    singleEmail: Type.Optional(
      Type.Boolean({ description: 'email: one mail to all addresses (default) or one to each' }),
    ),
    url: Type.Optional(Url),
    username: Type.Optional(Type.String({ maxLength: 80, description: 'slack' })),
    channel: Type.Optional(Type.String({ maxLength: 80, description: 'slack' })),
    headers: Type.Optional(Header),
  },
  { ...strict, description: 'What is not secret, by the kind of the channel' },
);
export type ChannelSettings = Static<typeof ChannelSettingsSchema>;
const SecretsIn = Type.Record(
  Type.String({ maxLength: 32 }),
  Nullable(Type.String({ minLength: 1, maxLength: 4000 })),
  { maxProperties: 8, description: 'Written, never read back; null takes one away' },
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
export const ChannelDraftSchema = Type.Object(
  { name: Name, kind: oneOf(CHANNEL_KINDS), ...optional(channelDefaulted), secrets: Type.Optional(SecretsIn) },
  strict,
);
export type ChannelDraft = Static<typeof ChannelDraftSchema>;
export const ChannelPatchSchema = Type.Object(
  { ...optional(channelFields), secrets: Type.Optional(SecretsIn) },
  strict,
);
export type ChannelPatch = Static<typeof ChannelPatchSchema>;
export const ChannelSchema = Type.Object({
  id: Type.String(),
  kind: oneOf(CHANNEL_KINDS),
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
export const TemplateBodySchema = Type.Object(
  { title: Type.Optional(Text), message: Type.Optional(Type.String({ maxLength: 16_000 })) },
  strict,
);
export const TemplateSchema = Type.Object({ title: Type.String(), message: Type.String() });

// Policy

const routeFields = {
  matchers: Matchers,
  channels: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 16, description: 'Ids; absent: those of the policy above' }),
  ),
  groupBy: Type.Optional(
    Type.Array(Type.String({ pattern: `${LABEL_NAME}|^\\.\\.\\.$` }), {
      maxItems: 16,
      description: '["..."]: each alert is a group of its own',
    }),
  ),
  groupWaitSeconds: Type.Optional(Seconds),
  groupIntervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 2_592_000 })),
  repeatIntervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 31_536_000 })),
  continue: Type.Optional(Type.Boolean({ description: 'Also try the policies after this one' })),
};
/** Three levels below the root; a schema that ends keeps documents and validators simple. */
const Leaf = Type.Object(routeFields, strict);
const Middle = Type.Object({ ...routeFields, routes: Type.Optional(Type.Array(Leaf, { maxItems: 50 })) }, strict);
const Top = Type.Object({ ...routeFields, routes: Type.Optional(Type.Array(Middle, { maxItems: 50 })) }, strict);
export interface PolicyRoute extends Static<typeof Leaf> {
  routes?: PolicyRoute[];
}
export const InhibitionSchema = Type.Object(
  { source: Matchers, target: Matchers, equal: Names },
  {
    ...strict,
    description:
      'While an alert that matches source fires, those that match target and have the same values of the labels in equal are held back',
  },
);
export type Inhibition = Static<typeof InhibitionSchema>;
const { matchers: _matchers, continue: _continue, ...rootOptional } = routeFields;
export const PolicyBodySchema = Type.Object(
  {
    ...rootOptional,
    routes: Type.Optional(Type.Array(Top, { maxItems: 50 })),
    inhibitions: Type.Optional(Type.Array(InhibitionSchema, { maxItems: 50 })),
    builtInInhibitions: Type.Optional(
      Type.Array(InhibitionSchema, {
        maxItems: 50,
        readOnly: true,
        description: 'Not heeded; taken, so that a policy that was read can be sent back',
      }),
    ),
  },
  strict,
);
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

// History

export const AlertHistorySchema = Type.Object({
  id: Count,
  at: Time,
  kind: oneOf(HISTORY_KINDS),
  ruleId: Nullable(Type.String()),
  ruleName: Nullable(Type.String()),
  fingerprint: Nullable(Type.String()),
  labels: AnyLabels,
  /** Of a change of state. */
  from: Nullable(oneOf(ALERT_STATES)),
  to: Nullable(oneOf(ALERT_STATES)),
  value: Nullable(Type.Number()),
  reason: Nullable(Type.String()),
  /** Of a notification. */
  channelId: Nullable(Type.String()),
  channelName: Nullable(Type.String()),
  status: Nullable(oneOf(['firing', 'resolved'] as const)),
  ok: Nullable(Type.Boolean()),
  attempt: Nullable(Count),
  firing: Nullable(Count),
  resolved: Nullable(Count),
  title: Nullable(Type.String()),
  answer: Nullable(Type.String()),
});
export type AlertHistory = Static<typeof AlertHistorySchema>;

/** What the live stream's `alert` events carry: an instance that changed, or a message for the screens of operators. */
export type AlertEvent =
  | ({ kind: 'instance' } & Alert)
  | { kind: 'notification'; id: string; at: string; status: 'firing' | 'resolved'; title: string; message: string };
