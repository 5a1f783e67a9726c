import { timeAt } from '../values/table.ts';
import { builtIn } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { ORGANIZATION } from '../../organization.ts';
import { readTables } from '../pushdown/reading.ts';
import { derived, type Bounds, type Stream } from '../values/stream.ts';
import { columnOf, dense, picked, replaced, constant, type Table } from '../values/table.ts';
import { addDuration, NS_PER_SECOND } from '../values/time.ts';
import { Duration, Time, typeOf, type Fn, type Value } from '../values/values.ts';

/** Functions that tables begin with. */
export function sources(ctx: Context): Fn[] {
  return [
    builtIn('from', 'bucket? bucketID? host? org? orgID? token?', (args) => {
      const asked = args.has('bucket') ? args.text('bucket') : args.text('bucketID');
      const bucket = ctx.env.buckets.find((one) => (args.has('bucket') ? one.name : one.id) === asked);
      if (!bucket)
        throw runtimeError(`failed to initialize execute state: could not find bucket ${JSON.stringify(asked)}`);
      const filter = { bucket: bucket.name, measurement: null, field: null, tags: {}, where: [] };
      return {
        kind: 'stream',
        bounds: null,
        reading: { source: ctx.env.source, filter, bounds: null, nothing: false },
        tables() {
          throw runtimeError(
            `cannot submit unbounded read to ${JSON.stringify(bucket.name)}; try bounding 'from' with a call to 'range'`,
          );
        },
      } satisfies Stream;
    }),
    builtIn('buckets', '', () => bucketTable(ctx)),
    builtIn('range', '<-tables start stop? timeColumn? startColumn? stopColumn?', (args) => {
      const tables = args.stream();
      const bounds: Bounds = {
        start: moment(args.any('start'), 'start', ctx),
        stop: args.has('stop') ? moment(args.any('stop'), 'stop', ctx) : ctx.now(),
      };
      if (bounds.stop <= bounds.start) throw runtimeError('cannot query an empty range: start must lie before stop');
      if (tables.reading && tables.reading.bounds === null) {
        const reading = { ...tables.reading, bounds };
        return { kind: 'stream', bounds, reading, tables: () => readTables(reading) };
      }
      const column = args.text('timeColumn', '_time');
      return derived(tables, () => within(tables, bounds, column, ctx), bounds);
    }),
    builtIn('yield', '<-tables name?', (args) => {
      // A stream of its own, so that a statement that is this very yield is no second result, and one that is what it took is.
      const stream = { ...args.stream() };
      ctx.yields(args.text('name', '_result'), stream);
      return stream;
    }),
  ];
}

/** A time, a duration from now, or Unix seconds. */
function moment(value: Value, name: string, ctx: Context): bigint {
  if (value instanceof Time) return value.ns;
  if (value instanceof Duration) return addDuration(ctx.now(), value);
  if (typeof value === 'bigint') return BigInt.asIntN(64, value * NS_PER_SECOND);
  throw runtimeError(`argument ${name}: expected a time, a duration or Unix seconds but found ${typeOf(value)}`);
}

function* within(tables: Stream, bounds: Bounds, name: string, ctx: Context): Iterable<Table> {
  for (const table of tables.tables()) {
    const column = columnOf(table, name);
    if (column?.type !== 'time' || column.data === null)
      throw runtimeError(`range needs a column ${JSON.stringify(name)} of type time`);
    ctx.budget.tick(table.rows);
    const rows: number[] = [];
    for (let i = 0; i < table.rows; i++) {
      const at = timeAt(column, i);
      if (at !== null && at >= bounds.start && at < bounds.stop) rows.push(i);
    }
    if (rows.length === 0) continue;
    const kept = picked(table, rows);
    yield {
      rows: kept.rows,
      key: new Set([...kept.key, '_start', '_stop']),
      columns: replaced(
        replaced(kept.columns, constant('_start', 'time', bounds.start)),
        constant('_stop', 'time', bounds.stop),
      ),
    };
  }
}

function bucketTable({ env }: Context): Stream {
  const { buckets } = env;
  const texts = (name: string, of: (bucket: (typeof buckets)[number]) => string) =>
    dense(name, 'string', buckets.map(of));
  const table: Table = {
    key: new Set(['organizationID']),
    rows: buckets.length,
    columns: [
      texts('name', (one) => one.name),
      texts('id', (one) => one.id),
      constant('organizationID', 'string', ORGANIZATION.id),
      dense(
        'retentionPolicy',
        'string',
        buckets.map(() => null),
      ),
      dense(
        'retentionPeriod',
        'int',
        buckets.map((one) => BigInt(one.retentionSeconds) * NS_PER_SECOND),
      ),
    ],
  };
  return { kind: 'stream', bounds: null, reading: null, tables: () => [table] };
}
