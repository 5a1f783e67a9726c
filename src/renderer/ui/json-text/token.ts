export type TokenKind = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'number' | 'word' | 'bad' | 'end';
export interface Token {
  readonly kind: TokenKind;
  readonly from: number;
  readonly to: number;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;

/** The token of JSON that begins at `start` or behind the white space there; `bad` is one character that begins none. */
export function tokenAt(text: string, start: number): Token {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  const c = text[at];
  if (c === undefined) return { kind: 'end', from: at, to: at };
  // Signs are kinds by themselves.
  if ('{}[]:,'.includes(c)) return { kind: c as TokenKind, from: at, to: at + 1 };
  if (c === '"') return { kind: 'string', from: at, to: endOfString(text, at) };
  const number = endOf(NUMBER, text, at);
  if (number > at) return { kind: 'number', from: at, to: number };
  const word = endOf(WORD, text, at);
  if (word > at) return { kind: 'word', from: at, to: word };
  return { kind: 'bad', from: at, to: at + 1 };
}

/** Where a sticky pattern that matches at `at` ends; -1: it does not match there. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** A string ends at its quote, or at the end of its line where it has none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const c = text[at];
    if (c === '"') return at + 1;
    if (c === '\n') return at;
    if (c === '\\' && text[at + 1] !== '\n') at++;
  }
  return text.length;
}
