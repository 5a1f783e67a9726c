/** The tree of a regular expression (ECMAScript, without look-around and back-references). */
export type PatternNode =
  | { t: 'char'; accepts(code: number): boolean }
  | { t: 'assert'; holds(before: number, after: number): boolean }
  | { t: 'all'; items: PatternNode[] }
  | { t: 'any'; items: PatternNode[] }
  | { t: 'repeat'; item: PatternNode; min: number; max: number };

const DEEPEST = 200;

/** Parses; what is a valid pattern the engine itself decides first. Throws `SyntaxError`. */
export function parsePattern(source: string): PatternNode {
  const flags = flagsOf(source);
  let at = 0;
  let depth = 0;
  const peek = () => source[at];

  function alternatives(): PatternNode {
    if (++depth > DEEPEST) throw new SyntaxError(`the pattern is nested deeper than ${DEEPEST}`);
    const items = [sequence()];
    while (peek() === '|') {
      at++;
      items.push(sequence());
    }
    depth--;
    return items.length === 1 && items[0] ? items[0] : { t: 'any', items };
  }

  function sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (at < source.length && peek() !== '|' && peek() !== ')') items.push(quantified(atom()));
    return { t: 'all', items };
  }

  function quantified(item: PatternNode): PatternNode {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 40));
    if (!found) return item;
    at += found[0].length;
    const [, sign, low, comma, high] = found;
    if (sign !== undefined)
      return { t: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const min = Number(low);
    return { t: 'repeat', item, min, max: comma === '' ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high) };
  }

  function atom(): PatternNode {
    // Called where there is something left.
    const first = peek() as string;
    if (first === '(') return group();
    if (first === '[') return single(classEnd());
    if (first === '^') return (at++, { t: 'assert', holds: (before) => before === -1 });
    if (first === '$') return (at++, { t: 'assert', holds: (_before, after) => after === -1 });
    if (first !== '\\') return single(at + ((source.codePointAt(at) as number) > 0xffff ? 2 : 1));
    const next = source[at + 1] ?? '';
    if (next === 'b' || next === 'B') {
      at += 2;
      return { t: 'assert', holds: (before, after) => (word(before) !== word(after)) === (next === 'b') };
    }
    if (/[1-9k]/.test(next)) throw new SyntaxError('back-references are not supported in patterns');
    return single(at + escapeLength());
  }

  function group(): PatternNode {
    // Called at an opening bracket, which it matches.
    const opening = /^\((?:\?(?:(:)|<([^=!>][^>]*)>|(.)))?/.exec(source.slice(at, at + 300)) as RegExpExecArray;
    if (opening[3] !== undefined) throw new SyntaxError('look-around and flags are not supported in patterns');
    at += opening[0].length;
    const inner = alternatives();
    at++;
    return inner;
  }

  /** The piece of source up to `end` matches one character: the engine itself says which. */
  function single(end: number): PatternNode {
    const piece = source.slice(at, end);
    at = end;
    const one = new RegExp(`^${piece}$`, `${flags}s`.replace(piece === '.' ? 's' : '', ''));
    const ascii = Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0));
    return { t: 'char', accepts: (code) => (code < 128 ? ascii[code] === 1 : one.test(String.fromCodePoint(code))) };
  }

  function classEnd(): number {
    let end = at + 1;
    while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
    return end + 1;
  }

  function escapeLength(): number {
    return (
      /^\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])/.exec(
        source.slice(at, at + 80),
      ) as RegExpExecArray
    )[0].length;
  }

  const tree = alternatives();
  if (at < source.length) throw new SyntaxError(`unexpected ${JSON.stringify(peek())} at ${at}`);
  return tree;
}

/** JSON Schema asks for Unicode patterns; old ones that are only valid without are taken as well. */
function flagsOf(source: string): string {
  try {
    new RegExp(source, 'u');
    return 'u';
  } catch (unicode) {
    try {
      new RegExp(source);
      return '';
    } catch {
      throw unicode;
    }
  }
}

const word = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
