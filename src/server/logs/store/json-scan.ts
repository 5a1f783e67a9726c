/** A text that is no JSON. */
export class BadJson extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Walks JSON in a byte string, without making values of it: tokens stay as they were sent. */
export interface JsonScan {
  /** Where the walk stands. */
  at: number;
  /** Looks at `text` from `from` up to `end`. */
  over(text: string, from: number, end: number): void;
  /** The next character that is no white space, NaN at the end; does not pass it. */
  peek(): number;
  /** Passes a string, whose opening quote is next, and gives its characters. */
  string(): string;
  /** Passes a number, `true`, `false` or `null` and gives it as it stands. */
  token(): string;
  /** Passes an array or object and gives it without the white space between its tokens. */
  compact(): string;
}

/** `decoded`: what becomes of a string in which escapes stood. */
export function createJsonScan(decoded: (bytes: string) => string): JsonScan {
  let text = '';
  let at = 0;
  let end = 0;
  /** The next backslash at or behind `at`, or further on than any text. */
  let escape = -1;

  function peek(): number {
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > SPACE || (code !== SPACE && code !== 0x09 && code !== 0x0d && code !== 0x0a)) return code;
    }
    return Number.NaN;
  }

  /** Where the string ends whose opening quote is at `at`. */
  function closing(): number {
    let quote = text.indexOf('"', at + 1);
    if (escape <= at) {
      escape = text.indexOf('\\', at);
      if (escape < 0) escape = Infinity;
    }
    if (quote > escape) {
      for (;;) {
        let before = quote - 1;
        while (before > at && text.charCodeAt(before) === BACKSLASH) before--;
        if (((quote - 1 - before) & 1) === 0) break;
        quote = text.indexOf('"', quote + 1);
        if (quote < 0) break;
      }
    }
    if (quote < 0 || quote >= end) throw new BadJson('a string has no end');
    return quote;
  }

  return {
    get at() {
      return at;
    },
    set at(value) {
      at = value;
    },
    over(given, from, to) {
      if (given !== text) escape = -1;
      text = given;
      at = from;
      end = to;
      if (escape < from) escape = -1;
    },
    peek,
    string() {
      const quote = closing();
      const bytes = text.slice(at + 1, quote);
      const plain = escape > quote;
      at = quote + 1;
      return plain ? bytes : decoded(unescaped(bytes));
    },
    token() {
      const from = at;
      let digits = true;
      for (; at < end; at++) {
        const code = text.charCodeAt(at);
        if (code >= 0x30 && code <= 0x39) continue;
        // , } ] and white space
        if (code === 0x2c || code === 0x7d || code === 0x5d || code <= SPACE) break;
        digits = false;
      }
      const token = text.slice(from, at);
      if (digits && token.length > 0 && (token.charCodeAt(0) !== 0x30 || token.length === 1)) return token;
      if (token === 'true' || token === 'false' || token === 'null' || NUMBER.test(token)) return token;
      throw new BadJson('a value is none');
    },
    compact() {
      let parts = '';
      let from = at;
      let depth = 0;
      do {
        if (at >= end) throw new BadJson('a value has no end');
        const code = text.charCodeAt(at);
        if (code === QUOTE) at = closing();
        else if (code === 0x5b || code === 0x7b) depth++;
        else if (code === 0x5d || code === 0x7d) depth--;
        else if (code <= SPACE) {
          parts += text.slice(from, at);
          from = at + 1;
        }
        at++;
      } while (depth > 0);
      const whole = parts + text.slice(from, at);
      try {
        JSON.parse(whole);
      } catch {
        throw new BadJson('a value is none');
      }
      return whole;
    },
  };
}

const SIMPLE: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A byte string with its escapes put in. */
function unescaped(bytes: string): string {
  const coded = bytes.includes('\\u');
  const text = coded ? Buffer.from(bytes, 'latin1').toString() : bytes;
  const whole = text.replace(/\\(u[0-9a-fA-F]{4}|[^])/g, (_, what: string) => {
    const simple = SIMPLE[what] ?? (what.length === 5 ? String.fromCharCode(Number.parseInt(what.slice(1), 16)) : undefined);
    if (simple === undefined) throw new BadJson('an escape is none');
    return simple;
  });
  return coded ? Buffer.from(whole, 'utf8').toString('latin1') : whole;
}
