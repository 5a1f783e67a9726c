import { builtIn, packageOf } from './builtin.ts';
import { castFunctions } from './conversions.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { aggregateFunctions } from './aggregate.ts';
import { columnFunctions } from './columns.ts';
import { joinFunctions } from './join.ts';
import { pivotFunctions } from './pivot.ts';
import { recordFunctions } from './find.ts';
import { rowFunctions } from './rows.ts';
import { schemaPackage } from './schema.ts';
import { seriesFunctions } from './series.ts';
import { sources } from './source.ts';
import { tableFunctions } from './tables.ts';
import { windowFunctions } from './window.ts';
import { compare } from '../language/operators.ts';
import { datePackage } from './package-date.ts';
import { arrayPackage, mathPackage, regexpPackage, stringsPackage, typesPackage } from './packages.ts';
import { Time, type Fn, type Rec, type Value } from '../values/values.ts';
import { INFINITE } from '../values/windows.ts';

/** The names that every program knows. */
export function universe(ctx: Context): ReadonlyMap<string, Value> {
  const functions = [
    ...sources(ctx),
    ...rowFunctions(ctx),
    ...columnFunctions(ctx),
    ...tableFunctions(ctx),
    ...aggregateFunctions(ctx),
    ...windowFunctions(ctx),
    ...seriesFunctions(ctx),
    ...pivotFunctions(ctx),
    ...joinFunctions(ctx),
    ...recordFunctions(ctx),
    ...castFunctions(ctx),
    ...plain(ctx),
  ];
  return new Map<string, Value>([
    ['true', true],
    ['false', false],
    ['inf', INFINITE],
    ...functions.map((fn): [string, Value] => [fn.name ?? '', fn]),
  ]);
}

function plain(ctx: Context): Fn[] {
  return [
    builtIn('now', '', () => new Time(ctx.now())),
    builtIn('today', '', () => new Time(ctx.now() - (((ctx.now() % DAY) + DAY) % DAY))),
    builtIn('contains', 'value set', (args) => {
      const value = args.any('value');
      return args.array('set').some((one) => compare('==', value, one) === true);
    }),
    builtIn('length', 'arr', (args) => BigInt(args.array('arr').length)),
    builtIn('die', 'msg', (args) => {
      throw runtimeError(args.text('msg'));
    }),
  ];
}

const DAY = 86_400n * 1_000_000_000n;

/** The packages that a program may import, made when one is. */
export function packages(ctx: Context, known: ReadonlyMap<string, Value>): Readonly<Record<string, () => Rec>> {
  // What every program knows by these names are functions.
  const functions = (...names: string[]) => names.map((name) => known.get(name) as Fn);
  const schema = () => schemaPackage(ctx, functions('from', 'range', 'filter'));
  return {
    'influxdata/influxdb/schema': schema,
    'influxdata/influxdb/v1': schema,
    'influxdata/influxdb': () => packageOf(functions('from', 'buckets')),
    strings: stringsPackage,
    math: mathPackage,
    regexp: regexpPackage,
    types: typesPackage,
    date: () => datePackage(ctx),
    array: () => arrayPackage(ctx),
  };
}
