import { isArray } from '../values/values.ts';
import { runtimeError } from '../language/errors.ts';
import type { Stream } from '../values/stream.ts';
import {
  Duration,
  isFn,
  isRec,
  isStream,
  MapRec,
  Time,
  typeOf,
  type Fn,
  type Rec,
  type Value,
} from '../values/values.ts';

/** The arguments of a call to a built-in function, read by their type. Each throws FLUX_RUNTIME where another came. */
export interface Args {
  stream(name?: string): Stream;
  int(name: string, fallback?: bigint): bigint;
  /** An int that counts things: 0 and above, and no more than an array can hold. */
  count(name: string, fallback?: bigint): number;
  float(name: string): number;
  text(name: string, fallback?: string): string;
  bool(name: string, fallback: boolean): boolean;
  time(name: string): Time;
  duration(name: string, fallback?: Duration): Duration;
  fn(name: string): Fn;
  record(name: string): Rec;
  array(name: string): readonly Value[];
  texts(name: string, fallback?: readonly string[]): readonly string[];
  any(name: string): Value;
  /** Whether it was given, and is not null. */
  has(name: string): boolean;
}

/**
 * A built-in function. `params`: its parameters in words, `<-` before the one that is piped in, `?` after those that may
 * be left out.
 */
export function builtIn(name: string, params: string, run: (args: Args) => Value): Fn {
  const words = params.split(' ').filter((word) => word !== '');
  const piped = words.find((word) => word.startsWith('<-'))?.slice(2) ?? null;
  const known = words.map((word) => word.replace('<-', '').replace('?', ''));
  const required = words.filter((word) => !word.endsWith('?')).map((word) => word.replace('<-', ''));
  return {
    kind: 'function',
    name,
    pipe: piped,
    params: known.map((one) => (required.includes(one) ? { name: one } : { name: one, fallback: null })),
    call(given) {
      for (const one of given.keys())
        if (!known.includes(one))
          throw runtimeError(`found unexpected argument ${one}, expected ${known.join(', ') || 'none'}`);
      for (const one of required) if (!given.has(one)) throw runtimeError(`missing required argument ${one}`);
      return run(argsOf(given, piped ?? 'tables'));
    },
  };
}

const isInt = (value: Value): value is bigint => typeof value === 'bigint';
const isFloat = (value: Value): value is number => typeof value === 'number';
const isText = (value: Value): value is string => typeof value === 'string';
const isBool = (value: Value): value is boolean => typeof value === 'boolean';
const isTime = (value: Value): value is Time => value instanceof Time;
const isDuration = (value: Value): value is Duration => value instanceof Duration;
const isTexts = (value: Value): value is readonly string[] => isArray(value) && value.every(isText);

function argsOf(given: ReadonlyMap<string, Value>, piped: string): Args {
  const read = <T extends Value>(name: string, wanted: string, is: (value: Value) => value is T, fallback?: T): T => {
    const value = given.get(name);
    if ((value === undefined || value === null) && fallback !== undefined) return fallback;
    if (value !== undefined && is(value)) return value;
    throw runtimeError(`argument ${name}: expected ${wanted} but found ${typeOf(value ?? null)}`);
  };
  const args: Args = {
    stream: (name = piped) => read(name, 'a stream of tables', isStream),
    int: (name, fallback) => read(name, 'int', isInt, fallback),
    count(name, fallback) {
      const value = args.int(name, fallback);
      if (value < 0n || value > 1_000_000_000n)
        throw runtimeError(`argument ${name}: expected 0 to 1000000000, got ${value}`);
      return Number(value);
    },
    float: (name) => read(name, 'float', isFloat),
    text: (name, fallback) => read(name, 'string', isText, fallback),
    bool: (name, fallback) => read(name, 'bool', isBool, fallback),
    time: (name) => read(name, 'time', isTime),
    duration: (name, fallback) => read(name, 'duration', isDuration, fallback),
    fn: (name) => read(name, 'a function', isFn),
    record: (name) => read(name, 'a record', isRec),
    array: (name) => read(name, 'an array', isArray),
    texts: (name, fallback) => read(name, 'an array of strings', isTexts, fallback),
    any: (name) => given.get(name) ?? null,
    has: (name) => (given.get(name) ?? null) !== null,
  };
  return args;
}

/** Functions and values by their names, as a package or the names that every program knows. */
export const packageOf = (members: readonly (Fn | readonly [string, Value])[]): Rec =>
  new MapRec(
    new Map(members.map((one): [string, Value] => ('call' in one ? [one.name ?? '', one] : [one[0], one[1]]))),
  );

/** Calls a function with one value by the name of its only parameter. */
export function unaryCall(fn: Fn, fallbackName: string): (value: Value) => Value {
  const required = fn.params.filter((param) => param.fallback === undefined);
  const name =
    (required.length === 1 ? required[0] : fn.params.find((param) => param.name === fallbackName))?.name ??
    fallbackName;
  return (value) => fn.call(new Map([[name, value]]));
}
