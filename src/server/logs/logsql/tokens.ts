import { Fault } from '../../../lib/fault.ts';

export type Token =
  | { kind: 'word'; text: string; at: number; end: number }
  | { kind: 'quoted'; text: string; at: number; end: number }
  | { kind: 'sign'; text: string; at: number; end: number }
  | { kind: 'end'; text: ''; at: number; end: number };

const SIGNS = ['!=', '!~', '>=', '<=', '(', ')', '[', ']', ',', ':', '=', '~', '>', '<', '!', '*', '|', '{', '}', '-'];
const WORD = /[\p{L}\p{N}_.\-/$+]/u;

/** The fault of a bad query; `position` counts characters from 0. */
export const badQuery = (position: number, message: string): Fault => new Fault('QUERY_INVALID', `${message} (at ${position})`, { extra: { position } });

/** Cuts a query into tokens. A `-` is a sign where a filter may begin, and part of a word inside of one. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const c = query[at] as string;
    if (/\s/.test(c)) at++;
    else if (c === '#') at = endOfLine(query, at);
    else if (c === '"' || c === "'" || c === '`') {
      const token = quoted(query, at);
      tokens.push(token);
      at = token.end;
    } else if (c !== '-' && WORD.test(charAt(query, at))) {
      const end = endOfWord(query, at);
      tokens.push({ kind: 'word', text: query.slice(at, end), at, end });
      at = end;
    } else {
      const sign = SIGNS.find((s) => query.startsWith(s, at));
      if (sign === undefined) throw badQuery(at, `expected a word, a quoted text or a filter; ${JSON.stringify(charAt(query, at))} must stand in quotes`);
      tokens.push({ kind: 'sign', text: sign, at, end: at + sign.length });
      at += sign.length;
    }
  }
  tokens.push({ kind: 'end', text: '', at: query.length, end: query.length });
  return tokens;
}

const charAt = (query: string, at: number): string => String.fromCodePoint(query.codePointAt(at) as number);

function endOfLine(query: string, at: number): number {
  const end = query.indexOf('\n', at);
  return end < 0 ? query.length : end;
}

export function endOfWord(query: string, at: number, colons = false): number {
  let end = at;
  while (end < query.length) {
    const c = charAt(query, end);
    if (!WORD.test(c) && !(colons && c === ':')) break;
    end += c.length;
  }
  return end;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\', '"': '"', "'": "'" };

function quoted(query: string, start: number): Token {
  const quote = query[start] as string;
  let text = '';
  for (let at = start + 1; at < query.length; at++) {
    const c = query[at] as string;
    if (c === quote) return { kind: 'quoted', text, at: start, end: at + 1 };
    if (c !== '\\' || quote === '`') {
      text += c;
      continue;
    }
    const [all, hex2, hex4, hex8, letter] = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/s.exec(query.slice(at + 1)) ?? [];
    const code = hex2 ?? hex4 ?? hex8;
    if (all === undefined) break;
    if (code !== undefined && Number.parseInt(code, 16) <= 0x10ffff) text += String.fromCodePoint(Number.parseInt(code, 16));
    else if (letter !== undefined && Object.hasOwn(ESCAPES, letter)) text += ESCAPES[letter];
    else throw badQuery(at, `unknown escape ${JSON.stringify(`\\${all}`)} in a quoted text; write \\\\ for a backslash`);
    at += all.length;
  }
  throw badQuery(start, `the text that opens with ${quote} is not closed`);
}
