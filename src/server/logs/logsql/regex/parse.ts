import { itemAt } from '../../../../lib/item-at.ts';
/** A regular expression of the plain kind that two engines understand alike. */
export type Node =
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'set' | 'edge'; readonly source: string }
  | { readonly kind: 'cat' | 'alt'; readonly parts: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly part: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

export interface PlainRegex {
  readonly node: Node;
  /** Letters of either case are the same. */
  readonly fold: boolean;
}

const SETS: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' };
const CONTROLS = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }));
const DEPTH = 50;
/** What is not of the plain kind. */
const OTHER = Symbol('other');

/**
 * Reads an expression of RE2's syntax as far as JavaScript's engine can be told the same. Null where it has anything
 * else (classes by name, flags within, odd escapes) or is wrong: then RE2 itself decides.
 */
export function parsePlain(pattern: string): PlainRegex | null {
  const flags = /^\(\?([is]+)\)/.exec(pattern);
  const fold = flags?.[1]?.includes('i') === true;
  const reader = new Reader(pattern, flags?.[0].length ?? 0, fold);
  try {
    return { node: reader.alternatives(0), fold };
  } catch (error) {
    if (error === OTHER) return null;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  readonly #fold: boolean;
  #at: number;
  constructor(text: string, at: number, fold: boolean) {
    this.#text = text;
    this.#at = at;
    this.#fold = fold;
  }

  alternatives(depth: number): Node {
    if (depth > DEPTH) this.#other();
    const parts: Node[] = [];
    do parts.push(this.#sequence(depth));
    while (this.#take('|'));
    if (this.#at < this.#text.length && (depth === 0 || this.#text[this.#at] !== ')')) this.#other();
    return parts.length === 1 ? itemAt(parts, 0) : { kind: 'alt', parts };
  }

  #sequence(depth: number): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text.charAt(this.#at)))
      parts.push(this.#repeated(this.#atom(depth)));
    return parts.length === 1 ? itemAt(parts, 0) : { kind: 'cat', parts };
  }

  #repeated(part: Node): Node {
    const match = /^(?:[*+?]|\{(\d{1,3})(,(\d{0,3}))?\})/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (match === null) return part;
    if (part.kind === 'edge') this.#other();
    const [all, low, comma, high] = match;
    this.#at += all.length;
    const min = low === undefined ? (all === '+' ? 1 : 0) : Number(low);
    const max =
      low === undefined
        ? all === '?'
          ? 1
          : Number.POSITIVE_INFINITY
        : comma === undefined
          ? min
          : high
            ? Number(high)
            : Number.POSITIVE_INFINITY;
    const lazy = this.#take('?');
    if (min > max || /^[*+?{]/.test(this.#text.slice(this.#at))) this.#other();
    return { kind: 'repeat', part, min, max, lazy };
  }

  #atom(depth: number): Node {
    const c = this.#char();
    switch (c) {
      case '(':
        return this.#group(depth);
      case '[':
        return this.#set();
      case '.':
        return { kind: 'set', source: '[^]' };
      case '^':
      case '$':
        return { kind: 'edge', source: c };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        return this.#other();
      default:
        return { kind: 'char', text: c };
    }
  }

  #group(depth: number): Node {
    if (this.#take('?') && !this.#take(':')) {
      const name = /^P?<[A-Za-z_]\w*>/.exec(this.#text.slice(this.#at));
      if (name === null) this.#other();
      else this.#at += name[0].length;
    }
    const inner = this.alternatives(depth + 1);
    if (!this.#take(')')) this.#other();
    return { kind: 'cat', parts: [inner] };
  }

  #escape(): Node {
    const c = this.#char();
    if (c === 'b' || c === 'B') return this.#fold ? this.#other() : { kind: 'edge', source: `\\${c}` };
    const set = SETS[c.toLowerCase()];
    if (set !== undefined && /[dwsDWS]/.test(c)) {
      if (this.#fold && /w/i.test(c)) this.#other();
      return { kind: 'set', source: c === c.toLowerCase() ? `[${set}]` : `[^${set}]` };
    }
    return { kind: 'char', text: this.#escaped(c) };
  }

  #escaped(c: string): string {
    const control = CONTROLS.get(c);
    if (control !== undefined) return control;
    if (c === 'x') {
      const match = /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,5})\})/.exec(this.#text.slice(this.#at));
      if (match === null) return this.#other();
      this.#at += match[0].length;
      return String.fromCodePoint(Number.parseInt(match[1] ?? match[2] ?? '', 16));
    }
    return /^[!-/:-@[-`{-~]$/.test(c) ? c : this.#other();
  }

  #set(): Node {
    const negated = this.#take('^');
    if (negated && this.#fold) this.#other();
    let source = '';
    let first = true;
    for (; first || !this.#take(']'); first = false) {
      const low = this.#setChar();
      if (low.length > 1 && low.startsWith('\0')) {
        source += low.slice(1);
        continue;
      }
      if (this.#text[this.#at] !== '-' || this.#text[this.#at + 1] === ']') {
        source += escaped(low);
        continue;
      }
      this.#at++;
      const high = this.#setChar();
      if (high.startsWith('\0') || (high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0)) this.#other();
      source += `${escaped(low)}-${escaped(high)}`;
    }
    return { kind: 'set', source: `[${negated ? '^' : ''}${source}]` };
  }

  /** A character of a class; with a NUL before it, the inside of a named set such as `\d`. */
  #setChar(): string {
    const c = this.#char();
    if (c === '[' && this.#text[this.#at] === ':') this.#other();
    if (c !== '\\') return c === '\0' ? this.#other() : c;
    const e = this.#char();
    const set = SETS[e];
    if (set !== undefined) return this.#fold && e === 'w' ? this.#other() : `\0${set}`;
    const text = this.#escaped(e);
    return text === '\0' ? this.#other() : text;
  }

  #char(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined || (code >= 0xd800 && code <= 0xdfff)) return this.#other();
    const c = String.fromCodePoint(code);
    this.#at += c.length;
    return c;
  }

  #take(c: string): boolean {
    if (this.#text[this.#at] !== c) return false;
    this.#at++;
    return true;
  }

  #other(): never {
    // oxlint-disable-next-line typescript/only-throw-error -- it never leaves this file
    throw OTHER;
  }
}

const escaped = (text: string): string => `\\u{${(text.codePointAt(0) ?? 0).toString(16)}}`;

/** The same for JavaScript's engine, with the flags `su`. */
export function sourceOf(node: Node): string {
  switch (node.kind) {
    case 'char':
      return escaped(node.text);
    case 'set':
    case 'edge':
      return node.source;
    case 'cat':
      return node.parts.map((part) => (part.kind === 'alt' ? `(?:${sourceOf(part)})` : sourceOf(part))).join('');
    case 'alt':
      return node.parts.map(sourceOf).join('|');
    case 'repeat': {
      const inner =
        node.part.kind === 'char' || node.part.kind === 'set' ? sourceOf(node.part) : `(?:${sourceOf(node.part)})`;
      return `${inner}{${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}${node.lazy ? '?' : ''}`;
    }
  }
}
