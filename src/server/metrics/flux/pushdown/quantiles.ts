import type { Context } from '../context.ts';
import { quantileRank } from '../functions/aggregates.ts';
import type { SeriesData } from '../../store/port.ts';
import { constant, dense, keyText, type Cell, type Column, type Table } from '../values/table.ts';
import { NS_PER_MS } from '../values/time.ts';
import type { Bounds } from '../values/stream.ts';
import type { Windows } from '../values/windows.ts';
import type { GroupedReading } from './grouped.ts';
import { keyed, span, wholeMs } from './reading.ts';

/** A series of a group, as the columns of its rows. */
interface Member {
  readonly columns: readonly Column[];
  readonly data: SeriesData;
}

/** Values of one window: which row each is of, as a member and a place in it. */
interface Window {
  readonly values: number[];
  readonly members: number[];
  readonly places: number[];
}

interface Group {
  readonly key: readonly Column[];
  readonly members: Member[];
  readonly windows: Map<number, Window>;
}

const NUMBERS: ReadonlySet<string> = new Set(['float', 'int', 'uint', 'bool']);

/** True where the quantiles of a group can be had from the numbers of its series alone. */
export function hasNumbers({ reading: { source, filter, bounds } }: GroupedReading): boolean {
  if (!bounds || !wholeMs(bounds) || bounds.start < 0n) return false;
  for (const type of source.types(filter)) if (!NUMBERS.has(type)) return false;
  return true;
}

/** How a range is cut into windows, and which of their ends is their time. */
export interface Cut {
  readonly windows: Windows;
  readonly everyMs: number;
  readonly timeSrc: '_start' | '_stop';
}

/**
 * The row at a quantile of each window of each group, or of each group where nothing is cut; values become floats. It is
 * what grouping all rows and ordering them would give, without making rows of what is not picked.
 */
export function* groupedQuantiles(
  ctx: Context,
  { reading, columns }: GroupedReading,
  q: number,
  cut: Cut | null,
): Iterable<Table> {
  const { bounds } = reading;
  if (reading.nothing || bounds === null) return;
  const { from, to } = span(bounds);
  const groups = new Map<string, Group>();
  for (const data of reading.source.read(reading.filter, from, to)) {
    const series = keyed(data, bounds, 0, []).columns;
    const key = series.filter(({ name }) => columns.has(name));
    const text = keyText(key);
    let group = groups.get(text);
    if (!group) groups.set(text, (group = { key, members: [], windows: new Map() }));
    const member = group.members.push({ columns: series, data }) - 1;
    ctx.budget.tick(data.ms.length);
    ctx.budget.hold(data.ms.length);
    for (let place = 0; place < data.ms.length; place++) {
      const at = cut === null ? 0 : Math.floor((data.ms[place] ?? 0) / cut.everyMs);
      let window = group.windows.get(at);
      if (!window) group.windows.set(at, (window = { values: [], members: [], places: [] }));
      window.values.push(Number(data.values[place]));
      window.members.push(member);
      window.places.push(place);
    }
  }
  for (const { key, members, windows: found } of groups.values()) {
    const times: bigint[] = [];
    const values: number[] = [];
    const rows: Member[] = [];
    for (const at of [...found.keys()].sort((a, b) => a - b)) {
      const window = found.get(at);
      if (!window) continue;
      ctx.budget.tick(window.values.length);
      const picked = pick(window, members, q, cut !== null);
      const row = members[window.members[picked] ?? 0] as Member;
      times.push(cut === null ? timeOf(row.data, window.places[picked] ?? 0) : timeIn(cut, at, bounds));
      values.push(window.values[picked] ?? 0);
      rows.push(row);
    }
    yield {
      key: new Set([...key.map(({ name }) => name), ...(cut === null ? [] : ['_start', '_stop'])]),
      rows: times.length,
      columns: [
        constant('_start', 'time', bounds.start),
        constant('_stop', 'time', bounds.stop),
        dense('_time', 'time', times),
        dense('_value', 'float', values),
        ...columnsOf(rows, members, key),
      ],
    };
  }
}

const timeOf = ({ ms, ns }: SeriesData, place: number): bigint =>
  BigInt(ms[place] ?? 0) * NS_PER_MS + BigInt(ns?.[place] ?? 0);

/** Where a window begins or ends, within the range. */
function timeIn({ windows, everyMs, timeSrc }: Cut, at: number, bounds: Bounds): bigint {
  const index = windows.at(BigInt(at * everyMs) * NS_PER_MS);
  const [start, stop] = [windows.start(index), windows.stop(index)];
  if (timeSrc === '_start') return start > bounds.start ? start : bounds.start;
  return stop < bounds.stop ? stop : bounds.stop;
}

/** The names and tags of the picked rows; what one series has and another has not is null there. */
function columnsOf(rows: readonly Member[], members: readonly Member[], key: readonly Column[]): Column[] {
  const fixed = new Map(key.map((column) => [column.name, column]));
  const names = new Set(members.flatMap(({ columns }) => columns.map(({ name }) => name)));
  return [...names]
    .filter((name) => name !== '_start' && name !== '_stop')
    .map(
      (name) =>
        fixed.get(name) ??
        dense(
          name,
          'string',
          rows.map(({ columns }): Cell => columns.find((one) => one.name === name)?.value ?? null),
        ),
    );
}

/** Which of the values is at the quantile; of equal ones the order of their rows decides: by time, or as they were read. */
function pick(
  { values, members: of, places }: Window,
  members: readonly Member[],
  q: number,
  isByTime: boolean,
): number {
  const sorted = Float64Array.from(values).sort();
  const rank = quantileRank(q, sorted.length);
  const value = sorted[rank] ?? 0;
  const equal: number[] = [];
  let below = 0;
  for (const [i, one] of values.entries()) {
    if (one < value) below++;
    else if (one === value) equal.push(i);
  }
  const at = (i: number): readonly [SeriesData | undefined, number] => [members[of[i] ?? 0]?.data, places[i] ?? 0];
  if (isByTime && equal.length > 1)
    equal.sort((a, b) => {
      const [[one, x], [other, y]] = [at(a), at(b)];
      return (one?.ms[x] ?? 0) - (other?.ms[y] ?? 0) || (one?.ns?.[x] ?? 0) - (other?.ns?.[y] ?? 0) || a - b;
    });
  return equal[rank - below] ?? 0;
}
