import { isRowTag } from '../store/files/owner-key.ts';

/** A field of a measurement, as the parser and the store's catalog share it. */
export interface FieldRef {
  readonly name: string;
  /** Its number in the catalog and its type there; -1: not looked up yet. */
  id: number;
  type: number;
}

/** A field by its key as it stands in lines, escapes and all. */
export interface KnownField {
  readonly raw: string;
  readonly ref: FieldRef;
  /** Which came behind it in the last line that had it: most often it does so again. */
  next: KnownField | null;
}

export interface Measurement {
  readonly name: string;
  readonly fields: Map<string, KnownField>;
  /** The first of its last line. */
  first: KnownField | null;
}

/** Measurement and tags of a line. */
export interface Head {
  readonly measurement: Measurement;
  /** Key, value, key, value… sorted by key, without `job_id` and `task_id`. */
  readonly tags: readonly string[];
  readonly job: string;
  readonly task: string;
  /** Its series in the catalog; -1: not looked up yet. */
  series: number;
}

/** Why a line is no point; the reader of the line adds where. Without a stack: a body may have hundreds of thousands of such lines. */
export class LineFault extends Error {
  constructor(reason: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const SPECIAL_MEASUREMENT = /\\([, ])/g;
const SPECIAL_KEY = /\\([,= ])/g;
export const unescapeKey = (raw: string): string => (raw.includes('\\') ? raw.replace(SPECIAL_KEY, '$1') : raw);
const RESERVED: ReadonlySet<string> = new Set(['time', '_measurement', '_field']);

/** `measurement[,tag=value…]`, as text with its escapes. Throws a `LineFault`. */
export function parseHead(given: string, measurementOf: (name: string) => Measurement): Head {
  // The store joins names and values with U+0000.
  const text = given.includes('\u0000') ? given.replaceAll('\u0000', '\uFFFD') : given;
  const parts = splitAt(text, ',');
  const name = (parts[0] ?? '').replace(SPECIAL_MEASUREMENT, '$1');
  if (name === '') throw new LineFault('missing measurement');
  const pairs: [key: string, value: string][] = [];
  let job = '';
  let task = '';
  for (const part of parts.slice(1)) {
    const [rawKey, rawValue, ...more] = splitAt(part, '=');
    if (rawKey === undefined || rawKey === '') throw new LineFault('missing tag key');
    if (rawValue === undefined || rawValue === '') throw new LineFault('missing tag value');
    if (more.length > 0) throw new LineFault('invalid tag format');
    const key = unescapeKey(rawKey);
    if (RESERVED.has(key)) throw new LineFault(`the tag key "${key}" is reserved`);
    pairs.push([key, unescapeKey(rawValue)]);
  }
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const tags: string[] = [];
  for (const [i, [key, value]] of pairs.entries()) {
    if (pairs[i + 1]?.[0] === key) throw new LineFault('duplicate tags');
    if (!isRowTag(key)) tags.push(key, value);
    else if (key === 'job_id') job = value;
    else task = value;
  }
  return { measurement: measurementOf(name), tags, job, task, series: -1 };
}

/** Splits at a character that no backslash stands before. */
function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (text[at - 1] === '\\') continue;
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  parts.push(text.slice(from));
  return parts;
}
