/**
 * Readers of the URL's search parameters, for the `*-search.ts` beside each page. Each answers an object to spread: with
 * the key where the value is good, empty where it is absent or bad, so that a broken link still opens.
 */

type Input = Record<string, unknown>;
/** What changes of an address; undefined: it is taken away. */
export type SearchChange<S> = { readonly [K in keyof S]?: S[K] | undefined };

/** An object with that key, without it where there is no value. */
export const keyed = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

/**
 * A reader for a route. The router hands a page what is in the address beside what the reader answers, bad values too: here
 * they are taken away. What the frame reads (`env`) stays.
 */
export const ownParams =
  <S extends object>(read: (input: Input) => S) =>
  (input: Input): S =>
    ({
      ...Object.fromEntries(Object.keys(input).flatMap((key) => (key === 'env' ? [] : [[key, undefined]]))),
      ...read(input),
    }) as S;

/** `page`, from 0; 0 is left out. */
export function pageIn(input: Input): { page?: number } {
  const page = Number(input['page']);
  return Number.isSafeInteger(page) && page > 0 ? { page } : {};
}

/** `size`, 1 to 500. */
export function sizeIn(input: Input): { size?: number } {
  const size = Number(input['size']);
  return Number.isSafeInteger(size) && size >= 1 && size <= 500 ? { size } : {};
}

/** A text; numbers that the URL reader made of digits are text again. */
export function textIn<K extends string>(input: Input, key: K): { [P in K]?: string } {
  const value = input[key];
  const text = typeof value === 'number' ? String(value) : value;
  return keyed(key, typeof text === 'string' && text !== '' ? text : undefined);
}

/** A list of texts; one alone is taken too. */
export function textsIn<K extends string>(input: Input, key: K): { [P in K]?: string[] } {
  const value = input[key];
  const found = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  return keyed(key, found.length === 0 ? undefined : found);
}

/** One word of a closed set. */
export function wordIn<K extends string, W extends string>(
  input: Input,
  key: K,
  words: readonly W[],
): { [P in K]?: W } {
  return keyed(
    key,
    words.find((word) => word === input[key]),
  );
}

/** A list of words of a closed set; one word alone is taken too. */
export function wordsIn<K extends string, W extends string>(
  input: Input,
  key: K,
  words: readonly W[],
): { [P in K]?: W[] } {
  const value = input[key];
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const found = words.filter((word) => given.includes(word));
  return keyed(key, found.length === 0 ? undefined : found);
}

/** An ISO time, in its full form. */
export function instantIn<K extends string>(input: Input, key: K): { [P in K]?: string } {
  const value = input[key];
  const good = typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return keyed(key, good ? new Date(value).toISOString() : undefined);
}
