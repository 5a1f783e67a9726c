import { createHash } from 'node:crypto';
import type { AlertRule } from '../../../contract/alert-rules.ts';
import { LOGS_UID, METRICS_UID } from './dashboard.ts';
import { grafanaAnnotation } from './annotations.ts';
import { fluxQuery, OWN_BUCKETS, type MetricBuckets } from './flux.ts';

const EVALUATORS = {
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
  within: 'within_range',
  outside: 'outside_range',
} as const;
const NO_DATA = { NoData: 'NoData', Alerting: 'Alerting', OK: 'OK', KeepLast: 'KeepLast' } as const;

/** A value that the master measures of itself. */
const ofMaster =
  (field: string, aggregate: 'last' | 'min' | 'max' | 'sum') =>
  (range: string, buckets: MetricBuckets): string =>
    fluxQuery(
      { measurement: 'system_metrics', field, aggregate },
      [],
      { start: range, stop: 'now()', every: null },
      buckets,
    );

/** What a built-in rule looks at, as far as the metrics tell it too. */
const SIGNALS: Readonly<Record<string, (range: string, buckets: MetricBuckets) => string>> = {
  workersUp: (range, { all }) =>
    `from(bucket: ${JSON.stringify(all)})\n  |> range(start: ${range})\n  |> filter(fn: (r) => r._measurement == "worker_metrics" and r._field == "gauge_max_tasks")\n  |> last()\n  |> group()\n  |> count()`,
  failureRate: (range, buckets) =>
    fluxQuery(
      {
        measurement: 'task_metrics',
        field: 'counter_error_count',
        aggregate: 'mean',
        groupBy: ['workflow_id', 'environment'],
      },
      [],
      { start: range, stop: 'now()', every: null },
      buckets,
    ),
  tasksStuck: ofMaster('gauge_queue_depth', 'min'),
  pipelineBacklog: ofMaster('gauge_pipeline_queue', 'last'),
  clusterStandbys: ofMaster('gauge_cluster_standbys', 'last'),
  clusterAppend: ofMaster('gauge_cluster_append_ms', 'last'),
  damagedData: ofMaster('gauge_data_damaged', 'last'),
  sendersRefused: ofMaster('counter_log_senders_refused', 'sum'),
  wrongCredentials: ofMaster('counter_wrong_credentials', 'sum'),
};

/** Rules as Grafana's provisioning takes them, by group; those that metrics and logs do not tell are left out. */
export function grafanaRules(
  rules: readonly AlertRule[],
  buckets = OWN_BUCKETS,
): { groups: object[]; left: readonly AlertRule[] } {
  const asked = rules.map((rule) => ({ rule, data: dataOf(rule, buckets) }));
  const groups = Map.groupBy(
    asked.flatMap(({ rule, data }) => (data === null ? [] : [{ rule, data }])),
    ({ rule }) => `${rule.group} every ${rule.intervalSeconds} s`,
  );
  return {
    left: asked.filter(({ data }) => data === null).map(({ rule }) => rule),
    groups: [...groups].map(([name, members]) => ({
      orgId: 1,
      name,
      folder: 'Yardmaster',
      interval: `${Math.max(10, Math.ceil((members[0]?.rule.intervalSeconds ?? 10) / 10) * 10)}s`,
      rules: members.map(({ rule, data }) => ruleOf(rule, data)),
    })),
  };
}

const ruleOf = (rule: AlertRule, data: object[]): object => ({
  uid: createHash('sha256').update(rule.id).digest('hex').slice(0, 32),
  title: rule.name,
  condition: 'C',
  data,
  for: `${rule.forSeconds}s`,
  ...(rule.keepFiringSeconds > 0 ? { keepFiringFor: `${rule.keepFiringSeconds}s` } : {}),
  noDataState: NO_DATA[rule.noData],
  execErrState: rule.onError,
  isPaused: !rule.enabled,
  labels: { ...rule.labels, severity: rule.severity },
  annotations: Object.fromEntries(
    Object.entries(rule.annotations).map(([name, text]) => [name, grafanaAnnotation(String(text))]),
  ),
});

function dataOf(rule: AlertRule, buckets: MetricBuckets): object[] | null {
  const ask = askOf(rule, buckets);
  if (ask === null) return null;
  const relativeTimeRange = { from: rule.rangeSeconds, to: 0 };
  const { op, value, upper } = rule.threshold;
  return [
    { refId: 'A', relativeTimeRange, ...ask },
    {
      refId: 'B',
      relativeTimeRange,
      datasourceUid: '__expr__',
      model: { refId: 'B', type: 'reduce', expression: 'A', reducer: rule.reducer },
    },
    {
      refId: 'C',
      relativeTimeRange,
      datasourceUid: '__expr__',
      model: {
        refId: 'C',
        type: 'threshold',
        expression: 'B',
        conditions: [{ evaluator: { type: EVALUATORS[op], params: upper === undefined ? [value] : [value, upper] } }],
      },
    },
  ];
}

function askOf(
  { query, rangeSeconds }: AlertRule,
  buckets: MetricBuckets,
): { datasourceUid: string; model: object } | null {
  const range = `-${rangeSeconds}s`;
  if (query.source === 'logs') {
    const by = query.groupBy === undefined ? '' : ` by (${query.groupBy})`;
    return {
      datasourceUid: LOGS_UID,
      model: {
        refId: 'A',
        expr: `${query.query} | stats${by} count() as lines`,
        queryType: query.stepSeconds === undefined ? 'stats' : 'statsRange',
        ...(query.stepSeconds === undefined ? {} : { step: `${query.stepSeconds}s` }),
      },
    };
  }
  const flux =
    query.source === 'metrics'
      ? fluxQuery(
          query,
          [],
          {
            start: range,
            stop: 'now()',
            every: query.stepSeconds === undefined ? null : `${Math.round(query.stepSeconds * 1000)}ms`,
          },
          buckets,
        )
      : SIGNALS[query.signal]?.(range, buckets);
  return flux === undefined ? null : { datasourceUid: METRICS_UID, model: { refId: 'A', query: flux } };
}
