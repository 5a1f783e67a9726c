/** What is marked in messages: words of the query, and what the find bar looks for. */
export interface Highlights {
  readonly needles: readonly string[];
  readonly find: RegExp | null;
}
export interface HighlightedText {
  readonly text: string;
  readonly hit: 'query' | 'find' | null;
}

const patterns = new WeakMap<readonly string[], RegExp | null>();
function patternOf(needles: readonly string[]): RegExp | null {
  let found = patterns.get(needles);
  if (found === undefined)
    patterns.set(needles, (found = needles.length === 0 ? null : new RegExp(needles.map(escaped).join('|'), 'g')));
  return found;
}
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text in pieces, what matches marked; the find bar's matches go before those of the query. Null: nothing matches. */
export function splitByMatches(text: string, { needles, find }: Highlights): HighlightedText[] | null {
  const byFind = find === null ? [] : spans(text, find);
  const pattern = patternOf(needles);
  const byQuery =
    pattern === null ? [] : spans(text, pattern).filter(([from, to]) => !byFind.some(([a, b]) => from < b && to > a));
  if (byFind.length === 0 && byQuery.length === 0) return null;
  const hits = [
    ...byFind.map(([from, to]) => ({ from, to, hit: 'find' as const })),
    ...byQuery.map(([from, to]) => ({ from, to, hit: 'query' as const })),
  ].sort((a, b) => a.from - b.from);
  const pieces: HighlightedText[] = [];
  let at = 0;
  for (const { from, to, hit } of hits) {
    if (from > at) pieces.push({ text: text.slice(at, from), hit: null });
    pieces.push({ text: text.slice(from, to), hit });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: null });
  return pieces;
}

function spans(text: string, pattern: RegExp): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '') pattern.lastIndex++;
    else found.push([match.index, match.index + match[0].length]);
  }
  return found;
}
