import type { Context } from '../context.ts';
import { groupedWindows, type GroupedReading } from '../pushdown/grouped.ts';
import { pushedCell, type PushedName } from '../pushdown/pushed.ts';
import { keyed, span, type Reading } from '../pushdown/reading.ts';
import { bounded, type Bounds } from '../values/stream.ts';
import { dense, msColumn, type Cell, type Column, type ColumnType, type Table } from '../values/table.ts';
import type { AddedWindows } from './regrouped.ts';

/** Tables of windows that were computed elsewhere: of series and of groups by the store, of groups of windows as they were read. */

export function* storeWindows(
  ctx: Context,
  reading: Reading,
  everyMs: number,
  name: PushedName,
  timeSrc: string,
  empty: boolean,
): Iterable<Table> {
  const { bounds } = reading;
  if (bounds === null) return;
  const { from, to } = span(bounds);
  const selects = name === 'min' || name === 'max' || name === 'first' || name === 'last';
  for (const { starts, values, ...series } of reading.source.windows(reading.filter, from, to, everyMs, name)) {
    const [time, value] = windowColumns(ctx, bounds, everyMs, name, timeSrc, empty, starts, values);
    const table = keyed(series, bounds, time.ms?.length ?? 0, selects ? [time, value] : []);
    yield selects ? table : { ...table, columns: [...table.columns, value, time] };
  }
}

export function* groupWindows(
  ctx: Context,
  grouped: GroupedReading,
  everyMs: number,
  name: PushedName,
  timeSrc: string,
  empty: boolean,
  asFloats = false,
): Iterable<Table> {
  const { bounds } = grouped.reading;
  if (bounds === null) return;
  for (const { key, starts, values } of groupedWindows(ctx, grouped, name, everyMs)) {
    // A count that was made a float is added up like a sum.
    const as = asFloats ? 'sum' : name;
    const [time, cells] = windowColumns(ctx, bounds, everyMs, as, timeSrc, empty, starts, values);
    yield bounded(
      { key: new Set(key.map((column) => column.name)), rows: time.ms?.length ?? 0, columns: [...key, cells, time] },
      bounds,
    );
  }
}

export function* addedTables(
  ctx: Context,
  added: readonly AddedWindows[],
  bounds: Bounds,
  everyMs: number,
  timeSrc: string,
  empty: boolean,
  none: Cell,
): Iterable<Table> {
  for (const { columns, starts, type, cells } of added) {
    const of = (i: number) => cells[i] ?? null;
    const [time, value] = windowsAround(ctx, bounds, everyMs, timeSrc, empty, starts, { type, of, none });
    const rows = time.ms?.length ?? 0;
    if (rows > 0)
      yield bounded(
        { key: new Set(columns.map((column) => column.name)), rows, columns: [...columns, value, time] },
        bounds,
      );
  }
}

/** `_time` and `_value` of windows that the store has computed, those without points put between. Its ranges are of whole milliseconds. */
function windowColumns(
  ctx: Context,
  bounds: Bounds,
  everyMs: number,
  name: PushedName,
  timeSrc: string,
  empty: boolean,
  starts: Float64Array,
  values: Float64Array,
): [Column, Column] {
  const type = name === 'count' ? 'int' : 'float';
  // Nothing is between them, and they are numbers already.
  if (!empty && name !== 'count')
    return windowsAround(ctx, bounds, everyMs, timeSrc, empty, starts, { type, of: values, none: null });
  const of = (i: number) => pushedCell(name, values[i] ?? 0);
  return windowsAround(ctx, bounds, everyMs, timeSrc, empty, starts, { type, of, none: name === 'count' ? 0n : null });
}

/** What windows hold; `none`: those that have no points. */
interface WindowValues {
  readonly type: ColumnType;
  readonly of: Float64Array | ((i: number) => Cell);
  readonly none: Cell;
}

function windowsAround(
  ctx: Context,
  bounds: Bounds,
  everyMs: number,
  timeSrc: string,
  empty: boolean,
  starts: Float64Array,
  { type, of, none }: WindowValues,
): [Column, Column] {
  const { from, to } = span(bounds);
  const first = Math.floor(from / everyMs);
  const many = empty ? Math.ceil(to / everyMs) - first : starts.length;
  ctx.budget.tick(many);
  ctx.budget.hold(2 * many);
  const ms = new Float64Array(many);
  const cells = typeof of === 'function' ? new Array<Cell>(many) : of;
  for (let i = 0, found = 0; i < many; i++) {
    const start = empty ? (first + i) * everyMs : (starts[i] ?? 0);
    ms[i] = timeSrc === '_stop' ? Math.min(start + everyMs, to) : Math.max(start, from);
    if (typeof of === 'function') (cells as Cell[])[i] = starts[found] === start ? of(found++) : none;
  }
  return [msColumn('_time', ms), dense('_value', type, cells)];
}
