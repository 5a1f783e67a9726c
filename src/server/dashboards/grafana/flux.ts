import type { PanelQuery, Variable } from '../../../contract/dashboards.ts';

type Metric = Extract<PanelQuery, { source: 'metrics' }>;

/** Grafana fills in what is chosen as a regular expression. */
export interface FluxOptions {
  /** As a Flux expression: what the range starts and stops at. */
  readonly start: string;
  readonly stop: string;
  /** Width of the windows as a Flux expression; null: one value for the whole range. */
  readonly every: string | null;
}

/** Where the metrics are. */
export interface MetricBuckets {
  readonly all: string;
  /** An InfluxDB has points with their job in a bucket of their own; null: the same has them. */
  readonly jobs: string | null;
}
export const OWN_BUCKETS: MetricBuckets = { all: 'metrics', jobs: null };
const OWNERS = ['job_id', 'task_id'];

export const OF_DASHBOARD: FluxOptions = {
  start: 'v.timeRangeStart',
  stop: 'v.timeRangeStop',
  every: 'v.windowPeriod',
};

const QUANTILES: Readonly<Record<string, string>> = { p50: '0.5', p95: '0.95', p99: '0.99' };

/** The same query in Flux. Series that agree in the tags of `groupBy` are one. */
export function fluxQuery(
  {
    measurement,
    field,
    aggregate,
    groupBy = [],
    filters = {},
  }: Pick<Metric, 'measurement' | 'field' | 'aggregate' | 'groupBy' | 'filters'>,
  variables: readonly Pick<Variable, 'name'>[],
  { start, stop, every }: FluxOptions,
  buckets: MetricBuckets = OWN_BUCKETS,
): string {
  const known = new Set(variables.map(({ name }) => name));
  const columns = ['_measurement', '_field', ...groupBy];
  return [
    `from(bucket: ${bucketOf(groupBy, filters, known, buckets)})`,
    `range(start: ${start}, stop: ${stop})`,
    `filter(fn: (r) => r._measurement == ${text(measurement)} and r._field == ${text(field)})`,
    ...Object.entries(filters).map(
      ([tag, values]) => `filter(fn: (r) => ${values.map((value) => test(tag, value, known, buckets)).join(' or ')})`,
    ),
    `group(columns: [${columns.map(text).join(', ')}])`,
    ...(every === null ? wholeRange(aggregate, start, stop) : windowed(aggregate, every)),
  ].join('\n  |> ');
}

function windowed(aggregate: Metric['aggregate'], every: string): string[] {
  const window = (fn: string) => `aggregateWindow(every: ${every}, fn: ${fn}, createEmpty: false)`;
  const quantile = QUANTILES[aggregate];
  if (quantile !== undefined)
    return [window(`(column, tables=<-) => tables |> quantile(q: ${quantile}, column: column, method: "exact_mean")`)];
  if (aggregate === 'rate')
    return [
      window('sum'),
      `map(fn: (r) => ({r with _value: float(v: r._value) / (float(v: int(v: ${every})) / 1000000000.0)}))`,
    ];
  return [window(aggregate)];
}

function wholeRange(aggregate: Metric['aggregate'], start: string, stop: string): string[] {
  const quantile = QUANTILES[aggregate];
  if (quantile !== undefined) return [`quantile(q: ${quantile}, method: "exact_mean")`];
  if (aggregate === 'rate')
    return [
      'sum()',
      `map(fn: (r) => ({r with _value: float(v: r._value) / (float(v: int(v: ${stop}) - int(v: ${start})) / 1000000000.0)}))`,
    ];
  // Over series that were merged the newest is only known in the order of time.
  return aggregate === 'last' ? ['sort(columns: ["_time"])', 'last()'] : [`${aggregate}()`];
}

const variableIn = (value: string, known: ReadonlySet<string>): string | null => {
  const name = value.startsWith('$') ? value.slice(1) : null;
  return name !== null && known.has(name) ? name : null;
};
/** True in Flux where all values of a variable are chosen: no value that is named is empty. */
const isAll = (name: string): string => `"" =~ /^\${${name}:regex}$/`;

/** As a Flux expression: the bucket of single jobs where the query is of some, else that of all points. */
function bucketOf(
  groupBy: readonly string[],
  filters: NonNullable<Metric['filters']>,
  known: ReadonlySet<string>,
  { all, jobs }: MetricBuckets,
): string {
  const values = OWNERS.flatMap((tag) => filters[tag] ?? []);
  if (jobs === null || (values.length === 0 && !OWNERS.some((tag) => groupBy.includes(tag)))) return text(all);
  const names = values.map((value) => variableIn(value, known));
  // Grafana fills in what is chosen.
  return names.every((name) => name !== null) && names.length > 0 && !OWNERS.some((tag) => groupBy.includes(tag))
    ? `if ${names.map((name) => isAll(name ?? '')).join(' and ')} then ${text(all)} else ${text(jobs)}`
    : text(jobs);
}

function test(tag: string, value: string, known: ReadonlySet<string>, { jobs }: MetricBuckets): string {
  const name = variableIn(value, known);
  if (name === null) return `r[${text(tag)}] == ${text(value)}`;
  const matches = `string(v: r[${text(tag)}]) =~ /^\${${name}:regex}$/`;
  // In InfluxDB a tag that is absent matches nothing, and all of them are wanted.
  return jobs === null ? matches : `(${isAll(name)} or ${matches})`;
}

/** A Flux string. */
export const text = (value: string): string => JSON.stringify(value).replaceAll('${', '\\${');
