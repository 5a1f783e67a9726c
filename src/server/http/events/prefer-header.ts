export interface Preference {
  readonly respondAsync: boolean;
  /** Seconds; null: none was asked for. */
  readonly wait: number | null;
  /** For `Preference-Applied`; null where nothing is applied. */
  readonly applied: string | null;
}

export const NO_PREFERENCE: Preference = { respondAsync: false, wait: null, applied: null };

/** `token [= value] [; parameters]`, of a list. */
const PREFERENCE =
  /\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?((?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)*)\s*(?:,|$)/y;

/** `Prefer` (RFC 7240): the first of equal preferences counts, unknown and malformed ones are ignored. */
export function parsePrefer(header: string | string[] | undefined, longestWait: number): Preference {
  if (header === undefined || header.length === 0) return NO_PREFERENCE;
  const text = typeof header === 'string' ? header : header.join(',');
  let respondAsync = false;
  let wait: number | null | undefined;
  for (let at = 0; at < text.length;) {
    PREFERENCE.lastIndex = at;
    const found = PREFERENCE.exec(text);
    if (found === null) {
      const comma = text.indexOf(',', at);
      if (comma < 0) break;
      at = comma + 1;
      continue;
    }
    at = PREFERENCE.lastIndex;
    const name = (found[1] ?? '').toLowerCase();
    const value = found[2] ?? found[3] ?? '';
    if (name === 'respond-async' && value === '') respondAsync = true;
    else if (name === 'wait' && wait === undefined)
      wait = /^\d{1,9}$/.test(value) ? Math.min(Number(value), longestWait) : null;
  }
  const applied = [
    ...(respondAsync ? ['respond-async'] : []),
    ...(wait === null || wait === undefined ? [] : [`wait=${wait}`]),
  ];
  return { respondAsync, wait: wait ?? null, applied: applied.length === 0 ? null : applied.join(', ') };
}
