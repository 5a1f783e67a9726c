import { type Static, type TProperties, Type } from 'typebox';
import { PROJECT_ID } from './projects.ts';
import { Count, Nullable, enumOf, PageOf, Paging, get, post, patch, remove, tagged, Time, Closed } from './shapes.ts';
import {
  AGGREGATES,
  ALERT_STATES,
  COMPARISONS,
  ERROR_STATES,
  LABEL_NAME,
  MATCH_OPERATORS,
  NO_DATA_STATES,
  REDUCERS,
  SEVERITIES,
  SIGNALS,
} from './vocabulary.ts';

/** Alert rules: what is looked at, and when it fires. */

export const Name = Type.String({ minLength: 1, maxLength: 200 });
export const Text = Type.String({ maxLength: 4000 });
export const Seconds = Type.Number({ minimum: 0, maximum: 2_592_000 });

export const AlertLabels = Type.Record(Type.String({ pattern: LABEL_NAME }), Type.String({ maxLength: 1000 }), {
  maxProperties: 32,
  additionalProperties: false,
});

export const Names = Type.Array(Type.String({ pattern: LABEL_NAME }), { maxItems: 16 });
export const AnyLabels = Type.Record(Type.String(), Type.String());

export const MatcherSchema = Closed({
  name: Type.String({ pattern: LABEL_NAME }),
  op: enumOf(MATCH_OPERATORS),
  value: Type.String({
    maxLength: 1000,
    description: 'A regular expression (RE2), anchored on both sides, with =~ and !~',
  }),
});
export type Matcher = Static<typeof MatcherSchema>;

export const Matchers = Type.Array(MatcherSchema, { maxItems: 32 });

const MetricsQuery = Closed({
  source: Type.Literal('metrics'),
  measurement: Name,
  field: Name,
  aggregate: enumOf(AGGREGATES),
  groupBy: Type.Optional(
    Type.Array(Name, { maxItems: 8, description: 'One alert per combination of values of these tags' }),
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
      description: 'Window size; omitted: one window for the whole range',
    }),
  ),
});

const LogsQuery = Closed(
  {
    source: Type.Literal('logs'),
    query: Type.String({ minLength: 1, maxLength: 16_384, description: 'LogsQL' }),
    groupBy: Type.Optional(Name),
    stepSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 86_400 })),
  },
  { description: 'Number of matching records; groupBy names a field, one alert per value' },
);

const EngineQuery = Closed(
  { source: Type.Literal('engine'), signal: enumOf(SIGNALS) },
  { description: 'Internal signals of the master; only for built-in rules' },
);

export const AlertQuerySchema = Type.Union([MetricsQuery, LogsQuery, EngineQuery]);
export type AlertQuery = Static<typeof AlertQuerySchema>;

export const ThresholdSchema = Closed({
  op: enumOf(COMPARISONS),
  value: Type.Number(),
  upper: Type.Optional(Type.Number({ description: 'Second bound for within and outside' })),
});
export type Threshold = Static<typeof ThresholdSchema>;

const evaluated = {
  query: AlertQuerySchema,
  rangeSeconds: Type.Number({ minimum: 1, maximum: 2_592_000, description: 'Time range of the query' }),
  reducer: enumOf(REDUCERS),
  threshold: ThresholdSchema,
};

const RuleProject = Type.String({
  pattern: PROJECT_ID,
  description: 'Only series and log lines of workflows of this project; absent: of everything',
});

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
  noData: enumOf(NO_DATA_STATES),
  onError: enumOf(ERROR_STATES),
  severity: enumOf(SEVERITIES),
  labels: AlertLabels,
  annotations: Type.Record(Type.String({ pattern: LABEL_NAME }), Text, {
    maxProperties: 16,
    additionalProperties: false,
  }),
  enabled: Type.Boolean(),
  project: Type.Optional(RuleProject),
};

export const optional = <P extends TProperties>(fields: P) =>
  // The same names; only the type can say of each that it may be missing.
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>;
  };

const { name: _name, query: _query, threshold: _threshold, ...defaulted } = ruleFields;

/** A new rule: what is left out takes its default. */
export const RuleDraftSchema = Closed({
  name: Name,
  query: AlertQuerySchema,
  threshold: ThresholdSchema,
  ...optional(defaulted),
});
export type RuleDraft = Static<typeof RuleDraftSchema>;

export const RulePatchSchema = Closed(optional(ruleFields));
export type RulePatch = Static<typeof RulePatchSchema>;

export const RuleSchema = Type.Object({
  id: Type.String(),
  ...ruleFields,
  builtIn: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
  updatedBy: Type.String(),
  /** The worst state of its instances. */
  state: enumOf(ALERT_STATES),
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
export const PreviewBodySchema = Closed({
  ...evaluated,
  rangeSeconds: Type.Optional(evaluated.rangeSeconds),
  reducer: Type.Optional(evaluated.reducer),
  intervalSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 86_400 })),
  forSeconds: Type.Optional(Seconds),
  from: Type.Optional(Type.String({ format: 'date-time' })),
  to: Type.Optional(Type.String({ format: 'date-time' })),
  project: Type.Optional(RuleProject),
});
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

export const ruleRoutes = tagged('Alerts', {
  'alertRules.list': get('/api/v1/alerts/rules', 'viewer', 'List rules', {
    query: Paging,
    answers: { 200: PageOf(RuleSchema) },
  }),
  'alertRules.create': post('/api/v1/alerts/rules', 'admin', 'Create a rule', {
    body: RuleDraftSchema,
    errors: ['ALERT_NAME_TAKEN', 'PROJECT_NOT_FOUND'],
    answers: { 201: RuleSchema },
  }),
  'alertRules.preview': post(
    '/api/v1/alerts/preview',
    'viewer',
    'Preview a rule: its series, and when it would have fired',
    {
      body: PreviewBodySchema,
      errors: [
        'QUERY_INVALID',
        'QUERY_CANCELLED',
        'METRICS_TIMEOUT',
        'METRICS_TOO_BROAD',
        'ALERT_RULE_NOT_FOUND',
        'PROJECT_NOT_FOUND',
      ],
      answers: { 200: PreviewSchema },
    },
  ),
  'alertRules.get': get('/api/v1/alerts/rules/:id', 'viewer', 'Get a rule', {
    errors: ['ALERT_RULE_NOT_FOUND'],
    answers: { 200: RuleSchema },
  }),
  'alertRules.update': patch('/api/v1/alerts/rules/:id', 'admin', 'Update, enable or disable a rule', {
    body: RulePatchSchema,
    errors: ['ALERT_RULE_NOT_FOUND', 'ALERT_NAME_TAKEN', 'ALERT_BUILT_IN', 'PROJECT_NOT_FOUND'],
    answers: { 200: RuleSchema },
  }),
  'alertRules.delete': remove(
    '/api/v1/alerts/rules/:id',
    'admin',
    'Delete a rule; built-in rules can only be disabled',
    { errors: ['ALERT_RULE_NOT_FOUND', 'ALERT_BUILT_IN'], answers: { 204: null } },
  ),
});
