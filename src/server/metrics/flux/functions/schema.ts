import { itemAt } from '../../../../lib/item-at.ts';
import { isRec } from '../values/values.ts';
import type { Closure } from '../language/closure.ts';
import { builtIn, packageOf, type Args } from './builtin.ts';
import type { Context } from '../context.ts';
import { pivoted } from './pivot.ts';
import { keyed, span } from '../pushdown/reading.ts';
import { derived, type Stream } from '../values/stream.ts';
import { dense, keyColumns, type Cell, type Column, type Table } from '../values/table.ts';
import { Duration, isStream, type Fn, type Rec, type Value } from '../values/values.ts';

const THIRTY_DAYS = new Duration(0, -30n * 86_400n * 1_000_000_000n);

/** `influxdata/influxdb/schema` and `…/v1`: what names there are. `core`: `from`, `range` and `filter`. */
export function schemaPackage(ctx: Context, core: readonly Fn[]): Rec {
  const call = (name: string, args: Record<string, Value>): Value =>
    itemAt(
      core.filter((fn) => fn.name === name),
      0,
    ).call(new Map(Object.entries(args)));

  /** The series that the arguments name. */
  const series = (args: Args, where: (stream: Value) => Value = (stream) => stream): Stream => {
    const ranged = call('range', {
      tables: call('from', { bucket: args.text('bucket') }),
      start: args.has('start') ? args.any('start') : THIRTY_DAYS,
      ...(args.has('stop') ? { stop: args.any('stop') } : {}),
    });
    const found = where(args.has('predicate') ? call('filter', { tables: ranged, fn: args.fn('predicate') }) : ranged);
    if (!isStream(found)) throw new Error('the schema functions work on tables');
    return found;
  };
  const inMeasurement = (args: Args) => {
    const measurement = args.text('measurement');
    return (stream: Value): Value => call('filter', { tables: stream, fn: equals('_measurement', measurement) });
  };
  const values =
    (name: string) =>
    (columns: readonly Column[]): Cell[] =>
      columns.filter((column) => column.name === name).map(({ value }) => value);
  const names = (columns: readonly Column[]): Cell[] => columns.map(({ name }) => name);
  const listing = (stream: Stream, of: (columns: readonly Column[]) => readonly Cell[]): Stream =>
    derived(stream, () => listed(ctx, stream, of), null);

  const range = 'start? stop?';
  return packageOf([
    builtIn('measurements', `bucket ${range}`, (args) => listing(series(args), values('_measurement'))),
    builtIn('tagKeys', `bucket predicate? ${range}`, (args) => listing(series(args), names)),
    builtIn('tagValues', `bucket tag predicate? ${range}`, (args) => listing(series(args), values(args.text('tag')))),
    builtIn('fieldKeys', `bucket predicate? ${range}`, (args) => listing(series(args), values('_field'))),
    builtIn('measurementTagKeys', `bucket measurement ${range}`, (args) =>
      listing(series(args, inMeasurement(args)), names),
    ),
    builtIn('measurementTagValues', `bucket measurement tag ${range}`, (args) =>
      listing(series(args, inMeasurement(args)), values(args.text('tag'))),
    ),
    builtIn('measurementFieldKeys', `bucket measurement ${range}`, (args) =>
      listing(series(args, inMeasurement(args)), values('_field')),
    ),
    builtIn('fieldsAsCols', '<-tables', (args) => pivoted(ctx, args.stream(), ['_time'], ['_field'], '_value')),
  ]);
}

/** The predicate `(r) => r.column == value`, in the form that the store understands. */
function equals(column: string, value: string): Closure {
  const condition = {
    columns: new Set([column]),
    test: (row: Rec) => row.get(column) === value,
    equals: { column, values: () => [value] },
  };
  return {
    kind: 'function',
    name: null,
    pipe: null,
    params: [{ name: 'r' }],
    call(args) {
      const row = args.get('r') ?? null;
      return isRec(row) && condition.test(row);
    },
    conditions: () => [condition],
  };
}

/** One table of the different values, in order; none where there are none. */
function* listed(ctx: Context, stream: Stream, of: (columns: readonly Column[]) => readonly Cell[]): Iterable<Table> {
  const found = new Set<string>();
  for (const columns of keysOf(stream)) {
    ctx.budget.tick();
    for (const cell of of(columns)) {
      if (typeof cell !== 'string' || found.has(cell)) continue;
      ctx.budget.hold(1);
      found.add(cell);
    }
  }
  if (found.size > 0)
    yield { key: new Set(), rows: found.size, columns: [dense('_value', 'string', [...found].sort())] };
}

/** The group keys; from the names of the series alone, where they are all that is asked. */
function* keysOf(stream: Stream): Iterable<readonly Column[]> {
  const { reading } = stream;
  if (!reading?.bounds) {
    for (const table of stream.tables()) yield keyColumns(table);
    return;
  }
  if (reading.nothing) return;
  const { from, to } = span(reading.bounds);
  for (const key of reading.source.keys(reading.filter, from, to)) yield keyed(key, reading.bounds, 0, []).columns;
}
