/**
 * Reading JSON text where it lies. Nothing is parsed into values, so that megabytes cost one pass over their characters and
 * every number, key and escape is shown and copied as it was sent. Each function takes the place of a value's first character.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const broken = (at: number): never => {
  throw new SyntaxError(`Expected JSON, and it breaks off or is something else at character ${at}`);
};

/** The next character that is no white space. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Behind the closing quote of a text. */
export function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code === BACKSLASH) i++;
  }
  return broken(text.length);
}

/** Behind the value. */
export function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) {
    let i = at;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || isSpace(code)) break;
    }
    return i > at ? i : broken(at);
  }
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth === 0) return i + 1;
  }
  return broken(text.length);
}

export type Kind = 'object' | 'array' | 'string' | 'number' | 'atom';

export function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT) return 'object';
  if (code === OPEN_LIST) return 'array';
  if (code === QUOTE) return 'string';
  return code === 0x2d || (code >= 0x30 && code <= 0x39) ? 'number' : 'atom';
}

export const isBranch = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === OPEN_OBJECT || code === OPEN_LIST;
};

/**
 * Calls `each` with the key (-1 in a list) and value of every member, in order; it answers where the value ends. Answers
 * the place behind the branch.
 */
export function eachMember(text: string, at: number, each: (key: number, value: number) => number): number {
  const object = text.charCodeAt(at) === OPEN_OBJECT;
  const close = object ? CLOSE_OBJECT : CLOSE_LIST;
  let i = skipSpace(text, at + 1);
  if (text.charCodeAt(i) === close) return i + 1;
  for (;;) {
    let key = -1;
    if (object) {
      if (text.charCodeAt(i) !== QUOTE) return broken(i);
      key = i;
      i = skipSpace(text, stringEnd(text, i));
      if (text.charCodeAt(i) !== COLON) return broken(i);
      i = skipSpace(text, i + 1);
    }
    i = skipSpace(text, each(key, i));
    const code = text.charCodeAt(i);
    if (code === close) return i + 1;
    if (code !== COMMA) return broken(i);
    i = skipSpace(text, i + 1);
  }
}

/** Where the value of a member of the object at `at` begins; -1 where there is none of that name. What follows it is not looked at. */
export function memberAt(text: string, at: number, name: string): number {
  if (kindAt(text, at) !== 'object') return -1;
  for (let i = skipSpace(text, at + 1); text.charCodeAt(i) === QUOTE;) {
    const close = stringEnd(text, i);
    const value = skipSpace(text, skipSpace(text, close) + 1);
    if (JSON.parse(text.slice(i, close)) === name) return value;
    i = skipSpace(text, valueEnd(text, value));
    if (text.charCodeAt(i) !== COMMA) return -1;
    i = skipSpace(text, i + 1);
  }
  return -1;
}
