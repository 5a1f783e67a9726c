import { itemAt } from '../../../../lib/item-at.ts';
import type { Panel, PanelQuery } from '../../../../contract/dashboards.ts';
import type { MetricSeries } from '../../../../contract/metrics.ts';
import type { PanelReducer, Tone } from '../../../../contract/vocabulary.ts';
import type { SeriesParams } from '../../../api/dashboards.ts';

/** What is chosen for the variables; absent or empty: all. */
export type ChosenVariables = Readonly<Record<string, readonly string[] | undefined>>;
type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;

/** One line of a panel. `values` beside the panel's `times`; null: nothing was measured then. */
export interface Line {
  readonly label: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly values: readonly (number | null)[];
}
export interface Lines {
  /** Seconds since the epoch, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** Series that are not shown. */
  readonly more: number;
}

export const MAX_SERIES = 50;
const HEAT_SERIES = 2000;

const QUANTILES: ReadonlySet<string> = new Set(['p50', 'p95', 'p99', 'mean']);

/**
 * Panels that show one number for each series ask for one window. So does a stat of what cannot be made of windows: the
 * median of medians is not the median; only a reducer that is named says that windows are meant.
 */
const isWhole = ({ kind, reducer }: Pick<Panel, 'kind' | 'reducer'>, { aggregate }: MetricQuery): boolean =>
  kind === 'bar' ||
  kind === 'table' ||
  kind === 'gauge' ||
  (kind === 'stat' && reducer === undefined && QUANTILES.has(aggregate));

export function seriesParams(
  query: MetricQuery,
  panel: Pick<Panel, 'kind' | 'reducer'>,
  chosen: ChosenVariables,
  stepSeconds: number,
): SeriesParams {
  return {
    measurement: query.measurement,
    field: query.field,
    aggregate: query.aggregate,
    groupBy: (query.groupBy ?? []).join(','),
    interval: isWhole(panel, query) ? null : `${stepSeconds}s`,
    limit: panel.kind === 'heatmap' ? HEAT_SERIES : MAX_SERIES,
    filters: queryFilters(query, chosen),
  };
}

/** A variable stands for all that is chosen for it; where nothing is, the filter falls away. */
function queryFilters({ filters = {} }: MetricQuery, chosen: ChosenVariables): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  for (const [tag, given] of Object.entries(filters)) {
    if (given.some((value) => value.startsWith('$') && (chosen[value.slice(1)] ?? []).length === 0)) continue;
    found[tag] = given.flatMap((value) => (value.startsWith('$') ? (chosen[value.slice(1)] ?? []) : [value]));
  }
  return found;
}

/** LogsQL with what is chosen in the place of `$name`; `*` where all is. */
export const logsQuery = (query: string, chosen: ChosenVariables): string =>
  query.replace(/\$([a-z][a-zA-Z0-9_]{0,31})/g, (_, name: string) => {
    const values = chosen[name] ?? [];
    return values.length === 0 ? '*' : `in(${values.map((value) => JSON.stringify(value)).join(',')})`;
  });

/** Answers to a panel's queries, one after the other, on one axis of time. */
export function seriesLines(queries: readonly PanelQuery[], answers: readonly (MetricSeries | undefined)[]): Lines {
  const times = [...new Set(answers.flatMap((answer) => (answer?.series ?? []).flatMap((one) => one.times)))].sort(
    (a, b) => a - b,
  );
  const place = new Map(times.map((time, i) => [time, i]));
  const several = queries.length > 1;
  let more = 0;
  const lines = answers.flatMap((answer, q): Line[] => {
    if (!answer) return [];
    const query = itemAt(queries, q);
    more += Math.max(0, answer.total - answer.series.length);
    return answer.series.map(({ tags, times: at, values }) => {
      const line: (number | null)[] = Array.from({ length: times.length }, () => null);
      at.forEach((time, i) => (line[place.get(time) ?? 0] = values[i] ?? null));
      return { label: seriesLabel(query, tags, several), tags, values: line };
    });
  });
  return { times: times.map((time) => time / 1000), lines, more };
}

/** The legend with tags filled in; without one the values of the tags, or the name of the field. */
export function seriesLabel(query: PanelQuery, tags: Readonly<Record<string, string>>, several: boolean): string {
  const values = Object.values(tags)
    .filter((value) => value !== '')
    .join(' · ');
  if (query.source === 'logs') return values || 'lines';
  const { legend, field, aggregate } = query;
  if (legend !== undefined)
    return legend.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, tag: string) => tags[tag] || '(none)');
  return values === '' || several ? [`${field} ${aggregate}`, values].filter(Boolean).join(' · ') : values;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{12})/g;
/** A label for narrow places: ids by their end, which tells those of the same time apart. */
export const shortLabel = (label: string): string => label.replace(UUID, '…$1');

/**
 * Without the window that is not over yet: what is counted in it is less than it will be, so that every chart would seem
 * to fall at its end. The only one stays.
 */
export function isWholeNumbers(
  { times, lines }: Pick<Lines, 'times' | 'lines'>,
  stepSeconds: number,
  askedAt: number,
): Pick<Lines, 'times' | 'lines'> {
  const last = times.at(-1);
  if (last === undefined || times.length < 2 || last + stepSeconds <= askedAt) return { times, lines };
  return { times: times.slice(0, -1), lines: lines.map((line) => ({ ...line, values: line.values.slice(0, -1) })) };
}

/** True where the windows of a query count or add up. */
export const adds = (query: PanelQuery | undefined): boolean =>
  query?.source === 'logs' || query?.aggregate === 'sum' || query?.aggregate === 'count' || query?.aggregate === 'rate';

/** What a line comes to as one number; null: nothing was measured. */
export function reduceLine(values: readonly (number | null)[], reducer: PanelReducer): number | null {
  const found = values.filter((value): value is number => value !== null);
  if (found.length === 0) return null;
  if (reducer === 'last') return found.at(-1) ?? 0;
  const sum = found.reduce((a, b) => a + b, 0);
  if (reducer === 'sum') return sum;
  if (reducer === 'mean') return sum / found.length;
  return found.reduce((a, b) => (reducer === 'min' ? Math.min(a, b) : Math.max(a, b)));
}

/** One number for all lines: with `sum` that of all of them; of workers that each hold some, the sum of the last ones. */
export function total(lines: readonly Line[], reducer: PanelReducer, byWindow: boolean): number | null {
  const each = lines
    .map(({ values }) =>
      reduceLine(values, reducer === 'sum' && byWindow ? 'sum' : reducer === 'sum' ? 'last' : reducer),
    )
    .filter((value): value is number => value !== null);
  if (each.length === 0) return null;
  if (reducer === 'min') return Math.min(...each);
  if (reducer === 'max') return Math.max(...each);
  const sum = each.reduce((a, b) => a + b, 0);
  return reducer === 'mean' ? sum / each.length : sum;
}

/** A gauge that was last told so long ago, in seconds, is of something that is gone. */
const GONE_S = 30;

/** The lines that were told of up to the end of the time: a worker that left holds no slots any more. */
export function present(
  { times, lines }: Pick<Lines, 'times' | 'lines'>,
  end: number,
  stepSeconds: number,
): readonly Line[] {
  const since = end - Math.max(GONE_S, 2 * stepSeconds);
  return lines.filter(
    ({ values }) =>
      (times[values.findLastIndex((value) => value !== null)] ?? Number.NEGATIVE_INFINITY) + stepSeconds > since,
  );
}

/** The tone of a number by the thresholds: that of the highest it has reached. */
export function thresholdTone(value: number | null, thresholds: Panel['thresholds']): Tone | null {
  if (value === null) return null;
  const reached = (thresholds ?? []).filter(({ from }) => value >= from).sort((a, b) => b.from - a.from);
  return reached[0]?.tone ?? null;
}

/** Lines as CSV: a column of times, one for each line. */
export function seriesCsv({ times, lines }: Lines): string {
  const cell = (text: string) =>
    /[",\r\n]/.test(text) || /^[=+\-@]/.test(text)
      ? `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
      : text;
  return (
    [
      ['time', ...lines.map(({ label }) => cell(label))],
      ...times.map((time, i) => [new Date(time * 1000).toISOString(), ...lines.map(({ values }) => values[i] ?? '')]),
    ]
      .map((row) => row.join(','))
      .join('\r\n') + '\r\n'
  );
}
