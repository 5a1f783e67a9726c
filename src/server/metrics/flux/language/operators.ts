import { isLess, type Cell } from '../values/table.ts';
import { runtimeError } from './errors.ts';
import { addDuration } from '../values/time.ts';
import { Duration, RegexValue, Time, typeOf, UInt, type Value } from '../values/values.ts';

/** Characters of one string that a program may build. */
const STRING = 16 * 1024 * 1024;

const int = (value: bigint): bigint => BigInt.asIntN(64, value);
const uint = (value: bigint): UInt => new UInt(BigInt.asUintN(64, value));

const unsupported = (op: string, left: Value, right: Value) =>
  runtimeError(`type error: unsupported binary expression ${typeOf(left)} ${op} ${typeOf(right)}${mix(left, right)}`);

/** The mistake that everyone makes, with its cure. */
const mix = (left: Value, right: Value): string =>
  isNumber(left) && isNumber(right) ? ': convert one side with float(v: …), int(v: …) or uint(v: …)' : '';
const isNumber = (value: Value): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof UInt;

/** Arithmetic wants two values of one type; a null makes null. Throws FLUX_RUNTIME. */
export function arithmetic(op: string, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (typeof left === 'number' && typeof right === 'number') return float(op, left, right);
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return op === '^' ? Number(left) ** Number(right) : int(whole(op, left, right));
  if (left instanceof UInt && right instanceof UInt)
    return op === '^' ? Number(left.value) ** Number(right.value) : uint(whole(op, left.value, right.value));
  if (op === '+' && typeof left === 'string' && typeof right === 'string') {
    if (left.length + right.length > STRING) throw runtimeError(`a string is longer than ${STRING} characters`);
    return left + right;
  }
  if (left instanceof Duration && right instanceof Duration && (op === '+' || op === '-'))
    return op === '+'
      ? new Duration(left.months + right.months, int(left.ns + right.ns))
      : new Duration(left.months - right.months, int(left.ns - right.ns));
  if (left instanceof Time && right instanceof Duration && (op === '+' || op === '-'))
    return new Time(addDuration(left.ns, op === '+' ? right : right.negated()));
  throw unsupported(op, left, right);
}

function float(op: string, left: number, right: number): number {
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    default:
      return left ** right;
  }
}

function whole(op: string, left: bigint, right: bigint): bigint {
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      if (right === 0n) throw runtimeError('cannot divide by zero');
      return op === '/' ? left / right : left % right;
  }
}

/** Below 0, 0, above 0; NaN: neither. Numbers of different types compare by value. Throws FLUX_RUNTIME where the types do not compare. */
function order(op: string, left: Value, right: Value): number {
  const a = plain(left);
  const b = plain(right);
  const number = (x: Cell): boolean => typeof x === 'number' || typeof x === 'bigint';
  const same = left instanceof Time === right instanceof Time && left instanceof Duration === right instanceof Duration;
  if (
    !same ||
    !(
      (number(a) && number(b)) ||
      (typeof a === 'string' && typeof b === 'string') ||
      (typeof a === 'boolean' && typeof b === 'boolean')
    )
  )
    throw unsupported(op, left, right);
  if (isLess(a, b)) return -1;
  if (isLess(b, a)) return 1;
  // oxlint-disable-next-line eqeqeq -- an int and a float of the same value are equal
  return a == b ? 0 : Number.NaN;
}

function plain(value: Value): Cell {
  if (value instanceof UInt) return value.value;
  if (value instanceof Time) return value.ns;
  // A month is no fixed time; for comparison alone it counts as 30 days.
  if (value instanceof Duration) return value.ns + BigInt(value.months) * 2_592_000_000_000_000n;
  return typeof value === 'object' ? null : value;
}

/** Null where either side is. */
export function compare(op: string, left: Value, right: Value): boolean | null {
  if (op === '=~' || op === '!~') {
    if (left === null || right === null) return null;
    if (typeof left !== 'string' || !(right instanceof RegexValue)) throw unsupported(op, left, right);
    return right.regex.test(left) === (op === '=~');
  }
  if (left === null || right === null) return null;
  if (typeof left === 'string' && typeof right === 'string') {
    if (op === '==') return left === right;
    if (op === '!=') return left !== right;
  }
  const by = order(op, left, right);
  switch (op) {
    case '==':
      return by === 0;
    case '!=':
      return by !== 0;
    case '<':
      return by < 0;
    case '<=':
      return by <= 0;
    case '>':
      return by > 0;
    default:
      return by >= 0;
  }
}

export function negate(value: Value): Value {
  if (value === null) return null;
  if (typeof value === 'number') return -value;
  if (typeof value === 'bigint') return int(-value);
  if (value instanceof Duration) return value.negated();
  throw runtimeError(`type error: - needs a number or a duration, got ${typeOf(value)}`);
}

/** True, false or null. */
export function truth(value: Value, where: string): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw runtimeError(`type error: ${where} needs a bool, got ${typeOf(value)}`);
}
