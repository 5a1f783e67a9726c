import type { GroupNeeds, SeriesKey } from '../../store/port.ts';
import type { Context } from '../context.ts';
import { allSame, MINUTE, type PushedName } from './pushed.ts';
import { keyed, span, type Reading } from './reading.ts';
import type { Bounds } from '../values/stream.ts';
import { constant, keyText, type Cell, type Column, type ColumnType, type Table } from '../values/table.ts';
import { NS_PER_MS } from '../values/time.ts';

/** What the store is asked for, with series that agree in some columns as one. */
export interface GroupedReading {
  readonly reading: Reading;
  readonly columns: ReadonlySet<string>;
}

/** Windows of each series that the store can compute, once they are floats. */
export interface SeriesWindows {
  readonly reading: Reading;
  readonly name: 'sum' | 'count';
  readonly everyMs: number;
  /** They were made floats, so that a sum of integers need not be exact. */
  readonly areFloats: boolean;
  /** Columns of the groups; null: the series are not in groups yet. */
  readonly columns: ReadonlySet<string> | null;
}

/** Windows of single series that the store can compute where `allSame` says so. */
export interface StoreWindows {
  readonly reading: Reading;
  readonly name: PushedName;
  readonly everyMs: number;
  /** Their time is their end, at most that of the range; else their start, at least that of the range. */
  readonly atStop: boolean;
}

/** The windows of a group that have points. */
export interface GroupedWindows {
  readonly key: readonly Column[];
  /** Unix ms of the windows' starts, in order. */
  readonly starts: Float64Array;
  readonly values: Float64Array;
}

const POINTS = new Set(['_time', '_value', '_start', '_stop']);
const addsUpByWindow = (name: string): name is PushedName => name === 'sum' || name === 'mean' || name === 'count';

/** Null: the group key needs points, or there is no range yet. */
export const groupedReading = (reading: Reading | null, columns: readonly string[]): GroupedReading | null =>
  reading?.bounds && columns.every((name) => !POINTS.has(name)) ? { reading, columns: new Set(columns) } : null;

/** True where windows of the series add up to those of their group: `name` is then a `PushedName`. */
export function isSummable({ reading }: GroupedReading, name: string): name is PushedName {
  // Series of different types are no group.
  return addsUpByWindow(name) && allSame(reading, name) && new Set(reading.source.types(reading.filter)).size <= 1;
}

const NUMBERS: ReadonlySet<string> = new Set(['float', 'int', 'uint']);

/** What is known of windows after `group`; null: nothing that the store could compute. */
export const groupedSeriesWindows = (
  windowed: SeriesWindows | null | undefined,
  columns: readonly string[],
): SeriesWindows | null =>
  windowed?.areFloats && columns.every((name) => !POINTS.has(name)) ? { ...windowed, columns: new Set(columns) } : null;

/** The groups of windows that add up to the windows of the same length of each group; null: they are others. */
export function summableWindows(windowed: SeriesWindows | null | undefined, everyMs: number): GroupedReading | null {
  if (!windowed?.columns || windowed.everyMs !== everyMs) return null;
  const { reading, columns } = windowed;
  for (const type of reading.source.types(reading.filter)) if (!NUMBERS.has(type)) return null;
  return { reading, columns };
}

/** Windows of each group. `everyMs` null: one for the whole range. */
export function* groupedWindows(
  ctx: Context,
  { reading, columns }: GroupedReading,
  name: PushedName,
  everyMs: number | null,
): Iterable<GroupedWindows> {
  const { bounds, source, filter } = reading;
  if (reading.nothing || bounds === null) return;
  const { from, to } = span(bounds);
  const every = everyMs ?? Math.ceil(to / MINUTE) * MINUTE;
  const { keys, groupOf } = groupKeys(bounds, columns);
  const needs: GroupNeeds = name === 'sum' || name === 'count' ? [name] : ['sum', 'count'];
  for (const { group, starts, sums, counts } of source.groups(filter, from, to, every, needs, groupOf)) {
    ctx.budget.tick(starts.length);
    ctx.budget.hold(starts.length);
    const values = name === 'sum' ? sums : name === 'count' ? counts : sums.map((sum, i) => sum / (counts[i] ?? 0));
    yield { key: keys.get(group) ?? [], starts, values };
  }
}

/** What tells the groups of series apart, and their keys. */
function groupKeys(bounds: Bounds, columns: ReadonlySet<string>) {
  const keys = new Map<string, readonly Column[]>();
  return {
    keys,
    groupOf(series: SeriesKey): string {
      const key = keyed(series, bounds, 0, []).columns.filter((column) => columns.has(column.name));
      const text = keyText(key);
      if (!keys.has(text)) keys.set(text, key);
      return text;
    },
  };
}

/** The group key of tables that differ in nothing but their time. */
interface OneTimeKey {
  readonly columns: readonly Column[];
  readonly names: ReadonlySet<string>;
}

/** Sum and count of the windows of each group that have one time: what `cell` makes of them, in the order of the series. Null: the store does not compute them. */
export function groupsByWindow(
  ctx: Context,
  { reading, name, everyMs, atStop }: StoreWindows,
  columns: ReadonlySet<string>,
  value: { readonly type: ColumnType; cell(sum: number, count: number): Cell },
): Iterable<Table> | null {
  const { bounds, source, filter } = reading;
  const points = [...columns].filter((column) => POINTS.has(column));
  // Counts are whole numbers, whose sums are exact.
  if (bounds === null || reading.nothing || name === 'count' || points.length !== 1 || points[0] !== '_time')
    return null;
  if (!allSame(reading, name)) return null;
  const { from, to } = span(bounds);
  const { keys, groupOf } = groupKeys(bounds, columns);
  const groups = source.groupsOfWindows(filter, from, to, everyMs, name, groupOf);
  if (!groups) return null;
  const isFirst = name !== 'sum' && name !== 'mean';
  return (function* () {
    const found: { first: number; ms: number; group: OneTimeKey; cell: Cell }[] = [];
    for (const { group, starts, sums, counts, firsts } of groups) {
      const columns = keys.get(group) ?? [];
      const names = columns.map((column) => column.name);
      // The same for all of its tables: they are one for each window.
      const one: OneTimeKey = { columns, names: new Set(isFirst ? ['_time', ...names] : [...names, '_time']) };
      ctx.budget.tick(starts.length);
      ctx.budget.hold(8 * starts.length);
      for (let i = 0; i < starts.length; i++) {
        const start = starts[i] ?? 0;
        const ms = atStop ? Math.min(start + everyMs, to) : Math.max(start, from);
        found.push({ first: firsts[i] ?? 0, ms, group: one, cell: value.cell(sums[i] ?? 0, counts[i] ?? 0) });
      }
    }
    found.sort((a, b) => a.first - b.first || a.ms - b.ms);
    for (const { ms, group, cell } of found) {
      const time = constant('_time', 'time', BigInt(ms) * NS_PER_MS);
      const values = constant('_value', value.type, cell);
      // Where it stands among the columns of the windows.
      const columns = isFirst ? [time, ...group.columns, values] : [...group.columns, time, values];
      yield { key: group.names, rows: 1, columns };
    }
  })();
}
