import { AGGREGATES, quantile, quantileRow, SELECTORS, stddev, type Reducing } from './aggregates.ts';
import { builtIn, type Args } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { keyRow } from './tables.ts';
import { isSummable, groupedWindows, type GroupedReading } from '../pushdown/grouped.ts';
import { groupedQuantiles, hasNumbers } from '../pushdown/quantiles.ts';
import { allSame, isPushed, lastTables, pushedCell, wholeRange, type PushedName } from '../pushdown/pushed.ts';
import { addedGroups, isAdded } from './regrouped.ts';
import { derived, type Stream } from '../values/stream.ts';
import { columnOf, constant, needColumn, picked, type Table } from '../values/table.ts';
import type { Fn } from '../values/values.ts';

const REDUCING = new WeakMap<Fn, Reducing>();

/** What a built-in function does to the rows of a window, called with no argument but the column; null: it is none of these. */
export const reducingOf = (fn: Fn): Reducing | null => REDUCING.get(fn) ?? null;

/** Functions that make one row of a table. */
export function aggregateFunctions(ctx: Context): Fn[] {
  const made: Fn[] = [];
  const define = (name: string, params: string, of: (args: Args) => Reducing, alone: Reducing | null) => {
    const fn = builtIn(name, `<-tables column? ${params}`, (args) =>
      reduced(ctx, args.stream(), args.text('column', '_value'), of(args)),
    );
    if (alone) REDUCING.set(fn, alone);
    made.push(fn);
  };
  for (const aggregate of AGGREGATES) define(aggregate.name, '', () => ({ aggregate }), { aggregate });
  for (const selector of SELECTORS) define(selector.name, '', () => ({ selector }), { selector });
  define('stddev', 'mode?', (args) => ({ aggregate: stddev(args.text('mode', 'sample') === 'sample') }), {
    aggregate: stddev(true),
  });
  const byMethod =
    (q: number, name: string) =>
    (args: Args): Reducing => {
      const method = args.text('method', 'estimate_tdigest');
      if (!['estimate_tdigest', 'exact_mean', 'exact_selector'].includes(method))
        throw runtimeError(
          `method: expected estimate_tdigest, exact_mean or exact_selector, got ${JSON.stringify(method)}`,
        );
      return method === 'exact_selector' ? { selector: quantileRow(q) } : { aggregate: quantile(q, name) };
    };
  define('median', 'method? compression?', byMethod(0.5, 'median'), { aggregate: quantile(0.5, 'median') });
  define('quantile', 'q method? compression?', (args) => byMethod(args.float('q'), 'quantile')(args), null);
  return made;
}

function reduced(ctx: Context, tables: Stream, name: string, by: Reducing): Stream {
  return { ...reducedStream(ctx, tables, name, by), reduced: name === '_value' ? { from: tables, by } : null };
}

function reducedStream(ctx: Context, tables: Stream, name: string, by: Reducing): Stream {
  const plain = function* (): Iterable<Table> {
    const { regrouped } = tables;
    const adds = by.aggregate?.name ?? '';
    const added = regrouped && name === '_value' && isAdded(adds) ? addedGroups(ctx, regrouped, adds) : null;
    yield* added ?? rowByRow();
  };
  const rowByRow = function* (): Iterable<Table> {
    for (const table of tables.tables()) {
      ctx.budget.tick(table.rows);
      const made = aggregateToRow(table, name, by);
      if (made) yield made;
    }
  };
  const { reading, grouped, groupedFloats } = tables;
  if (grouped && name === '_value' && by.aggregate)
    return derived(tables, () =>
      isSummable(grouped, by.aggregate?.name ?? '')
        ? wholeGroups(ctx, grouped, by.aggregate?.name as PushedName)
        : plain(),
    );
  const q = by.selector?.q;
  if (groupedFloats && name === '_value' && q !== undefined)
    return derived(tables, () => (hasNumbers(groupedFloats) ? groupedQuantiles(ctx, groupedFloats, q, null) : plain()));
  if (!reading?.bounds || reading.nothing || name !== '_value') return derived(tables, plain);
  if (by.selector?.name === 'last') return derived(tables, () => lastTables(reading));
  const push = by.aggregate?.name ?? '';
  if (!isPushed(push)) return derived(tables, plain);
  return derived(tables, () => (allSame(reading, push) ? wholeRange(reading, push) : plain()));
}

/** Null: a selector that found no row. */
export function aggregateToRow(table: Table, name: string, { aggregate, selector }: Reducing): Table | null {
  if (selector) {
    const column = columnOf(table, name);
    const row = column ? selector.pick(column, 0, table.rows) : -1;
    return row < 0 ? null : picked(table, [row]);
  }
  if (!aggregate) return null;
  const column = needColumn(table, name);
  return keyRow(table, [constant(name, aggregate.type(column.type), aggregate.of(column, 0, table.rows))]);
}

function* wholeGroups(ctx: Context, grouped: GroupedReading, name: PushedName): Iterable<Table> {
  for (const { key, values } of groupedWindows(ctx, grouped, name, null)) {
    yield {
      key: new Set(key.map((column) => column.name)),
      rows: 1,
      columns: [...key, constant('_value', name === 'count' ? 'int' : 'float', pushedCell(name, values[0] ?? 0))],
    };
  }
}
