import type { Labels } from '../../../contract/jobs.ts';
import { PRIORITY_MAX, PRIORITY_MIN } from '../../../contract/rate-limits.ts';
import { type Fault, invalidAt } from '../../../lib/fault.ts';

/* What the headers of an event call say. Each throws VALIDATION_FAILED where a header is not valid, but for `Prefer`. */

type Header = string | string[] | undefined;

/** Node reads headers as Latin-1; what senders mean is UTF-8 or ASCII. */
const textOf = (header: string | string[]): string => Buffer.from(String(header), 'latin1').toString('utf8');

/** A text of at most `longest` characters; null: there is none. */
export function optionalHeader(value: Header, name: string, longest: number): string | null {
  if (value === undefined || value === '') return null;
  const text = textOf(value);
  if (text.length > longest)
    throw invalidAt(
      `/headers/${name.toLowerCase()}`,
      `${name} must have at most ${longest} characters; it has ${text.length}`,
      `must have at most ${longest} characters`,
    );
  return text;
}

const WHOLE = /^[+-]?\d{1,3}$/;

/** Of `x-priority`. */
export function parsePriority(value: Header): number {
  if (value === undefined || value === '') return 0;
  const priority = WHOLE.test(String(value)) ? Number(value) : Number.NaN;
  if (priority >= PRIORITY_MIN && priority <= PRIORITY_MAX) return priority;
  const message = `must be a whole number from ${PRIORITY_MIN} to ${PRIORITY_MAX}`;
  throw invalidAt('/headers/x-priority', `x-priority ${message}`, message);
}

const LABEL_KEY = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/;
const LABEL_CHARACTERS = 256;

/**
 * The labels of the header `x-labels: team=billing,region=eu`; a comma within a value is written `%2C`. Those of a batch job are checked by its schema.
 */
export function parseLabels(header: Header, most: number): Labels | null {
  if (header === undefined || header === '') return null;
  const labels: Labels = Object.create(null);
  let count = 0;
  for (const part of textOf(header).split(',')) {
    const pair = part.trim();
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = (at < 0 ? pair : pair.slice(0, at)).trim();
    const value = decoded(at < 0 ? '' : pair.slice(at + 1).trim());
    if (!LABEL_KEY.test(key))
      throw invalidLabels(
        `the label key ${JSON.stringify(key.slice(0, 80))} is not valid: use at most 64 letters, digits and . _ / - and start with a letter or digit`,
      );
    if (value.length > LABEL_CHARACTERS)
      throw invalidLabels(
        `the value of label ${key} must have at most ${LABEL_CHARACTERS} characters; it has ${value.length}`,
      );
    if (labels[key] === undefined && ++count > most) throw invalidLabels(`a job can have at most ${most} labels`);
    labels[key] = value;
  }
  return count === 0 ? null : { ...labels };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const invalidLabels = (detail: string): Fault => invalidAt('/headers/x-labels', `x-labels: ${detail}`, detail);

export interface Preference {
  readonly respondAsync: boolean;
  /** Seconds; null: none was asked for. */
  readonly wait: number | null;
  /** For `Preference-Applied`; null where nothing is applied. */
  readonly applied: string | null;
}

const NO_PREFERENCE: Preference = { respondAsync: false, wait: null, applied: null };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;

/** `Prefer` (RFC 7240): the first of equal preferences counts, unknown and malformed ones are ignored. */
export function parsePrefer(header: Header, longestWait: number): Preference {
  if (header === undefined || header.length === 0) return NO_PREFERENCE;
  const text = typeof header === 'string' ? header : header.join(',');
  let respondAsync = false;
  let wait: number | null | undefined;
  for (const part of partsOf(text)) {
    const found = preferenceOf(part);
    if (found?.name === 'respond-async' && found.value === '') respondAsync = true;
    else if (found?.name === 'wait' && wait === undefined)
      wait = /^\d{1,9}$/.test(found.value) ? Math.min(Number(found.value), longestWait) : null;
  }
  const applied = [
    ...(respondAsync ? ['respond-async'] : []),
    ...(wait === null || wait === undefined ? [] : [`wait=${wait}`]),
  ];
  return { respondAsync, wait: wait ?? null, applied: applied.length === 0 ? null : applied.join(', ') };
}

/** What stands between the commas of a list that are in no quotes. Looks at each character once: a header may be long, and mean harm. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  // A quote that never ends is no preference.
  return isQuoted ? parts : [...parts, text.slice(from)];
}

/** `token [= value] [; parameters]`; null: none. */
function preferenceOf(part: string): { name: string; value: string } | null {
  const text = part.trim();
  const name = TOKEN.exec(text)?.[0];
  if (name === undefined) return null;
  let rest = text.slice(name.length).trimStart();
  let value = '';
  if (rest.startsWith('=')) {
    rest = rest.slice(1).trimStart();
    const taken = (rest.startsWith('"') ? /^"((?:[^"\\]|\\.)*)"/s : /^([^\s,;"]*)/).exec(rest);
    if (!taken) return null;
    value = taken[1] ?? '';
    rest = rest.slice(taken[0].length).trimStart();
  }
  return rest === '' || rest.startsWith(';') ? { name: name.toLowerCase(), value } : null;
}
