/** The closed sets of words of alerting. Plain data: the renderer imports it without a schema library. */

/** What an alert instance is in. `NoData` and `Error` are the firing states of a rule's own two alerts. */
export const ALERT_STATES = ['Normal', 'Pending', 'Alerting', 'Recovering', 'NoData', 'Error'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** States in which an alert is open: people are told of it, unless it is held back. */
export const OPEN_STATES: readonly AlertState[] = ['Alerting', 'Recovering', 'NoData', 'Error'];

/** Nobody is told of it: a silence covers it, or another alert is its cause and is told instead. */
export const isHeldBack = ({
  silencedBy,
  inhibitedBy,
}: {
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
}): boolean => silencedBy.length + inhibitedBy.length > 0;

export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a series comes to over the rule's range. */
export const REDUCERS = ['last', 'mean', 'min', 'max', 'sum', 'count'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** `within` and `outside` take two bounds, which both belong to the range; the others one. */
export const COMPARISONS = ['gt', 'ge', 'lt', 'le', 'within', 'outside'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const NO_DATA_STATES = ['NoData', 'Alerting', 'OK', 'KeepLast'] as const;
export const ERROR_STATES = ['Error', 'Alerting', 'OK', 'KeepLast'] as const;

export const AGGREGATES = ['sum', 'mean', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;

/** What built-in rules look at without a query. */
export const SIGNALS = [
  'workersUp',
  'workersLost',
  'failureRate',
  'tasksStuck',
  'diskUsed',
  'pipelineBacklog',
] as const;
export type Signal = (typeof SIGNALS)[number];

export const CHANNEL_KINDS = ['email', 'slack', 'teams', 'pagerduty', 'webhook', 'desktop'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Names of what is secret in each kind of channel. The addresses of chat hooks let anybody write there. */
export const CHANNEL_SECRETS: Readonly<Record<ChannelKind, readonly string[]>> = {
  email: ['password'],
  slack: ['url'],
  teams: ['url'],
  pagerduty: ['routingKey'],
  webhook: ['bearer', 'password', 'hmac'],
  desktop: [],
};

export const MATCH_OPERATORS = ['=', '!=', '=~', '!~'] as const;
export type MatchOperator = (typeof MATCH_OPERATORS)[number];

/** Names of labels, of rules and of matchers. */
export const LABEL_NAME = '^[a-zA-Z_][a-zA-Z0-9_.]{0,63}$';
/** Labels that the master gives; rules cannot set them. */
export const RESERVED_LABELS: readonly string[] = ['alertname', 'rulename', 'severity'];

export const HISTORY_KINDS = ['state', 'notification'] as const;

/** Titles and messages where a channel has none of its own. */
export const DEFAULT_TITLE = '[{{ $status }}:{{ $count }}] {{ $alertname }}';
export const DEFAULT_MESSAGE = '{{ $alerts }}';
