import { builtIn } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { decimal } from '../values/decimal.ts';
import { eachTable } from '../values/stream.ts';
import {
  cellAt,
  constant,
  dense,
  needColumn,
  replaced,
  toCell,
  toValue,
  type Cell,
  type ColumnType,
} from '../values/table.ts';
import { formatDuration, formatTime, inRange, parseDuration, parseTime } from '../values/time.ts';
import { Duration, Time, typeOf, UInt, type Fn, type Value } from '../values/values.ts';

type Cast = (value: Value) => Value;

const fails = (value: Value, to: string): Error =>
  runtimeError(
    `cannot convert ${typeOf(value)}${typeof value === 'string' ? ` ${JSON.stringify(value.slice(0, 100))}` : ''} to ${to}`,
  );

function whole(value: Value, to: string): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof UInt) return value.value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Time) return value.ns;
  if (value instanceof Duration && value.months === 0) return value.ns;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^[+-]?\d{1,20}$/.test(value)) return BigInt(value.replace('+', ''));
  throw fails(value, to);
}

const toInt: Cast = (value) => {
  const found = whole(value, 'int');
  if (typeof value === 'string' && !inRange(found)) throw fails(value, 'int');
  return BigInt.asIntN(64, found);
};
const toUInt: Cast = (value) => {
  const found = whole(value, 'uint');
  if (typeof value === 'string' && (found < 0n || found >= 2n ** 64n)) throw fails(value, 'uint');
  return new UInt(BigInt.asUintN(64, found));
};
const toFloat: Cast = (value) => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof UInt) return Number(value.value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') {
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value)) return Number(value);
    const special = /^([+-])?(?:inf|infinity)$/i.exec(value);
    if (special) return special[1] === '-' ? -Infinity : Infinity;
    if (/^nan$/i.test(value)) return Number.NaN;
  }
  throw fails(value, 'float');
};
const toText: Cast = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return decimal(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof UInt) return String(value.value);
  if (value instanceof Time) return formatTime(value.ns);
  if (value instanceof Duration) return formatDuration(value);
  throw fails(value, 'string');
};
const toBool: Cast = (value) => {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 1n || value === 1) return true;
  if (value === 'false' || value === 0n || value === 0) return false;
  if (value instanceof UInt && value.value < 2n) return value.value === 1n;
  throw fails(value, 'bool');
};
const toTime: Cast = (value) => {
  if (value instanceof Time) return value;
  if (typeof value === 'bigint') return new Time(value);
  if (value instanceof UInt) return new Time(BigInt.asIntN(64, value.value));
  const ns = typeof value === 'string' ? parseTime(value) : null;
  if (ns === null) throw fails(value, 'time');
  return new Time(ns);
};
const toDuration: Cast = (value) => {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(0, value);
  const found = typeof value === 'string' ? parseDuration(value) : null;
  if (!found) throw fails(value, 'duration');
  return found;
};

const CASTS: readonly [name: string, cast: Cast, columns: string | null, type: ColumnType][] = [
  ['int', toInt, 'toInt', 'int'],
  ['uint', toUInt, 'toUInt', 'uint'],
  ['float', toFloat, 'toFloat', 'float'],
  ['string', toText, 'toString', 'string'],
  ['bool', toBool, 'toBool', 'bool'],
  ['time', toTime, 'toTime', 'time'],
];

/** `int(v:)` and the like for a value, `toInt()` and the like for the column `_value`. A null stays null. */
export function castFunctions(ctx: Context): Fn[] {
  const nullable =
    (cast: Cast): Cast =>
    (value) =>
      value === null ? null : cast(value);
  return [
    builtIn('duration', 'v', (args) => nullable(toDuration)(args.any('v'))),
    ...CASTS.flatMap(([name, cast, ofColumn, type]) => [
      builtIn(name, 'v', (args) => nullable(cast)(args.any('v'))),
      builtIn(ofColumn as string, '<-tables', (args) => {
        const from = args.stream();
        const changed = eachTable(from, ctx.budget, (table) => {
          const column = needColumn(table, '_value');
          const to = (cell: Cell): Cell => toCell(nullable(cast)(toValue(column.type, cell)))?.cell ?? null;
          const cells = () => Array.from({ length: table.rows }, (_, i) => to(cellAt(column, i)));
          const made =
            column.data === null ? constant('_value', type, to(column.value)) : dense('_value', type, cells());
          return { ...table, columns: replaced(table.columns, made) };
        });
        if (type !== 'float') return changed;
        const windowed = from.windowed?.columns === null ? { ...from.windowed, areFloats: true } : null;
        return { ...changed, windowed, floats: from.reading };
      }),
    ]),
  ];
}
