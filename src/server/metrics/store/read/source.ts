import { PART_MS, partOf } from '../files/partition.ts';
import {
  selectSeries,
  inRange,
  keyOf,
  piecesOf,
  rowsOf,
  type SeriesSelection,
  type SelectedSeries,
  type Guard,
} from './select.ts';
import type { FieldType, SeriesData, SeriesFilter, SeriesKey, SeriesSource } from '../port.ts';
import { has, type Column, type Rows } from '../files/rows.ts';
import { groupsOfWindows } from './group-windows.ts';
import { groupsOf, windowsOf } from './source-windows.ts';
import type { View } from './view.ts';

/** Series as the query languages see them, over what is committed. The guard ends a query that was cancelled or takes too much. */
export function createSource(view: View, guard: Guard): SeriesSource {
  const typeOf = (field: number): FieldType => view.catalog.fields.get(field)?.type ?? 'float';

  function* keys(filter: SeriesFilter, from: number, to: number): Generator<SeriesKey> {
    const choice = selectSeries(view, filter);
    let whole: ReadonlyMap<number, ReadonlySet<number> | null> = new Map();
    for (const [i, one] of choice.chosen.entries()) {
      guard.check();
      if (i % TOGETHER === 0 && !choice.keepsWho)
        whole = wholeFields(view, choice, choice.chosen.slice(i, i + TOGETHER), from, to, guard);
      const all = whole.get(one.series.id);
      if (all) {
        for (const field of one.fields) {
          const key = keyOf(one.series, field, '');
          if (all.has(field.id) && (!choice.where || choice.where(key))) yield key;
        }
        continue;
      }
      const found = new Map<number, Set<string>>();
      for (const rows of piecesOf(view, choice, one, from, to, guard, typeOf)) {
        for (const column of rows.columns.values()) {
          let owners = found.get(column.field);
          if (!owners) found.set(column.field, (owners = new Set()));
          if (!rows.who && owners.has('') && !choice.keepsWho) continue;
          for (let row = 0; row < rows.count; row++)
            if (inRange(rows, row, from, to) && has(column, row)) owners.add(rows.who?.[row] ?? '');
        }
      }
      for (const field of one.fields)
        for (const who of found.get(field.id) ?? []) {
          if (choice.keepsWho && !choice.keepsWho(who)) continue;
          const key = keyOf(one.series, field, who);
          if (!choice.where || choice.where(key)) yield key;
        }
    }
  }

  function* read(filter: SeriesFilter, from: number, to: number): Generator<SeriesData> {
    const choice = selectSeries(view, filter);
    for (const one of choice.chosen) {
      guard.check();
      const rows = rowsOf(view, choice, one, from, to, guard);
      if (rows.count > 0) yield* seriesData(one, rows, choice, guard);
    }
  }

  return {
    keys,
    read,
    *types(filter) {
      for (const { fields } of selectSeries(view, filter).chosen) for (const { type } of fields) yield type;
    },
    groups: (...asked) => groupsOf(view, guard, ...asked),
    groupsOfWindows: (...asked) => groupsOfWindows(view, guard, ...asked),
    windows: (filter, from, to, everyMs, aggregate) => windowsOf(view, guard, filter, from, to, everyMs, aggregate),
    *last(filter, from, to) {
      const choice = selectSeries(view, filter);
      const left = new Map(choice.chosen.map((one) => [one.series.id, one]));
      // Their starts alone: not all of many partitions are open at a time.
      const parts = choice.bucket === null ? [] : [...view.parts(choice.bucket, from, to)].map(({ start }) => start);
      const newest = Math.min(
        to,
        Math.max(
          ...[...view.open.values()].map((rows) =>
            rows.ms.subarray(0, rows.count).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
          ),
          ...parts.map((start) => start + PART_MS),
          Number.NEGATIVE_INFINITY,
        ) + 1,
      );
      // From the newest stretch back, until every series has shown its last.
      for (let end = newest; left.size > 0 && end > from;) {
        const start = Math.max(from, Math.min(partOf(end - 1), end));
        for (const one of [...left.values()]) {
          guard.check();
          const quick = choice.keepsWho ? null : lastByStats(view, choice, one, start, end);
          if (quick) {
            left.delete(one.series.id);
            yield* quick.filter((data) => !choice.where || choice.where(data));
            continue;
          }
          const rows = rowsOf(view, choice, one, start, end, guard);
          if (rows.count === 0) continue;
          const data = [...seriesData(one, rows, choice, guard)];
          if (data.length === 0) continue;
          // Fields that are not written with every point may have their last further back.
          if (one.fields.length > data.length && start > from) {
            const whole = rowsOf(view, choice, one, from, end, guard);
            yield* [...seriesData(one, whole, choice, guard)].map(lastOf);
          } else yield* data.map(lastOf);
          left.delete(one.series.id);
        }
        const before = parts.filter((part) => part < start);
        const open = [...left.keys()].some((id) => hasBefore(view.unsealed(id), from, start));
        if (before.length === 0 && !open) break;
        end = start;
      }
    },
  };
}

/** Series of which the chunks of a partition are asked one after the other: many of them lie in one pack. */
const TOGETHER = 256;

/** The fields that each series has in the range, from what its chunks say of themselves; null where only the rows can tell. */
function wholeFields(
  view: View,
  { bucket }: SeriesSelection,
  chosen: readonly SelectedSeries[],
  from: number,
  to: number,
  guard: Guard,
): Map<number, Set<number> | null> {
  const found = new Map<number, Set<number> | null>();
  for (const { series } of chosen) {
    const open = view.unsealed(series.id);
    const fields = new Set<number>();
    for (let row = 0; open && row < open.count; row++) {
      if (inRange(open, row, from, to))
        for (const column of open.columns.values()) if (has(column, row)) fields.add(column.field);
    }
    found.set(series.id, bucket === null || open?.who ? null : fields);
  }
  for (const part of bucket === null ? [] : view.parts(bucket, from, to)) {
    for (const [series, fields] of found) {
      if (!fields) continue;
      guard.check();
      for (const { t0, t1, job0, fields: heldBy } of part.told(series, from, to)) {
        // Of a chunk that the range cuts only the rows say what is in it.
        const held = job0 !== null || t0 < from || t1 >= to ? null : heldBy();
        if (!held) found.set(series, null);
        for (const field of held ?? []) fields.add(field);
      }
    }
  }
  return found;
}

const hasBefore = (rows: Rows | null, from: number, to: number): boolean => {
  for (let row = 0; rows && row < rows.count; row++) if (inRange(rows, row, from, to)) return true;
  return false;
};

const lastOf = (data: SeriesData): SeriesData => ({
  ...data,
  ms: data.ms.subarray(-1),
  ns: data.ns?.subarray(-1) ?? null,
  values: data.values.slice(-1),
});

/** From what the chunks say of themselves, where nothing else lies at or after the newest of them. */
function lastByStats(
  view: View,
  choice: SeriesSelection,
  { series, fields }: SelectedSeries,
  from: number,
  to: number,
): SeriesData[] | null {
  if (choice.bucket === null || view.unsealed(series.id)) return null;
  const [part] = view.parts(choice.bucket, from, to);
  if (!part) return null;
  const [newest, second] = part.newest(series.id);
  if (!newest || newest.t1 >= to || newest.t0 < from || newest.job0 !== null || (second && second.t1 >= newest.t0))
    return null;
  const found: SeriesData[] = [];
  for (const field of fields) {
    const last = newest.last(field.id);
    if (!last) return null;
    found.push({
      ...keyOf(series, field, ''),
      ms: Float64Array.of(last.ms),
      ns: last.ns === 0 ? null : Uint32Array.of(last.ns),
      values: Float64Array.of(last.value),
    });
  }
  return found;
}

function* seriesData(
  { series, fields }: SelectedSeries,
  rows: Rows,
  choice: SeriesSelection,
  guard: Guard,
): Generator<SeriesData> {
  const owners = new Map<string, number[]>();
  if (rows.who) {
    for (let row = 0; row < rows.count; row++) {
      const who = rows.who[row] ?? '';
      const list = owners.get(who);
      if (list) list.push(row);
      else owners.set(who, [row]);
    }
  }
  for (const field of fields) {
    const column = rows.columns.get(field.id);
    if (!column) continue;
    for (const [who, places] of rows.who ? owners : [['', null] as const]) {
      guard.check();
      const key = keyOf(series, field, who);
      if (choice.where && !choice.where(key)) continue;
      const data = dataOf(rows, column, places);
      if (data.ms.length > 0) yield { ...key, ...data };
    }
  }
}

function dataOf(
  rows: Rows,
  column: Column,
  places: readonly number[] | null,
): Pick<SeriesData, 'ms' | 'ns' | 'values'> {
  const taken = placesIn(rows, column, places);
  if (!places && taken.length === rows.count && !column.big)
    return {
      ms: rows.ms.subarray(0, rows.count),
      ns: rows.ns?.subarray(0, rows.count) ?? null,
      // Rows that are present have a text.
      values: column.texts ? (column.texts as string[]) : column.numbers.subarray(0, rows.count),
    };
  const ms = at(rows.ms, taken, new Float64Array(taken.length));
  const ns = rows.ns && at(rows.ns, taken, new Uint32Array(taken.length));
  const { texts, big, numbers, type } = column;
  if (texts) return { ms, ns, values: Array.from(taken, (row) => texts[row] ?? '') };
  if (big && taken.some((row) => big.has(row))) {
    const exact = (row: number) => big.get(row) ?? BigInt(numbers[row] ?? 0);
    return { ms, ns, values: type === 'uint' ? BigUint64Array.from(taken, exact) : BigInt64Array.from(taken, exact) };
  }
  return { ms, ns, values: at(numbers, taken, new Float64Array(taken.length)) };
}

/** The values of these rows; `from` would make a list of them in between. */
function at<A extends Float64Array | Uint32Array>(values: A, rows: Uint32Array, into: A): A {
  for (let i = 0; i < rows.length; i++) into[i] = values[rows[i] ?? 0] ?? 0;
  return into;
}

/** Which of the rows have a value. */
function placesIn(rows: Rows, column: Column, places: readonly number[] | null): Uint32Array {
  const found = new Uint32Array(places?.length ?? rows.count);
  let n = 0;
  if (places) {
    for (const row of places) if (has(column, row)) found[n++] = row;
  } else for (let row = 0; row < rows.count; row++) if (has(column, row)) found[n++] = row;
  return found.subarray(0, n);
}
