import type { MetricSeries } from '../../../contract/metrics.ts';
import { iso } from '../../../lib/clock.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { MetricsRoom, SeriesAnswer, SeriesQuery, Within } from '../port.ts';

export type MetricQuery = Parameters<MetricsRoom['query']>[0];

/** A query with its times in milliseconds since the epoch. `from` is in the range, `end` is not. */
export interface MetricRequest {
  from: number;
  to: number;
  /** `to`; one millisecond later where it was not given, to take in what was recorded in this very one. */
  end: number;
  interval: string | null;
  intervalMs: number | null;
  limit: number;
  measurement: string | null;
  field: string | null;
  filters: Record<string, string>;
  within: Within;
}

const DEFAULT_SPAN_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Fills in the defaults (the last minute) and checks. Throws VALIDATION_FAILED with an entry for each fault. */
export function requestOf(query: MetricQuery, now: number): MetricRequest {
  const errors: { pointer: string; message: string }[] = [];
  const time = (name: 'from' | 'to', otherwise: number) => {
    const text = query[name];
    if (text === undefined) return otherwise;
    const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(ms))
      errors.push({ pointer: `/${name}`, message: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' });
    return ms;
  };
  const from = time('from', now - DEFAULT_SPAN_MS);
  const to = time('to', now);
  const intervalMs = query.interval === undefined ? null : durationMs(query.interval);
  if (Number.isNaN(intervalMs))
    errors.push({ pointer: '/interval', message: 'must be a positive whole number with s, m, h or d, such as 5m' });
  if (from > to)
    errors.push({
      pointer: '/from',
      message:
        query.to === undefined
          ? 'is in the future'
          : query.from === undefined
            ? 'defaults to one minute ago, which is after to'
            : 'is after to',
    });
  if ('' in query.filters) errors.push({ pointer: '/', message: 'a tag filter needs a tag name before the =' });
  if (errors.length > 0)
    throw new Fault(
      'VALIDATION_FAILED',
      `the metrics query is not valid: ${errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`.trim()).join('; ')}`,
      { errors },
    );
  return {
    from,
    to,
    end: query.to === undefined ? to + 1 : to,
    interval: query.interval ?? null,
    intervalMs,
    limit: query.limit,
    measurement: query.measurement ?? null,
    field: query.field ?? null,
    filters: query.filters,
    within: query.within ?? null,
  };
}

const TAGS_SPAN_MS = 3_600_000;

/** The range of a question about tags: the last hour where none is given. */
export function rangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: number,
): { from: number; to: number } {
  const end = to === undefined ? now + 1 : Date.parse(to);
  const start = from === undefined ? end - TAGS_SPAN_MS : Date.parse(from);
  if (start > end) throw invalidAt('/from', 'from is after to', 'is after to');
  return { from: start, to: end };
}

export interface SeriesParams {
  measurement: string;
  field: string;
  aggregate?: SeriesQuery['aggregate'] | undefined;
  groupBy?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  interval?: string | undefined;
  limit?: number | undefined;
}

/** A question for series from the parameters of its route; `filters` are the keys that are no parameter. */
export function seriesQueryOf(
  { measurement, field, aggregate = 'mean', groupBy = '', from, to, interval, limit = 100 }: SeriesParams,
  filters: Readonly<Record<string, string | readonly string[]>>,
  now: number,
): SeriesQuery {
  const range = rangeOf({ from, to }, now);
  return {
    measurement,
    field,
    aggregate,
    limit,
    groupBy: [
      ...new Set(
        groupBy
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      ),
    ],
    filters: Object.fromEntries(
      Object.entries(filters).map(([key, values]) => [key, typeof values === 'string' ? [values] : values]),
    ),
    ...range,
    intervalMs: interval === undefined ? null : durationMs(interval),
  };
}

export const seriesView = (
  { from, to, series, total, warnings }: SeriesAnswer,
  interval: string | undefined,
): MetricSeries => ({
  from: iso(from),
  to: iso(to),
  interval: interval ?? null,
  series: series as MetricSeries['series'],
  total,
  ...(warnings === undefined ? {} : { warnings }),
});

function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  return ms > 0 ? ms : Number.NaN;
}
