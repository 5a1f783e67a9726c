export interface Preference {
  readonly respondAsync: boolean;
  /** Seconds; null: none was asked for. */
  readonly wait: number | null;
  /** For `Preference-Applied`; null where nothing is applied. */
  readonly applied: string | null;
}

export const NO_PREFERENCE: Preference = { respondAsync: false, wait: null, applied: null };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;

/** `Prefer` (RFC 7240): the first of equal preferences counts, unknown and malformed ones are ignored. */
export function parsePrefer(header: string | string[] | undefined, longestWait: number): Preference {
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
