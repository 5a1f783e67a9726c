import { isOneOf } from '../../../../lib/is-one-of.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import { parseStored } from '../../../../lib/json.ts';
import { type Chunk, SHARED_FIELDS, type SharedColumn } from './chunk.ts';
import { escaped } from './highlight.ts';

/** What the find bar looks for. */
export interface FindOptions {
  readonly text: string;
  readonly matchCase: boolean;
  readonly regex: boolean;
  /** Fields that are shown beside the message, and so are looked through as well. */
  readonly columns: readonly string[];
}

/** The pattern of what is looked for; null: nothing to look for. Throws SyntaxError where a regular expression is none. */
export function patternFor({ text, matchCase, regex }: FindOptions): RegExp | null {
  if (text === '') return null;
  return new RegExp(regex ? text : escaped(text), matchCase ? 'gu' : 'giu');
}

/** Which records of a chunk show the pattern in their level, a column or their message: their places in the chunk. */
export function matchesIn(chunk: Chunk, pattern: RegExp, columns: readonly string[]): Uint32Array {
  const found: number[] = [];
  const shared = SHARED_FIELDS.filter((field) => field === 'level' || columns.includes(field)).flatMap((field) =>
    matchesInColumn(chunk.shared[field], pattern),
  );
  const custom = columns.filter((field) => !isOneOf(SHARED_FIELDS, field));
  let at = 0;
  let restAt = 0;
  for (let i = 0; i < chunk.count; i++) {
    const end = chunk.ends[i] ?? 0;
    const restEnd = chunk.restEnds[i] ?? 0;
    if (
      shared.some(({ codes, hit }) => hit[codes[i] ?? 0]) ||
      hits(pattern, chunk.text.slice(at, end)) ||
      (custom.length > 0 && restEnd > restAt && showsRest(chunk.rest.slice(restAt, restEnd), pattern, custom))
    )
      found.push(i);
    at = end;
    restAt = restEnd;
  }
  return Uint32Array.from(found);
}

/** Which of a field's codes the pattern is in; nothing where it is in none. */
function matchesInColumn(
  column: SharedColumn | undefined,
  pattern: RegExp,
): { codes: Uint16Array; hit: readonly boolean[] }[] {
  if (column === undefined) return [];
  const hit = [false, ...column.values.map((value) => hits(pattern, value))];
  return hit.includes(true) ? [{ codes: column.codes, hit }] : [];
}
function showsRest(json: string, pattern: RegExp, columns: readonly string[]): boolean {
  const fields = parseStored<Record<string, unknown>>(json);
  return columns.some(
    (field) =>
      fields[field] !== undefined &&
      hits(pattern, typeof fields[field] === 'string' ? fields[field] : JSON.stringify(fields[field])),
  );
}
/** An empty match is none. */
function hits(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] !== '') return true;
    pattern.lastIndex++;
  }
  return false;
}

/** Matches over all chunks: numbers of records, in order, as far as they have been looked through. */
export interface FindMatches {
  readonly count: number;
  /** Place of the first match at or after a number; `count` where there is none. */
  indexOf(number: number): number;
  at(index: number): number;
}

/** `parts`: the matches of each chunk with the number of the chunk's first record, oldest first. Those before `first` count no more, those from `end` on not yet. */
export function findMatches(
  parts: readonly { readonly first: number; readonly places: Uint32Array }[],
  first: number,
  end: number,
): FindMatches {
  const within = (base: number, places: Uint32Array) => base >= first && base + (places.at(-1) ?? 0) < end;
  const live = parts
    .map(({ first: base, places }) => ({
      base,
      places: within(base, places) ? places : places.filter((place) => base + place >= first && base + place < end),
    }))
    .filter(({ places }) => places.length > 0);
  const starts: number[] = [];
  let count = 0;
  for (const { places } of live) {
    starts.push(count);
    count += places.length;
  }
  return {
    count,
    indexOf(number) {
      for (const [i, { base, places }] of live.entries()) {
        if (base + (places.at(-1) ?? 0) < number) continue;
        const place = places.findIndex((one) => base + one >= number);
        return (starts[i] ?? 0) + place;
      }
      return count;
    },
    at(index) {
      let part = live.length - 1;
      while (part > 0 && (starts[part] ?? 0) > index) part--;
      const { base, places } = itemAt(live, part);
      return base + (places[index - (starts[part] ?? 0)] ?? 0);
    },
  };
}
