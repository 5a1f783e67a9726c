import type { MetricNames, MetricTags, MetricTagValues } from '../../../contract/metrics.ts';
import { BUCKET } from '../store/files/head-db.ts';
import { selectSeries, piecesOf, type Guard } from '../store/read/select.ts';
import type { View } from '../store/read/view.ts';
import type { Within } from '../port.ts';
import { tagsWithin } from '../../../lib/tags-within.ts';
import { isRowTag, ROW_TAGS, splitOwnerKey } from '../store/files/owner-key.ts';

const bucketKey = (view: View): number =>
  [...view.catalog.buckets.values()].find(({ name }) => name === BUCKET)?.key ?? 0;

/** Measurements and their fields. */
export function metricNames(view: View, _guard: Guard, within: Within): MetricNames {
  const { catalog } = view;
  const bucket = bucketKey(view);
  const seen = within && new Set(seriesOf(view, null, within).chosen.map(({ series }) => series.measurement));
  return {
    items: catalog
      .measurements(bucket)
      .filter((measurement) => !seen || seen.has(measurement))
      .sort()
      .map((measurement) => ({
        measurement,
        fields: catalog
          .fieldsOf(bucket, measurement)
          .map(({ name, type }) => ({ name, type }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
        series: seriesOf(view, measurement, within).chosen.length,
      })),
  };
}

const seriesOf = (view: View, measurement: string | null, within: Within = null) =>
  selectSeries(view, {
    bucket: BUCKET,
    measurement: measurement === null ? null : [measurement],
    field: null,
    tags: tagsWithin(within, {}),
    where: [],
  });

/** Tags of a measurement, or of all. */
export function metricTags(
  view: View,
  guard: Guard,
  { measurement, from, to, within = null }: { measurement: string | null; from: number; to: number; within?: Within },
): MetricTags {
  const choice = seriesOf(view, measurement, within);
  const tags = new Set<string>();
  for (const { series } of choice.chosen) for (const name in series.tags) tags.add(name);
  ownersOf(view, guard, choice, from, to, (job, task) => {
    if (job !== '') tags.add('job_id');
    if (task !== '') tags.add('task_id');
    return ROW_TAGS.every((tag) => tags.has(tag));
  });
  return { items: [...tags].sort() };
}

/** Values of a tag. Those of `job_id` and `task_id` are of points in the range, as many as `limit`. */
export function metricTagValues(
  view: View,
  guard: Guard,
  {
    measurement,
    tag,
    from,
    to,
    limit,
    within = null,
  }: { measurement: string | null; tag: string; from: number; to: number; limit: number; within?: Within },
): MetricTagValues {
  const choice = seriesOf(view, measurement, within);
  const values = new Set<string>();
  if (isRowTag(tag)) {
    ownersOf(view, guard, choice, from, to, (job, task) => {
      const value = tag === 'job_id' ? job : task;
      if (value !== '') values.add(value);
      return values.size > limit;
    });
  } else for (const { series } of choice.chosen) if (series.tags[tag] !== undefined) values.add(series.tags[tag]);
  const all = [...values].sort();
  return { items: all.slice(0, limit), truncated: all.length > limit };
}

/** Collects the owners of points in the range until there are enough. */
function ownersOf(
  view: View,
  guard: Guard,
  choice: ReturnType<typeof selectSeries>,
  from: number,
  to: number,
  take: (job: string, task: string) => boolean,
): void {
  for (const { series } of choice.chosen) {
    for (const rows of piecesOf(view, choice, { series, fields: [] }, from, to, guard, () => 'float')) {
      for (let row = 0; rows.who && row < rows.count; row++) {
        const { job, task } = splitOwnerKey(rows.who[row] ?? '');
        if (take(job, task)) return;
      }
    }
  }
}
