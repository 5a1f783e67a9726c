import { BUCKET } from '../store/files/head-db.ts';
import { createFold, percentile, type Fold } from '../store/read/fold.ts';
import type { SeriesAnswer, SeriesQuery } from '../store/port.ts';
import { selectSeries, keyOf, type Guard } from '../store/read/select.ts';
import { createSource } from '../store/read/source.ts';
import { foldRange, NEEDS, valueOf } from '../store/read/fold-range.ts';
import type { View } from '../store/read/view.ts';
import { isRowTag } from '../store/files/owner-key.ts';

const SHARE = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
const isShare = (aggregate: SeriesQuery['aggregate']): aggregate is keyof typeof SHARE => aggregate in SHARE;

/** Series of one field for charts and alerts: those that agree in `groupBy` are one. */
export function querySeries(view: View, guard: Guard, query: SeriesQuery): SeriesAnswer {
  const { from, to, intervalMs, aggregate, groupBy, limit } = query;
  const share = isShare(aggregate) ? SHARE[aggregate] : null;
  const needed = aggregate === 'rate' ? 'sum' : isShare(aggregate) ? null : aggregate;
  const parts = needed ? NEEDS[needed] : (['count'] as const);
  const choice = selectSeries(view, {
    bucket: BUCKET,
    measurement: [query.measurement],
    field: [query.field],
    tags: query.filters,
    where: [],
  });
  const byOwner = groupBy.some(isRowTag);
  if (aggregate === 'last' && intervalMs === null && groupBy.length > 0) return lastOfEach(view, guard, query);
  const groups = new Map<string, { tags: Record<string, string>; fold: Fold }>();
  foldRange(
    view,
    guard,
    choice,
    { from, to, everyMs: intervalMs, needs: needed && !byOwner ? new Set(parts) : null, mergeOwners: !byOwner },
    ({ series }, field, who) => {
      const tags: Record<string, string> = {};
      const known = keyOf(series, field, who).tags;
      for (const name of groupBy) tags[name] = known[name] ?? '';
      const key = groupBy.map((name) => tags[name]).join('\u0000');
      let group = groups.get(key);
      if (!group) {
        guard.charge(16);
        groups.set(
          key,
          (group = { tags, fold: createFold(from, to, intervalMs, parts, share !== null, guard.charge) }),
        );
      }
      return group.fold;
    },
  );
  const all = [...groups.values()].flatMap(({ tags, fold }) => {
    guard.check();
    const order = fold.order();
    // Its points of this time have other fields alone.
    if (order.length === 0) return [];
    const times = Array.from(order, (i) => fold.at(i, 'starts'));
    const seconds = (intervalMs ?? to - from) / 1000;
    const values = Array.from(order, (i) => {
      if (share !== null) return percentile((fold.values as number[][])[i] as number[], share);
      return aggregate === 'rate'
        ? fold.at(i, 'sum') / seconds
        : valueOf(fold, i, needed as NonNullable<typeof needed>);
    });
    return [{ tags, times, values, weight: values.reduce((sum, value) => sum + value, 0) }];
  });
  all.sort((a, b) => b.weight - a.weight || compareTags(a.tags, b.tags, groupBy));
  return {
    from,
    to,
    intervalMs,
    series: all.slice(0, limit).map(({ tags, times, values }) => ({ tags, times, values })),
    total: all.length,
  };
}

/** The newest value of each group, without reading what came before it. */
function lastOfEach(
  view: View,
  guard: Guard,
  { measurement, field, groupBy, filters, from, to, limit }: SeriesQuery,
): SeriesAnswer {
  const groups = new Map<string, { tags: Record<string, string>; at: number; value: number }>();
  for (const { tags: known, ms, values } of createSource(view, guard).last(
    { bucket: BUCKET, measurement: [measurement], field: [field], tags: filters, where: [] },
    from,
    to,
  )) {
    const at = ms.at(-1) ?? 0;
    const value = Number(values.at(-1));
    if (Number.isNaN(value)) continue;
    const tags: Record<string, string> = {};
    for (const name of groupBy) tags[name] = known[name] ?? '';
    const key = groupBy.map((name) => tags[name]).join('\u0000');
    const group = groups.get(key);
    if (!group || group.at < at) groups.set(key, { tags, at, value });
  }
  const all = [...groups.values()].sort((a, b) => b.value - a.value || compareTags(a.tags, b.tags, groupBy));
  return {
    from,
    to,
    intervalMs: null,
    series: all.slice(0, limit).map(({ tags, value }) => ({ tags, times: [from], values: [value] })),
    total: all.length,
  };
}

function compareTags(a: Record<string, string>, b: Record<string, string>, names: readonly string[]): number {
  for (const name of names) if (a[name] !== b[name]) return (a[name] ?? '') < (b[name] ?? '') ? -1 : 1;
  return 0;
}
