import type { Context } from '../context.ts';
import { allSame, MINUTE, type PushedName } from './pushed.ts';
import { keyed, span, type Reading } from './reading.ts';
import { keyText, type Column } from '../values/table.ts';

/** What the store is asked for, with series that agree in some columns as one. */
export interface GroupedReading {
  readonly reading: Reading;
  readonly columns: ReadonlySet<string>;
}

/** Sum and count of each window of a group. */
export interface GroupedWindows {
  readonly key: readonly Column[];
  /** Unix ms of the windows' starts, in order. */
  readonly starts: Float64Array;
  value(start: number): number;
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

/** Windows of each group, from those of its series. `everyMs` null: one for the whole range. */
export function* groupedWindows(
  ctx: Context,
  { reading, columns }: GroupedReading,
  name: PushedName,
  everyMs: number | null,
): Iterable<GroupedWindows> {
  const { bounds } = reading;
  if (reading.nothing || bounds === null) return;
  const { from, to } = span(bounds);
  const every = everyMs ?? Math.ceil(to / MINUTE) * MINUTE;
  const groups = new Map<string, { key: readonly Column[]; sums: Map<number, number>; counts: Map<number, number> }>();
  const add = (aggregate: 'sum' | 'count', part: 'sums' | 'counts') => {
    for (const { starts, values, ...series } of reading.source.windows(reading.filter, from, to, every, aggregate)) {
      const key = keyed(series, bounds, 0, []).columns.filter((column) => columns.has(column.name));
      const text = keyText(key);
      let group = groups.get(text);
      if (!group) groups.set(text, (group = { key, sums: new Map(), counts: new Map() }));
      const into = group[part];
      ctx.budget.tick(starts.length);
      for (let i = 0; i < starts.length; i++) {
        const start = starts[i] ?? 0;
        const before = into.get(start);
        if (before === undefined) ctx.budget.hold(1);
        into.set(start, (before ?? 0) + (values[i] ?? 0));
      }
    }
  };
  if (name !== 'count') add('sum', 'sums');
  if (name !== 'sum') add('count', 'counts');
  for (const { key, sums, counts } of groups.values()) {
    const starts = Float64Array.from((name === 'sum' ? sums : counts).keys()).sort();
    if (starts.length === 0) continue;
    yield {
      key,
      starts,
      value(start) {
        const [sum, count] = [sums.get(start) ?? Number.NaN, counts.get(start) ?? Number.NaN];
        return name === 'sum' ? sum : name === 'count' ? count : sum / count;
      },
    };
  }
}
