import { builtIn, type Args } from './builtin.ts';
import { createBuilder } from '../values/table-builder.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { reducingOf } from './aggregate.ts';
import type { Reducing } from './aggregates.ts';
import { addedWindows, isAdded } from './regrouped.ts';
import { isSummable, summableWindows } from '../pushdown/grouped.ts';
import { groupedQuantiles, hasNumbers } from '../pushdown/quantiles.ts';
import { createGrouping } from '../values/grouping.ts';
import { wholeMs } from '../pushdown/reading.ts';
import { allSame, isPushed } from '../pushdown/pushed.ts';
import { bounded, derived, type Bounds, type Stream } from '../values/stream.ts';
import {
  cellAt,
  dense,
  keyColumns,
  needColumn,
  picked,
  replaced,
  sliced,
  timeAt,
  type Cell,
  type Column,
  type Table,
} from '../values/table.ts';
import { NS_PER_MS, splitNs } from '../values/time.ts';
import { Duration, isStream, typeOf, type Fn, type Value } from '../values/values.ts';
import { createWindows, isInfinite, partsOf, type Windows } from '../values/windows.ts';
import { addedTables, groupWindows, storeWindows } from './window-tables.ts';

/** Functions that cut time into windows. */
export function windowFunctions(ctx: Context): Fn[] {
  return [
    builtIn(
      'window',
      '<-tables every? period? offset? location? timeColumn? startColumn? stopColumn? createEmpty?',
      (args) => {
        const tables = args.stream();
        const [time, start, stop] = [
          args.text('timeColumn', '_time'),
          args.text('startColumn', '_start'),
          args.text('stopColumn', '_stop'),
        ];
        if (isInfinite(spacing(args))) return derived(tables, () => unwindowed(ctx, tables, start, stop));
        const [windows, empty] = [windowsOf(args), args.bool('createEmpty', false)];
        return derived(tables, function* () {
          for (const table of tables.tables())
            for (const one of windowTables(ctx, table, tables.bounds, windows, time, empty))
              yield bounded(one, one.bounds, start, stop);
        });
      },
    ),
    builtIn(
      'aggregateWindow',
      '<-tables every fn period? offset? location? column? timeSrc? timeDst? createEmpty?',
      (args) => aggregated(ctx, args),
    ),
  ];
}

const spacing = (args: Args): Duration =>
  args.duration('every', args.has('period') ? args.duration('period') : undefined);
const ZERO = new Duration(0, 0n);
const windowsOf = (args: Args): Windows =>
  createWindows(spacing(args), args.duration('period', spacing(args)), args.duration('offset', ZERO));

function* unwindowed(ctx: Context, tables: Stream, start: string, stop: string): Iterable<Table> {
  const grouping = createGrouping(ctx.budget);
  for (const table of tables.tables()) grouping.add(tables.bounds ? bounded(table, tables.bounds, start, stop) : table);
  yield* grouping.finish();
}

/** The table in order of time, and its times. */
function timed(ctx: Context, table: Table, name: string): { table: Table; times: bigint[] } {
  const column = needColumn(table, name);
  if (column.type !== 'time')
    throw runtimeError(`column ${JSON.stringify(name)} is of type ${column.type}, expected time`);
  const times: bigint[] = [];
  let ordered = true;
  for (let i = 0; i < table.rows; i++) {
    const cell = timeAt(column, i);
    if (cell === null || (i > 0 && cell < (times[times.length - 1] ?? 0n))) ordered = false;
    if (cell !== null) times.push(cell);
  }
  ctx.budget.tick(table.rows);
  if (ordered) return { table, times };
  const rows = Array.from({ length: table.rows }, (_, i) => i).filter((i) => cellAt(column, i) !== null);
  // Numbers compare far quicker than 64-bit integers.
  const ms = new Float64Array(table.rows);
  const rest = new Float64Array(table.rows);
  for (const row of rows) {
    const time = splitNs(timeAt(column, row) ?? 0n);
    ms[row] = time.ms;
    rest[row] = time.rest;
  }
  rows.sort((a, b) => (ctx.budget.tick(), (ms[a] ?? 0) - (ms[b] ?? 0) || (rest[a] ?? 0) - (rest[b] ?? 0)));
  return { table: picked(table, rows), times: rows.map((row) => timeAt(column, row) ?? 0n) };
}

/** Where nothing told the range, it is what the windows of the rows cover. */
function rangeOf(bounds: Bounds | null, windows: Windows, times: readonly bigint[]): Bounds {
  if (bounds) return bounds;
  const [first = 0n, last = 0n] = [times[0], times.at(-1)];
  return { start: windows.start(windows.at(first)), stop: windows.stop(windows.at(last)) };
}

function* windowTables(
  ctx: Context,
  from: Table,
  bounds: Bounds | null,
  windows: Windows,
  time: string,
  empty: boolean,
): Iterable<Table & { bounds: Bounds }> {
  const { table, times } = timed(ctx, from, time);
  for (const part of partsOf(windows, rangeOf(bounds, windows, times), times, empty)) {
    ctx.budget.tick(4);
    const { start, stop } = part;
    yield { ...bounded(sliced(table, part.from, part.to), part), bounds: { start, stop } };
  }
}

function aggregated(ctx: Context, args: Args): Stream {
  const made = aggregatedStream(ctx, args);
  const ns = spacing(args).ns;
  return isSimple(args) && made.bounds && wholeMs(made.bounds) ? { ...made, oneTimeMs: Number(ns / NS_PER_MS) } : made;
}

/** Windows that begin with the epoch, one behind the other, of the values and times of the rows. */
function isSimple(args: Args): boolean {
  const { months, ns } = spacing(args);
  return (
    months === 0 &&
    ns % NS_PER_MS === 0n &&
    !args.has('period') &&
    !args.has('offset') &&
    args.text('column', '_value') === '_value' &&
    args.text('timeDst', '_time') === '_time' &&
    ['_stop', '_start'].includes(args.text('timeSrc', '_stop'))
  );
}

function aggregatedStream(ctx: Context, args: Args): Stream {
  const tables = args.stream();
  const fn = args.fn('fn');
  const windows = windowsOf(args);
  const [column, timeSrc, timeDst] = [
    args.text('column', '_value'),
    args.text('timeSrc', '_stop'),
    args.text('timeDst', '_time'),
  ];
  const empty = args.bool('createEmpty', true);
  const reducing = timeSrc === '_stop' || timeSrc === '_start' ? reducingOf(fn) : null;
  const plain = function* (): Iterable<Table> {
    const { regrouped, bounds } = tables;
    const adds = reducing?.aggregate?.name ?? '';
    const oneTime = simple && regrouped?.from.oneTimeMs === everyMs && !regrouped.columns.has('_time');
    const added = oneTime && bounds && isAdded(adds) ? addedWindows(ctx, regrouped, bounds, everyMs, adds) : null;
    if (added && bounds) yield* addedTables(ctx, added, bounds, everyMs, timeSrc, empty, adds === 'count' ? 0n : null);
    else yield* rowByRow();
  };
  const rowByRow = function* (): Iterable<Table> {
    for (const table of tables.tables()) {
      const made = reducing
        ? reducedWindows(ctx, table, tables.bounds, windows, reducing, column, timeSrc, timeDst, empty)
        : calledWindows(ctx, table, tables, windows, fn, column, timeSrc, timeDst, empty);
      if (made.rows > 0) yield made;
    }
  };
  const { reading, grouped } = tables;
  const name = reducing?.aggregate?.name ?? reducing?.selector?.name ?? '';
  const every = spacing(args);
  const everyMs = Number(every.ns / NS_PER_MS);
  const simple = isSimple(args);
  const { groupedFloats } = tables;
  if (simple && !empty && groupedFloats && !reducing && (timeSrc === '_start' || timeSrc === '_stop'))
    return derived(tables, () => {
      const q = quantileIn(fn);
      return q !== null && hasNumbers(groupedFloats)
        ? groupedQuantiles(ctx, groupedFloats, q, { windows, everyMs, timeSrc })
        : plain();
    });
  if (!simple || !isPushed(name)) return derived(tables, plain);
  const isPlainSum = name === 'sum' && !empty && timeSrc === '_start';
  if (isPlainSum && tables.windowed?.columns) {
    const { windowed } = tables;
    return derived(tables, () => {
      const sums = summableWindows(windowed, everyMs);
      return sums ? groupWindows(ctx, sums, everyMs, windowed.name, timeSrc, empty, true) : plain();
    });
  }
  if (grouped)
    return derived(tables, () =>
      isSummable(grouped, name) ? groupWindows(ctx, grouped, everyMs, name, timeSrc, empty) : plain(),
    );
  if (!reading?.bounds || reading.nothing) return derived(tables, plain);
  const made = derived(tables, () =>
    allSame(reading, name) ? storeWindows(ctx, reading, everyMs, name, timeSrc, empty) : plain(),
  );
  if (empty) return made;
  const fromStore = { reading, name, everyMs, atStop: timeSrc === '_stop' };
  return (name === 'sum' || name === 'count') && timeSrc === '_start' && wholeMs(reading.bounds)
    ? { ...made, fromStore, windowed: { reading, name, everyMs, areFloats: false, columns: null } }
    : { ...made, fromStore };
}

/** The share, where all that a function of the program does to a window is `quantile` by its exact row; null: it does something else. */
function quantileIn(fn: Fn): number | null {
  const probe: Stream = {
    kind: 'stream',
    bounds: null,
    reading: null,
    tables() {
      throw new Error('a function of windows looked at rows');
    },
  };
  const given = new Map<string, Value>([[fn.pipe ?? 'tables', probe]]);
  if (fn.params.some((param) => param.name === 'column')) given.set('column', '_value');
  try {
    const made = fn.call(given);
    return isStream(made) && made.reduced?.from === probe ? (made.reduced.by.selector?.q ?? null) : null;
  } catch {
    // Whatever it is, it fails again, or does not, with the rows themselves.
    return null;
  }
}

function reducedWindows(
  ctx: Context,
  from: Table,
  bounds: Bounds | null,
  windows: Windows,
  { aggregate, selector }: Reducing,
  name: string,
  timeSrc: string,
  timeDst: string,
  empty: boolean,
): Table {
  const { table, times } = timed(ctx, from, '_time');
  const column = needColumn(table, name);
  const range = rangeOf(bounds, windows, times);
  const at: bigint[] = [];
  const cells: Cell[] = [];
  const rows: number[] = [];
  for (const part of partsOf(windows, range, times, empty)) {
    ctx.budget.tick();
    ctx.budget.hold(2);
    const row = selector ? selector.pick(column, part.from, part.to) : 0;
    if (selector && row < 0 && !empty) continue;
    at.push(timeSrc === '_stop' ? part.stop : part.start);
    rows.push(row);
    // Of no rows there is nothing to count, and no value of any other kind.
    if (aggregate)
      cells.push(part.to > part.from || aggregate.name === 'count' ? aggregate.of(column, part.from, part.to) : null);
  }
  const time = dense(timeDst, 'time', at);
  if (aggregate)
    return bounded(
      {
        key: table.key,
        rows: at.length,
        columns: replaced([...keyColumns(table), dense(name, aggregate.type(column.type), cells)], time),
      },
      range,
    );
  const columns = table.columns.map((one): Column =>
    table.key.has(one.name)
      ? one
      : dense(
          one.name,
          one.type,
          rows.map((row) => (row < 0 ? null : cellAt(one, row))),
        ),
  );
  return bounded({ key: table.key, rows: rows.length, columns: replaced(columns, time) }, range);
}

/** The same for any function: it gets a table for each window. */
function calledWindows(
  ctx: Context,
  table: Table,
  tables: Stream,
  windows: Windows,
  fn: Fn,
  column: string,
  timeSrc: string,
  timeDst: string,
  empty: boolean,
): Table {
  const windowed = derived(tables, () => windowTables(ctx, table, tables.bounds, windows, '_time', empty));
  const given = new Map<string, Value>([[fn.pipe ?? 'tables', windowed]]);
  if (fn.params.some((param) => param.name === 'column')) given.set('column', column);
  const made = fn.call(given);
  if (!isStream(made))
    throw runtimeError(`fn: expected the function to return a stream of tables but found ${typeOf(made)}`);
  const builder = createBuilder(table.key, ctx.budget);
  for (const one of made.tables()) {
    const time = needColumn(one, timeSrc);
    builder.append({ ...one, columns: replaced(one.columns, { ...time, name: timeDst }) });
  }
  const done = builder.finish();
  return tables.bounds && done.columns.length > 0
    ? bounded(done, tables.bounds)
    : { ...done, key: new Set([...done.key].filter((name) => !['_start', '_stop'].includes(name))) };
}
