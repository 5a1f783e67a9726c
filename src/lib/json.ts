import { isRecord } from './is-record.ts';

/**
 * JSON that keeps every number as it came. A token that a double cannot hold (an integer beyond 2^53, a long fraction)
 * becomes a raw JSON value that `JSON.stringify` writes back to the letter; all other values are plain.
 */

// A double can change only a number of 16 characters or more, or with an exponent. Where a number may begin is looked at
// alone: UUIDs are full of digits before an "e".
const suspicious = /[\s,:[]-?(?:[\d.]{16}|\d[\d.]*[eE])/;

interface RawJson {
  readonly rawJSON: string;
}
const lossless = JSON as unknown as {
  rawJSON(token: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** Stands before the token of such a number while the text is parsed; made up anew in each process, so that no sender knows it. */
const MARK = `#${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

/**
 * Parses JSON text. Throws `SyntaxError` where it is none. (A reviver that sees the source would do as well, at fifteen
 * times the price: too much for the event loop where a body is large.)
 */
/* `T`: what the sender is known to write; nothing checks it here. */
export function parseJson<T = unknown>(text: string): T {
  return parseJsonBoth(text).value as T;
}

/** JSON that this program wrote itself, so that its form is known. Numbers are plain ones. */
export const parseStored = <T>(text: string): T => JSON.parse(text);

/** The same, and the value with plain numbers beside it: the very same one where no number had to be kept raw. */
export function parseJsonBoth(text: string): { value: unknown; plain: unknown } {
  const first = text.charCodeAt(0);
  const marked = suspicious.test(text) || first === MINUS || isDigit(first) ? markNumbers(text) : null;
  if (marked !== null) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(marked);
    } catch {
      // Parsed again as it came, for the message that fits.
      parsed = JSON.parse(text);
    }
    const value = unmark(parsed);
    return { value, plain: withPlainNumbers(value) };
  }
  const value: unknown = JSON.parse(text);
  return { value, plain: value };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-]|\s*:)/y;

/** The text with every number that a double would change made a marked string; null where there is none. */
function markNumbers(text: string): string | null {
  let marked = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (code === MINUS || isDigit(code)) {
      const start = i;
      while (isNumberPart(text.charCodeAt(i + 1))) i++;
      // Fifteen digits without an exponent are exact in any double.
      if (i - start < 15 && !hasExponent(text, start, i)) continue;
      number.lastIndex = start;
      const token = number.exec(text)?.[0];
      if (token === undefined || start + token.length !== i + 1 || survives(Number(token), token)) continue;
      marked += `${text.slice(copied, start)}"${MARK}${token}"`;
      copied = i + 1;
    }
  }
  return copied === 0 ? null : marked + text.slice(copied);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isNumberPart = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x2b || code === MINUS || code === 0x65 || code === 0x45;

function hasExponent(text: string, from: number, to: number): boolean {
  for (let i = from; i <= to; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true;
  return false;
}

/** Puts the raw numbers where their marks are, in place, without recursion. */
function unmark(root: unknown): unknown {
  if (typeof root === 'string') return rawOf(root) ?? root;
  const open: unknown[] = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (Array.isArray(at)) {
      for (let i = 0; i < at.length; i++) {
        const value: unknown = at[i];
        if (typeof value === 'string') at[i] = rawOf(value) ?? value;
        else if (typeof value === 'object' && value !== null) open.push(value);
      }
      continue;
    }
    if (!isRecord(at)) continue;
    for (const key of Object.keys(at)) {
      const value = at[key];
      if (typeof value === 'string') {
        const raw = rawOf(value);
        if (raw === null) continue;
        if (key === '__proto__')
          Object.defineProperty(at, key, { value: raw, enumerable: true, writable: true, configurable: true });
        else at[key] = raw;
      } else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return root;
}

const rawOf = (text: string): RawJson | null =>
  text.startsWith(MARK) ? lossless.rawJSON(text.slice(MARK.length)) : null;

/** True for a number that `parseJson` kept as its raw token. */
export const isRawNumber = (value: unknown): value is RawJson => lossless.isRawJSON(value);

/** An object with members: neither null, an array nor a number that is kept as it came. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !isRawNumber(value);

/** Whether two values that are no objects and no arrays are the same. */
export const isSameScalar = (a: unknown, b: unknown): boolean =>
  a === b || (isRawNumber(a) && isRawNumber(b) && a.rawJSON === b.rawJSON);

/** The same value with plain, possibly rounded, numbers: for code that computes with them. */
export function withPlainNumbers(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (lossless.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNumbers(inner)]));
}

function survives(value: number, source: string): boolean {
  if (String(value) === source) return true;
  // An integer of up to 21 digits is written in full: it would have been the same.
  if (source.length <= 21 && Math.abs(value) < 1e21 && Number.isInteger(value) && !/[.eE]/.test(source)) return false;
  return canonical(String(value)) === canonical(source);
}

/** Sign, significant digits and exponent of a decimal number, so that 1.50, 15e-1 and 1.5 are one. */
function canonical(token: string): string {
  const [, sign = '', int = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (int + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return `${sign}0`;
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}
