import type { Stream } from './stream.ts';

/** Nanoseconds since the epoch. */
export class Time {
  readonly ns: bigint;
  constructor(ns: bigint) {
    this.ns = ns;
  }
}

export class UInt {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** Calendar months and nanoseconds; both carry the sign. */
export class Duration {
  readonly months: number;
  readonly ns: bigint;
  constructor(months: number, ns: bigint) {
    this.months = months;
    this.ns = ns;
  }
  get zero(): boolean {
    return this.months === 0 && this.ns === 0n;
  }
  get negative(): boolean {
    return this.months < 0 || this.ns < 0n;
  }
  negated(): Duration {
    return new Duration(-this.months, -this.ns);
  }
}

export interface Regex {
  readonly source: string;
  test(text: string): boolean;
  replaceAll(text: string, by: string): string;
}

/** A record; also what a row of a table looks like to a function. */
export interface Rec {
  readonly kind: 'record';
  /** Undefined: no such property. */
  get(name: string): Value | undefined;
  each(visit: (name: string, value: Value) => void): void;
}

/** `value`: of an optional parameter; undefined: it must be given. */
export interface Param {
  readonly name: string;
  readonly fallback?: Value;
}

/** A function: one of the program's or built in. */
export interface Fn {
  readonly kind: 'function';
  /** Of a built-in one; null: the program's. */
  readonly name: string | null;
  /** Parameter that takes what is piped in. */
  readonly pipe: string | null;
  readonly params: readonly Param[];
  call(args: ReadonlyMap<string, Value>): Value;
}

/** Int is bigint, float is number. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Time
  | UInt
  | Duration
  | RegexValue
  | Rec
  | readonly Value[]
  | Fn
  | Stream;

export class RegexValue {
  readonly regex: Regex;
  constructor(regex: Regex) {
    this.regex = regex;
  }
}

export class MapRec implements Rec {
  readonly kind = 'record';
  private readonly map: ReadonlyMap<string, Value>;
  constructor(map: ReadonlyMap<string, Value>) {
    this.map = map;
  }
  get(name: string): Value | undefined {
    return this.map.get(name);
  }
  each(visit: (name: string, value: Value) => void): void {
    for (const [name, value] of this.map) visit(name, value);
  }
}

/** The properties of a record. */
export function entriesOf(record: Rec): Map<string, Value> {
  const map = new Map<string, Value>();
  record.each((name, value) => map.set(name, value));
  return map;
}

export const isRec = (value: Value): value is Rec =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'record';
export const isFn = (value: Value): value is Fn =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function';
export const isStream = (value: Value): value is Stream =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'stream';

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The name of a value's type as messages say it. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof Time) return 'time';
  if (value instanceof UInt) return 'uint';
  if (value instanceof Duration) return 'duration';
  if (value instanceof RegexValue) return 'regexp';
  return isArray(value) ? 'array' : value.kind;
}
