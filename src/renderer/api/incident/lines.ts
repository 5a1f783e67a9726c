/** Lines of JSON in the pieces of a bundle; the text of one is made when it is asked for. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

const decoder = new TextDecoder();
const FEED = 0x0a;

export const textOf = ({ bytes, from, to }: Line): string => decoder.decode(bytes.subarray(from, to));

/** All lines of the parts whose names begin so, in the order of their names. A line that is no JSON object is passed over. */
export function* linesOf<T>(
  parts: ReadonlyMap<string, Uint8Array>,
  prefix: string,
): Generator<{ line: Line; value: T }> {
  const named = [...parts].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, bytes] of named) {
    for (let from = 0; from < bytes.length;) {
      const feed = bytes.indexOf(FEED, from);
      const to = feed < 0 ? bytes.length : feed;
      const line = { bytes, from, to };
      from = to + 1;
      try {
        const value: unknown = JSON.parse(textOf(line));
        // Each writer of a part has one form of line; readers check what they show.
        if (value !== null && typeof value === 'object') yield { line, value: value as T };
      } catch {
        // One damaged line hides no others.
      }
    }
  }
}

/** A text; anything else is none. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A page of the API as text, from texts of its items: every number stays as it is. */
export function pageText(items: readonly string[], page: number, size: number, totalItems: number): string {
  return `{"items":[${items.join(',')}],"page":${page},"size":${size},"totalItems":${totalItems},"totalPages":${Math.ceil(totalItems / size)}}`;
}

/** Page and size of a query, within what the API takes. */
export function pagingOf(query: URLSearchParams): { page: number; size: number } {
  const whole = (name: string, otherwise: number, most: number) => {
    const value = Number(query.get(name) ?? otherwise);
    return Number.isSafeInteger(value) && value >= 0 ? Math.min(value, most) : otherwise;
  };
  return { page: whole('page', 0, 100_000_000), size: Math.max(1, whole('size', 20, 500)) };
}
