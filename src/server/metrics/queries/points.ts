import { itemAt } from '../../../lib/item-at.ts';
import type { DataPoint, Metrics } from '../../../contract/metrics.ts';
import { iso } from '../../../lib/clock.ts';
import { BUCKET } from '../store/files/head-db.ts';
import { createFold, percentile, type Fold } from '../store/read/fold.ts';
import type { SeriesFilter } from '../store/port.ts';
import { has, type Rows } from '../store/files/rows.ts';
import { selectSeries, rowsOf, type SeriesSelection, type Guard } from '../store/read/select.ts';
import { foldRange, valueOf } from '../store/read/fold-range.ts';
import type { View } from '../store/read/view.ts';
import type { Field, Series } from '../store/files/catalog.ts';
import { splitOwnerKey } from '../store/files/owner-key.ts';
import { tagsWithin } from '../../../lib/tags-within.ts';
import type { MetricRequest } from './request.ts';

/** `GET /api/v1/metrics` over what is committed. */
export function queryMetrics(view: View, guard: Guard, request: MetricRequest): Metrics {
  const choice = selectSeries(view, filterOf(request));
  const names = new Set<string>();
  const { points, total } =
    request.intervalMs === null
      ? stored(view, guard, choice, request, names)
      : windows(view, guard, choice, request, request.intervalMs, names);
  return {
    from: iso(request.from),
    to: iso(request.to),
    interval: request.interval,
    filters: request.filters,
    dataPoints: points,
    totalDataPoints: total,
    metricNames: [...names].sort(),
    ...(total > points.length ? { truncated: true } : {}),
  };
}

const filterOf = ({ measurement, field, filters, within }: MetricRequest): SeriesFilter => ({
  bucket: BUCKET,
  measurement: measurement === null ? null : [measurement],
  field: field === null ? null : [field],
  tags: tagsWithin(within, Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, [value]]))),
  where: [],
});

interface Found {
  readonly ms: number;
  readonly series: Series;
  readonly rows: Rows;
  readonly row: number;
}

/** Each stored point is one data point. */
function stored(
  view: View,
  guard: Guard,
  choice: SeriesSelection,
  { from, end, limit }: MetricRequest,
  names: Set<string>,
): { points: DataPoint[]; total: number } {
  let newest: Found[] = [];
  let total = 0;
  const cut = () => (newest = newest.sort((a, b) => b.ms - a.ms).slice(0, limit));
  for (const one of choice.chosen) {
    guard.check();
    const rows = rowsOf(view, choice, one, from, end, guard);
    const columns = [...rows.columns.values()].filter(({ texts }) => !texts);
    for (const column of columns) if (someOf(rows, column)) names.add(nameOf(view, column.field));
    for (let row = 0; row < rows.count; row++) {
      if (!columns.some((column) => has(column, row))) continue;
      total++;
      newest.push({ ms: rows.ms[row] ?? 0, series: one.series, rows, row });
      // Series overlap in time, so the newest points are known only at the end; more than twice the limit need not be kept.
      if (newest.length >= 2 * limit + 1000) cut();
    }
  }
  return {
    points: cut()
      .reverse()
      .map((found) => pointOf(view, found)),
    total,
  };
}

function someOf(rows: Rows, column: Parameters<typeof has>[0]): boolean {
  for (let row = 0; row < rows.count; row++) if (has(column, row)) return true;
  return false;
}

const nameOf = (view: View, field: number): string => view.catalog.fields.get(field)?.name ?? '';

function pointOf(view: View, { ms, series, rows, row }: Found): DataPoint {
  const { job, task } = splitOwnerKey(rows.who?.[row] ?? '');
  const point: DataPoint = {
    timestamp: iso(ms),
    tags: { ...series.tags, ...(job === '' ? {} : { job_id: job }), ...(task === '' ? {} : { task_id: task }) },
  };
  for (const column of rows.columns.values())
    if (!column.texts && has(column, row)) point[nameOf(view, column.field)] = column.numbers[row] ?? 0;
  return point;
}

/** Series merged into windows: counters are summed, timers averaged with their 95th percentile beside, all else averaged. */
function windows(
  view: View,
  guard: Guard,
  choice: SeriesSelection,
  { from, end, limit }: MetricRequest,
  intervalMs: number,
  names: Set<string>,
): { points: DataPoint[]; total: number } {
  const folds = new Map<string, Fold>();
  const isTimer = (field: Field) => field.name.startsWith('timer_');
  for (const timers of [false, true]) {
    const chosen = choice.chosen
      .map(({ series, fields }) => ({
        series,
        fields: fields.filter((field) => field.type !== 'string' && isTimer(field) === timers),
      }))
      .filter(({ fields }) => fields.length > 0);
    foldRange(
      view,
      guard,
      { ...choice, chosen },
      { from, to: end, everyMs: intervalMs, needs: timers ? null : new Set(['count', 'sum']), mergeOwners: true },
      (_, field) => {
        let fold = folds.get(field.name);
        if (!fold)
          folds.set(field.name, (fold = createFold(from, end, intervalMs, ['count', 'sum'], timers, guard.charge)));
        return fold;
      },
    );
  }
  const points = new Map<number, DataPoint>();
  for (const [name, fold] of folds) {
    for (let i = 0; i < fold.length; i++) {
      guard.check();
      const start = fold.at(i, 'starts');
      let point = points.get(start);
      if (!point) points.set(start, (point = { timestamp: iso(start) }));
      point[name] = valueOf(fold, i, name.startsWith('counter_') ? 'sum' : 'mean');
      names.add(name);
      if (!fold.values) continue;
      point[`${name}_p95`] = percentile(itemAt(fold.values, i), 0.95);
      names.add(`${name}_p95`);
    }
  }
  const all = [...points].sort(([a], [b]) => a - b);
  return { points: limit === 0 ? [] : all.slice(-limit).map(([, point]) => point), total: all.length };
}
