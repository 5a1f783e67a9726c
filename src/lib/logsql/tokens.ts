import { Fault } from '../fault.ts';

/** A piece of a query. `glued`: nothing stands between it and the piece before. Positions count UTF-16 units from 0. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly glued: boolean;
}

const SIGNS = ['!=', '!~', '>=', '<=', '=~'];
const SINGLE = new Set('()[]{}<>,:;=~!*|-+/%^&');
const WORD = /[\p{L}\p{M}\p{N}_.$µ]+/uy;

/** The fault of a bad query; `position` counts UTF-16 units from 0. */
export const badQuery = (position: number, message: string): Fault =>
  new Fault('QUERY_INVALID', `${message} (at ${position})`, { extra: { position } });

/** Cuts a query into words (letters, digits, `_ . $`), quoted texts and signs. Comments run from `#` to the end of the line. */
export const tokensOf = (query: string): Token[] => cut(query, (_at, error) => throwing(error));

/** The same of every text, also one that is half typed: what cannot be read is a sign, or a quoted text up to where it ends. */
export const looseTokensOf = (query: string): Token[] => cut(query, (at) => unreadableAt(query, at));

function throwing(error: unknown): never {
  throw error;
}

function cut(query: string, onFault: (at: number, error: unknown) => Omit<Token, 'glued'>): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let glued = false;
  while (at < query.length) {
    const c = query.charAt(at);
    if (/\s/.test(c)) {
      at++;
      glued = false;
      continue;
    }
    if (c === '#') {
      const end = query.indexOf('\n', at);
      at = end < 0 ? query.length : end;
      glued = false;
      continue;
    }
    let token: Token;
    try {
      token =
        c === '"' || c === "'" || c === '`'
          ? quoted(query, at, glued)
          : (wordAt(query, at, glued) ?? signAt(query, at, glued));
    } catch (error) {
      token = { ...onFault(at, error), glued };
    }
    tokens.push(token);
    at = token.end;
    glued = true;
  }
  tokens.push({ kind: 'end', text: '', at: query.length, end: query.length, glued: false });
  return tokens;
}

const QUOTED = /(["'])(?:\\.|(?!\1)[^\\])*(?:\1|\\?$)|`[^`]*`?/suy;

function unreadableAt(query: string, at: number): Omit<Token, 'glued'> {
  QUOTED.lastIndex = at;
  const text = QUOTED.exec(query)?.[0];
  if (text !== undefined) return { kind: 'quoted', text: text.slice(1), at, end: at + text.length };
  const sign = String.fromCodePoint(query.codePointAt(at) ?? 0);
  return { kind: 'sign', text: sign, at, end: at + sign.length };
}

function wordAt(query: string, at: number, glued: boolean): Token | null {
  WORD.lastIndex = at;
  const text = WORD.exec(query)?.[0];
  return text === undefined ? null : { kind: 'word', text, at, end: at + text.length, glued };
}

function signAt(query: string, at: number, glued: boolean): Token {
  const text = SIGNS.find((sign) => query.startsWith(sign, at)) ?? query.charAt(at);
  if (text.length === 1 && !SINGLE.has(text)) {
    throw badQuery(
      at,
      `expected a word, a quoted string or a filter; ${JSON.stringify(String.fromCodePoint(query.codePointAt(at) ?? 0))} must be in quotes`,
    );
  }
  return { kind: 'sign', text, at, end: at + text.length, glued };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of UTF-8 as they were escaped one by one; what is no UTF-8 becomes U+FFFD, as it does in a stored value. */
const textOfBytes = (bytes: readonly number[]): string => decoder.decode(Uint8Array.from(bytes));

function quoted(query: string, start: number, glued: boolean): Token {
  const quote = query.charAt(start);
  let text = '';
  // As in Go, `\xNN` and octal are bytes between double quotes, characters between single ones.
  const bytes: number[] = [];
  const flush = () => {
    if (bytes.length > 0) text += textOfBytes(bytes.splice(0));
  };
  for (let at = start + 1; at < query.length; at++) {
    const c = query.charAt(at);
    if (c === quote) {
      flush();
      return { kind: 'quoted', text, at: start, end: at + 1, glued };
    }
    if (c !== '\\' || quote === '`') {
      flush();
      text += c;
      continue;
    }
    const [all, hex2, hex4, hex8, octal, letter] =
      /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/s.exec(
        query.slice(at + 1, at + 10),
      ) ?? [];
    if (all === undefined) break;
    const hex = hex2 ?? hex4 ?? hex8;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : null;
    const byte = code !== null && quote === '"' && (hex2 ?? octal) !== undefined;
    if (byte) bytes.push(code);
    else flush();
    if (byte) {
      // Written with the bytes next to it.
    } else if (code !== null && code <= 0x10ffff) text += String.fromCodePoint(code);
    else if (letter !== undefined && Object.hasOwn(ESCAPES, letter)) text += ESCAPES[letter];
    else
      throw badQuery(at, `unknown escape ${JSON.stringify(`\\${all}`)} in a quoted string; write \\\\ for a backslash`);
    at += all.length;
  }
  throw badQuery(start, `the string that starts with ${quote} is not closed`);
}
