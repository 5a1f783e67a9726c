// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

/** A text that is no JSON. */
export class BadJson extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const POINT = 0x2e;
const PRIME = 0x01000193;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What was passed last: bytes from `start` to `end` of `bytes`, and their hash. */
export interface Piece {
  bytes: Buffer;
  start: number;
  end: number;
  /** Unsigned. */
  hash: number;
}

/** Walks JSON in bytes, without making values of it: tokens stay as they were sent. */
export interface JsonScan {
  readonly piece: Piece;
  /** Where the walk stands. */
  at(): number;
  to(place: number): void;
  /** Looks at `bytes` from `from` up to `end`. */
  over(bytes: Buffer, from: number, end: number): void;
  /** The next byte that is no white space, -1 at the end; does not pass it. */
  peek(): number;
  /** Passes these bytes, if they are next. */
  pass(token: Uint8Array): boolean;
  /** Passes a string, whose opening quote is next; `piece` is its characters, hashed from `seed`. */
  string(seed: number): void;
  /** Passes a string as `string` does, and makes no hash of it, which is most of the work. */
  unhashed(): void;
  /** Passes a number, `true`, `false` or `null`; `piece` is it as it stands. */
  token(seed: number): void;
  /** Passes an array or object; `piece` is it without the white space between its tokens. */
  compact(seed: number): void;
}

/** `decoded`: what becomes of a string (as UTF-8) in which escapes stood. */
export function createJsonScan(decoded: (bytes: Buffer) => Buffer): JsonScan {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  let end = 0;
  /** Where the next backslash is from where one was last looked for, in all of `bytes`. */
  let escape = -1;
  const piece: Piece = { bytes, start: 0, end: 0, hash: 0 };

  function peek(): number {
    for (; at < end; at++) {
      const code = bytes[at] as number;
      if (code > SPACE || (code !== SPACE && code !== 0x09 && code !== 0x0d && code !== 0x0a)) return code;
    }
    return -1;
  }
  function give(from: Buffer, start: number, stop: number, hash: number): void {
    piece.bytes = from;
    piece.start = start;
    piece.end = stop;
    piece.hash = hash >>> 0;
  }
  function giveOther(other: Buffer, seed: number): void {
    let hash = seed;
    for (let i = 0; i < other.length; i++) hash = Math.imul(hash ^ (other[i] as number), PRIME);
    give(other, 0, other.length, hash);
  }
  /** The place of the quote that ends a string with escapes. */
  function closing(from: number): number {
    for (let i = from; i < end; i++) {
      const code = bytes[i] as number;
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) return i;
    }
    throw new BadJson('a string is not closed');
  }
  /** A string from `start` on, with its first escape at `from`. */
  function withEscapes(start: number, from: number, seed: number): void {
    const stop = closing(from);
    at = stop + 1;
    giveOther(decoded(unescaped(bytes.subarray(start, stop))), seed);
  }

  return {
    piece,
    at: () => at,
    to: (place) => void (at = place),
    over(given, from, stop) {
      if (bytes !== given) escape = -1;
      bytes = given;
      at = from;
      end = stop;
    },
    peek,
    pass(token) {
      const { length } = token;
      if (at + length > end) return false;
      for (let i = 0; i < length; i++) if (bytes[at + i] !== token[i]) return false;
      at += length;
      return true;
    },
    string(seed) {
      const start = at + 1;
      let hash = seed;
      for (let i = start; i < end; i++) {
        const code = bytes[i] as number;
        if (code === QUOTE) {
          at = i + 1;
          return give(bytes, start, i, hash);
        }
        if (code === BACKSLASH) return withEscapes(start, i, seed);
        hash = Math.imul(hash ^ code, PRIME);
      }
      throw new BadJson('a string is not closed');
    },
    unhashed() {
      const start = at + 1;
      if (escape < start) {
        const next = bytes.indexOf(BACKSLASH, start);
        escape = next < 0 ? Infinity : next;
      }
      const quote = bytes.indexOf(QUOTE, start);
      if (escape < end && (quote < 0 || escape < quote)) return withEscapes(start, escape, 0);
      if (quote < 0 || quote >= end) throw new BadJson('a string is not closed');
      at = quote + 1;
      give(bytes, start, quote, 0);
    },
    token(seed) {
      const start = at;
      let hash = seed;
      let others = 0;
      let points = 0;
      for (; at < end; at++) {
        const code = bytes[at] as number;
        if (code < 0x30 || code > 0x39) {
          // , } ] and white space
          if (code === 0x2c || code === 0x7d || code === 0x5d || code <= SPACE) break;
          if (code === POINT) points++;
          else others++;
        }
        hash = Math.imul(hash ^ code, PRIME);
      }
      give(bytes, start, at, hash);
      // The usual ones: digits, at most one point between them, no zero in front.
      const first = bytes[start] as number;
      if (others === 0 && points <= 1 && at > start && first > 0x30 && first <= 0x39 && bytes[at - 1] !== POINT) return;
      const token = bytes.toString('latin1', start, at);
      if (token !== 'true' && token !== 'false' && token !== 'null' && !NUMBER.test(token))
        throw new BadJson('a value is not valid JSON');
    },
    compact(seed) {
      const parts: Buffer[] = [];
      const start = at;
      let from = at;
      let depth = 0;
      do {
        if (at >= end) throw new BadJson('a value is incomplete');
        const code = bytes[at] as number;
        if (code === QUOTE) at = closing(at + 1);
        else if (code === 0x5b || code === 0x7b) depth++;
        else if (code === 0x5d || code === 0x7d) depth--;
        else if (code <= SPACE) {
          parts.push(bytes.subarray(from, at));
          from = at + 1;
        }
        at++;
      } while (depth > 0);
      try {
        JSON.parse(bytes.toString('latin1', start, at));
      } catch {
        throw new BadJson('a value is not valid JSON');
      }
      giveOther(
        parts.length === 0 ? bytes.subarray(start, at) : Buffer.concat([...parts, bytes.subarray(from, at)]),
        seed,
      );
    },
  };
}

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** A string's characters with its escapes put in. */
function unescaped(bytes: Buffer): Buffer {
  const coded = bytes.includes('\\u');
  const whole = bytes
    .toString(coded ? 'utf8' : 'latin1')
    .replace(/\\(u[0-9a-fA-F]{4}|[^])/g, (_: string, what: string) => {
      const simple =
        SIMPLE[what] ?? (what.length === 5 ? String.fromCharCode(Number.parseInt(what.slice(1), 16)) : undefined);
      if (simple === undefined) throw new BadJson('an escape sequence is not valid');
      return simple;
    });
  return Buffer.from(whole, coded ? 'utf8' : 'latin1');
}
