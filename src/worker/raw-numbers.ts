import { isRecord } from '../lib/is-record.ts';
import { isRawNumber, withPlainNumbers } from '../lib/json.ts';

/**
 * Numbers that a double cannot hold (`isRawNumber`) pass through nodes that compute. The node gets the nearest doubles;
 * in what it returns, a double that came from just one such number, and from no plain one, is written as it was.
 */
export type RawNumbers = ReadonlyMap<number, unknown>;

/** The raw numbers in a JSON value by the double they round to; null where there are none. */
export function rawNumbersIn(value: unknown): RawNumbers | null {
  const raws = new Map<number, { token: string; raw: unknown } | null>();
  collect(value, raws);
  if (raws.size === 0) return null;
  dropPlain(value, raws);
  return new Map([...raws].flatMap(([double, known]) => (known ? [[double, known.raw]] : [])));
}

function collect(value: unknown, raws: Map<number, { token: string; raw: unknown } | null>): void {
  if (value === null || typeof value !== 'object') return;
  if (isRawNumber(value)) {
    const double = Number(value.rawJSON);
    const known = raws.get(double);
    if (known === undefined) raws.set(double, { token: value.rawJSON, raw: value });
    else if (known !== null && known.token !== value.rawJSON) raws.set(double, null);
  } else if (Array.isArray(value)) for (const inner of value) collect(inner, raws);
  else if (isRecord(value)) for (const key in value) collect(value[key], raws);
}

function dropPlain(value: unknown, raws: Map<number, unknown>): void {
  if (typeof value === 'number') {
    if (raws.has(value)) raws.set(value, null);
  } else if (Array.isArray(value)) for (const inner of value) dropPlain(inner, raws);
  else if (isRecord(value) && !isRawNumber(value)) for (const key in value) dropPlain(value[key], raws);
}

/** The same value with the raw numbers of the input put back. */
export function withRawNumbers(value: unknown, raws: RawNumbers): unknown {
  if (typeof value === 'number') return raws.get(value) ?? value;
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map((inner) => withRawNumbers(inner, raws));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRawNumbers(inner, raws)]));
}

/** Runs `compute` on plain numbers and puts the raw ones back into what it returns. */
export async function computeWithDoubles(input: unknown, compute: (plain: unknown) => unknown): Promise<unknown> {
  const raws = rawNumbersIn(input);
  if (raws === null) return compute(input);
  return withRawNumbers(await compute(withPlainNumbers(input)), raws);
}
