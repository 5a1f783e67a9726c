import type { FieldType, SeriesData, SeriesFilter, SeriesKey, SeriesSource } from '../../store/port.ts';
import type { Condition } from '../language/conditions.ts';
import type { Bounds } from '../values/stream.ts';
import { constant, dense, picked, type Cell, type Column, type ColumnType, type Table } from '../values/table.ts';
import { NS_PER_MS, splitNs } from '../values/time.ts';
import { MapRec, type Value } from '../values/values.ts';

/** What the store is asked for: series of a bucket, by their names and tags, in a range. */
export interface Reading {
  readonly source: SeriesSource;
  readonly filter: SeriesFilter;
  readonly bounds: Bounds | null;
  /** True where the filter matches no series, which lists cannot say. */
  readonly nothing: boolean;
}

const OF_POINTS = new Set(['_time', '_value', '_start', '_stop']);

/** Adds a condition to what the store is asked. Null: it is about points, or may be. */
export function narrowed(reading: Reading, condition: Condition): Reading | null {
  const { columns, equals } = condition;
  if (columns === null || columns.size === 0 || [...columns].some((name) => OF_POINTS.has(name))) return null;
  const { filter } = reading;
  if (equals) {
    const values = [...new Set(equals.values())];
    if (values.every((value) => typeof value === 'string')) {
      const listed = (before: readonly string[] | null | undefined) =>
        values.filter((value) => value !== '' && (before?.includes(value) ?? true));
      if (equals.column === '_measurement') return limited(reading, { measurement: listed(filter.measurement) });
      if (equals.column === '_field') return limited(reading, { field: listed(filter.field) });
      return limited(reading, {
        tags: {
          ...filter.tags,
          [equals.column]: listed(Object.hasOwn(filter.tags, equals.column) ? filter.tags[equals.column] : null),
        },
      });
    }
  }
  const test = (series: SeriesKey): boolean => condition.test(recordOf(series)) === true;
  const holds = [...columns].every((name) => OF_NAMES.has(name)) ? onceForNames(test) : test;
  return limited(reading, { where: [...filter.where, { columns, test: holds }] });
}

const OF_NAMES = new Set(['_measurement', '_field']);

/** A condition on names alone is the same for all series that have them. */
function onceForNames(test: (series: SeriesKey) => boolean): (series: SeriesKey) => boolean {
  const known = new Map<string, boolean>();
  return (series) => {
    const name = `${series.measurement}\u0000${series.field}`;
    let holds = known.get(name);
    if (holds === undefined) known.set(name, (holds = test(series)));
    return holds;
  };
}

function limited(reading: Reading, change: Partial<SeriesFilter>): Reading {
  const filter = { ...reading.filter, ...change };
  const lists = [filter.measurement, filter.field, ...Object.values(filter.tags)];
  return { ...reading, filter, nothing: lists.some((list) => list?.length === 0) };
}

const recordOf = ({ measurement, field, tags }: SeriesKey): MapRec =>
  new MapRec(new Map<string, Value>([['_measurement', measurement], ['_field', field], ...Object.entries(tags)]));

/** Whole milliseconds that hold the range. */
export function span({ start, stop }: Bounds): { from: number; to: number } {
  const end = splitNs(stop);
  return { from: splitNs(start).ms, to: end.ms + (end.rest > 0 ? 1 : 0) };
}

/** True where the range begins and ends with whole milliseconds, so that the store's answer needs no second look. */
export const wholeMs = ({ start, stop }: Bounds): boolean => start % NS_PER_MS === 0n && stop % NS_PER_MS === 0n;

/** A table for each series that has points in the range. */
export function* readTables(reading: Reading): Iterable<Table> {
  if (reading.nothing || reading.bounds === null) return;
  const { from, to } = span(reading.bounds);
  for (const series of reading.source.read(reading.filter, from, to)) {
    const table = seriesTable(series, reading.bounds);
    if (table.rows > 0) yield table;
  }
}

/** Columns in the order in which a plain read gives them. */
export function seriesTable(series: SeriesData, bounds: Bounds): Table {
  const rows = series.ms.length;
  let times: BigInt64Array | null = null;
  const time: Column = {
    name: '_time',
    type: 'time',
    value: null,
    // Most steps never look at it.
    get data() {
      return (times ??= timesOf(series));
    },
  };
  const table = keyed(series, bounds, rows, [time, dense('_value', columnType(series.type), valuesOf(series))]);
  if (wholeMs(bounds)) return table;
  const all = timesOf(series);
  const within = Array.from(all.keys()).filter((i) => (all[i] ?? 0n) >= bounds.start && (all[i] ?? 0n) < bounds.stop);
  return within.length === rows ? table : picked(table, within);
}

/** A table with the group key of a series. */
export function keyed(
  { measurement, field, tags }: SeriesKey,
  { start, stop }: Bounds,
  rows: number,
  columns: readonly Column[],
): Table {
  const names = Object.keys(tags).sort();
  return {
    key: new Set(['_start', '_stop', '_field', '_measurement', ...names]),
    rows,
    columns: [
      constant('_start', 'time', start),
      constant('_stop', 'time', stop),
      ...columns,
      constant('_field', 'string', field),
      constant('_measurement', 'string', measurement),
      ...names.map((name) => constant(name, 'string', tags[name] ?? '')),
    ],
  };
}

export const columnType = (type: FieldType): ColumnType => type;

function timesOf({ ms, ns }: SeriesData): BigInt64Array {
  const times = new BigInt64Array(ms.length);
  for (let i = 0; i < ms.length; i++) times[i] = BigInt(ms[i] ?? 0) * NS_PER_MS + (ns ? BigInt(ns[i] ?? 0) : 0n);
  return times;
}

function valuesOf({ type, values }: SeriesData): ArrayLike<Cell> {
  // Truths are stored as numbers.
  if (type === 'bool') return Array.from(values as Float64Array, (value) => value !== 0);
  if ((type === 'int' || type === 'uint') && values instanceof Float64Array) return BigInt64Array.from(values, BigInt);
  return values;
}
