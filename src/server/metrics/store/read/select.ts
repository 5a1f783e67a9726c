import type { Field, Series } from '../files/catalog.ts';
import { decodedChunk } from '../write/compact.ts';
import { partName, partOf } from '../files/partition.ts';
import type { FieldType, QueryEnv, SeriesFilter, SeriesKey } from '../port.ts';
import { copyValue, has, Rows, sortAndMerge } from '../files/rows.ts';
import type { OpenPart, View } from './view.ts';
import { isRowTag, splitOwnerKey } from '../files/owner-key.ts';

/** A series of the catalog and its fields that a filter lets through. */
export interface SelectedSeries {
  readonly series: Series;
  readonly fields: readonly Field[];
}

/** What a filter says, taken apart: about series, and about the tags that stand in rows. */
export interface SeriesSelection {
  readonly bucket: number | null;
  readonly chosen: readonly SelectedSeries[];
  /** Null: rows of any owner. */
  readonly keepsWho: ((who: string) => boolean) | null;
  /** The job id that all rows must have; null: none is asked for alone. */
  readonly job: string | null;
  /** The conditions that look at tags of rows; null: there are none. */
  readonly where: ((series: SeriesKey) => boolean) | null;
}

export type Guard = Pick<QueryEnv, 'check' | 'charge'>;

export const inRange = (rows: Rows, row: number, from: number, to: number): boolean =>
  (rows.ms[row] ?? 0) >= from && (rows.ms[row] ?? 0) < to;

/** All pieces of a series in the range that are there, in the order of their writing; not yet cut to the range. */
export function* piecesOf(
  view: View,
  choice: SeriesSelection,
  { series, fields }: SelectedSeries,
  from: number,
  to: number,
  guard: Guard,
  typeOf: (field: number) => FieldType,
): Generator<Rows> {
  if (choice.bucket === null) return;
  const wanted = new Set(fields.map(({ id }) => id));
  const ahead: number[] = [];
  for (const part of view.parts(choice.bucket, from, to)) {
    if (part.ahead) ahead.push(part.start);
    yield* piecesOfPart(view, part, choice, series.id, wanted, from, to, guard, typeOf);
  }
  const open = openRows(view, choice, series.id, wanted, from, to, ahead);
  if (open) yield open;
}

export function* piecesOfPart(
  view: View,
  part: OpenPart,
  choice: SeriesSelection,
  series: number,
  wanted: ReadonlySet<number>,
  from: number,
  to: number,
  guard: Guard,
  typeOf: (field: number) => FieldType,
): Generator<Rows> {
  for (const { place, t0, t1, n, crc, data } of part.chunks(series, from, to, choice.job)) {
    guard.check();
    guard.charge(n);
    const rows = decodedChunk({ crc, data }, typeOf, (field) => wanted.has(field));
    if (rows) yield rows;
    else
      view.damaged({
        file: partName(part.bucket, part.start),
        place,
        what: `${place} is damaged: ${n} points of a series cannot be read`,
        from: t0,
        to: t1 + 1,
        lost: n,
      });
  }
}

/** Unsealed rows with the wanted fields alone; null: there are none, or the partitions have them all. */
export function openRows(
  view: View,
  choice: SeriesSelection,
  series: number,
  wanted: ReadonlySet<number>,
  from: number,
  to: number,
  ahead: readonly number[],
): Rows | null {
  const rows = view.unsealed(series);
  if (!rows) return null;
  const left = ahead.length === 0 ? only(rows, wanted) : outside(only(rows, wanted), ahead);
  const cut = sortAndMerge([left], { from, to, keepsWho: choice.keepsWho });
  return cut.count > 0 ? cut : null;
}

/** The rows that lie in none of these partitions. */
function outside(rows: Rows, parts: readonly number[]): Rows {
  const left = new Rows();
  for (let row = 0; row < rows.count; row++) {
    const ms = rows.ms[row] ?? 0;
    if (parts.includes(partOf(ms))) continue;
    const to = left.add(ms, rows.ns?.[row] ?? 0, rows.who?.[row] ?? '');
    for (const column of rows.columns.values())
      if (has(column, row)) copyValue(column, row, left.column(column.field, column.type), to);
  }
  return left;
}

function only(rows: Rows, wanted: ReadonlySet<number>): Rows {
  const some = new Rows();
  some.count = rows.count;
  some.ms = rows.ms;
  some.ns = rows.ns;
  some.who = rows.who;
  for (const [field, column] of rows.columns) if (wanted.has(field)) some.columns.set(field, column);
  return some;
}

/** The rows of a series in the range: tidy, each instant and owner once. */
export function rowsOf(
  view: View,
  choice: SeriesSelection,
  one: SelectedSeries,
  from: number,
  to: number,
  guard: Guard,
): Rows {
  const typeOf = (field: number): FieldType => view.catalog.fields.get(field)?.type ?? 'float';
  return sortAndMerge([...piecesOf(view, choice, one, from, to, guard, typeOf)], {
    from,
    to,
    keepsWho: choice.keepsWho,
  });
}

export function keyOf(series: Series, field: Field, who: string): SeriesKey {
  if (who === '') return { measurement: series.measurement, field: field.name, type: field.type, tags: series.tags };
  const { job, task } = splitOwnerKey(who);
  return {
    measurement: series.measurement,
    field: field.name,
    type: field.type,
    tags: { ...series.tags, ...(job === '' ? {} : { job_id: job }), ...(task === '' ? {} : { task_id: task }) },
  };
}

/**
 * The series and fields that a filter may let through. Conditions on tags that stand in rows (`where` of what is given) are
 * asked later, once those tags are known; all others now, so that nothing is read of a series in vain.
 */
export function selectSeries(view: View, filter: SeriesFilter): SeriesSelection {
  const { catalog } = view;
  const bucket =
    [...catalog.buckets.values()].find(({ name, id }) => name === filter.bucket || id === filter.bucket)?.key ?? null;
  const fixed = Object.entries(filter.tags).flatMap(([key, values]) =>
    isRowTag(key) ? [] : [{ key, values: new Set(values) }],
  );
  const jobs = filter.tags['job_id'] ?? null;
  const tasks = filter.tags['task_id'] ?? null;
  const early = filter.where.filter(({ columns }) => ![...columns].some(isRowTag));
  const late = filter.where.filter((condition) => !early.includes(condition));
  const chosen: SelectedSeries[] = [];
  if (bucket !== null) {
    for (const measurement of filter.measurement ?? catalog.measurements(bucket)) {
      const fields = catalog
        .fieldsOf(bucket, measurement)
        .filter(({ name }) => !filter.field || filter.field.includes(name));
      if (fields.length === 0) continue;
      for (const series of catalog.seriesOf(bucket, measurement))
        if (fixed.every(({ key, values }) => values.has(series.tags[key] ?? ''))) {
          const held =
            early.length === 0
              ? fields
              : fields.filter((field) => early.every(({ test }) => test(keyOf(series, field, ''))));
          if (held.length > 0) chosen.push({ series, fields: held });
        }
    }
  }
  const jobSet = jobs && new Set(jobs);
  const taskSet = tasks && new Set(tasks);
  const keepsWho =
    jobSet || taskSet
      ? (who: string) => {
          const { job, task } = splitOwnerKey(who);
          return (!jobSet || jobSet.has(job)) && (!taskSet || taskSet.has(task));
        }
      : null;
  return {
    bucket,
    chosen,
    keepsWho,
    job: jobs?.length === 1 && jobs[0] !== '' ? (jobs[0] ?? '') : null,
    where: late.length === 0 ? null : (series) => late.every(({ test }) => test(series)),
  };
}
