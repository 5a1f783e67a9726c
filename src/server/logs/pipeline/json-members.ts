/** The parts of a JSON object or array as they were written, so that no number and no space inside a value changes. */
export interface Parts {
  /** Names of the members; null for an array. */
  readonly keys: readonly string[] | null;
  /** Text of each value. */
  readonly values: readonly string[];
  /** Levels of nesting, 1 for a flat one. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Cuts text that `JSON.parse` takes for an object or an array into its parts. Null for any other value. Does not recurse. */
export function partsOf(text: string): Parts | null {
  let at = skipSpace(text, 0);
  const open = text[at];
  if (open !== '{' && open !== '[') return null;
  const keys: string[] | null = open === '{' ? [] : null;
  const values: string[] = [];
  let deepest = 1;
  for (
    at = skipSpace(text, at + 1);
    text[at] !== '}' && text[at] !== ']';
    at = skipSpace(text, text[at] === ',' ? at + 1 : at)
  ) {
    if (keys) {
      const end = endOfString(text, at);
      const key = text.slice(at, end);
      keys.push(key.includes('\\') ? JSON.parse(key) : key.slice(1, -1));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const start = at;
    let depth = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        at = endOfString(text, at);
        if (depth === 0) break;
        continue;
      }
      if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth + 1);
      else if (code === 0x7d || code === 0x5d) {
        if (depth === 0) break;
        depth--;
        if (depth === 0) {
          at++;
          break;
        }
      } else if (depth === 0 && (code === 0x2c || isSpace(code))) break;
      at++;
    }
    values.push(text.slice(start, at));
    at = skipSpace(text, at);
  }
  return { keys, values, depth: deepest };
}

/** Index behind the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}
