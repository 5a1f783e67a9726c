import { itemAt } from '../../../../lib/item-at.ts';
import { compileError, type Span } from './errors.ts';

export interface Token {
  readonly kind: 'name' | 'keyword' | 'int' | 'float' | 'duration' | 'time' | 'string' | 'regex' | 'symbol' | 'end';
  readonly text: string;
  readonly span: Span;
  /** Of a string with `${…}`: texts and the tokens between. */
  readonly parts?: readonly (string | readonly Token[])[];
  /** Of `(`: the index of its `)`. */
  match?: number;
}

const KEYWORDS = new Set([
  'and',
  'or',
  'not',
  'exists',
  'if',
  'then',
  'else',
  'import',
  'package',
  'option',
  'return',
  'builtin',
  'testcase',
]);
const SPACE = /(?:\s|\/\/[^\n]*)+/y;
const NAME = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const TIME = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?/y;
const DURATION = /(?:\d+(?:y|mo|w|d|h|ms|m|s|us|µs|ns))+/y;
const FLOAT = /\d+\.\d*|\.\d+/y;
const INT = /\d+/y;
const SYMBOL = /\|>|<-|=>|==|!=|=~|!~|<=|>=|[<>+\-*/%^=()[\]{},:.]/y;
const REGEX = /\/((?:[^/\\\n]|\\.)+)\//y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };
/** Strings within `${…}` within strings. */
const NESTED = 20;

/** The tokens of a program, the last is `end`. Throws FLUX_INVALID. */
export function lex(text: string): Token[] {
  const starts = lineStarts(text);
  return scan(text, 0, starts, 0).tokens;
}

/** Scans to the end of the text, or, inside a string, to the brace that closes the expression. */
function scan(text: string, from: number, starts: readonly number[], depth: number): { tokens: Token[]; end: number } {
  if (depth > NESTED) throw compileError(spanOf(starts, from, from + 1), `strings are nested more than ${NESTED} deep`);
  const tokens: Token[] = [];
  const open: { index: number; text: string }[] = [];
  let at = from;
  const push = (kind: Token['kind'], end: number, value = text.slice(at, end), parts?: Token['parts']) => {
    tokens.push({ kind, text: value, span: spanOf(starts, at, end), ...(parts ? { parts } : {}) });
    at = end;
  };
  for (;;) {
    at = match(SPACE, text, at) ?? at;
    if (at >= text.length) {
      if (depth > 0) throw compileError(spanOf(starts, from, at), 'the string ends within ${…}');
      push('end', at);
      return { tokens, end: at };
    }
    const c = text.charAt(at);
    if (c === '"') {
      const { parts, end } = scanString(text, at, starts, depth);
      const only = parts.length === 1 ? parts[0] : undefined;
      if (typeof only === 'string') push('string', end, only);
      else push('string', end, '', parts);
      continue;
    }
    const name = match(NAME, text, at);
    if (name !== null) {
      push(KEYWORDS.has(text.slice(at, name)) ? 'keyword' : 'name', name);
      continue;
    }
    const number = numberAt(text, at);
    if (number) {
      push(number.kind, number.end);
      continue;
    }
    if (c === '/' && !endsOperand(tokens.at(-1))) {
      const end = match(REGEX, text, at);
      if (end === null) throw compileError(spanOf(starts, at, at + 1), 'a regular expression has no closing /');
      push('regex', end, text.slice(at + 1, end - 1));
      continue;
    }
    const symbolEnd = match(SYMBOL, text, at);
    if (symbolEnd === null)
      throw compileError(
        spanOf(starts, at, at + 1),
        `unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`,
      );
    const symbol = text.slice(at, symbolEnd);
    if (symbol === '}' && depth > 0 && open.length === 0) {
      push('end', at, '');
      return { tokens, end: at };
    }
    if ('([{'.includes(symbol)) open.push({ index: tokens.length, text: symbol });
    if (')]}'.includes(symbol)) {
      const opened = open.pop();
      if (opened?.text === '(' && symbol === ')') itemAt(tokens, opened.index).match = tokens.length;
    }
    push('symbol', symbolEnd);
  }
}

function numberAt(text: string, at: number): { kind: 'time' | 'duration' | 'float' | 'int'; end: number } | null {
  for (const [kind, pattern] of [
    ['time', TIME],
    ['duration', DURATION],
    ['float', FLOAT],
    ['int', INT],
  ] as const) {
    const end = match(pattern, text, at);
    if (end !== null) return { kind, end };
  }
  return null;
}

function scanString(
  text: string,
  from: number,
  starts: readonly number[],
  depth: number,
): { parts: (string | readonly Token[])[]; end: number } {
  const parts: (string | readonly Token[])[] = [];
  let value = '';
  let at = from + 1;
  for (;;) {
    const c = text[at];
    if (c === undefined) throw compileError(spanOf(starts, from, at), 'a string has no closing "');
    if (c === '"') break;
    if (c === '\\') {
      const next = text[at + 1] ?? '';
      const hex = next === 'x' ? /^[0-9a-fA-F]{2}/.exec(text.slice(at + 2, at + 4)) : null;
      if (hex) {
        // Bytes above 7F stand for themselves as code points: strings are texts here.
        value += String.fromCharCode(Number.parseInt(hex[0], 16));
        at += 4;
        continue;
      }
      const plain = ESCAPES[next];
      if (plain === undefined)
        throw compileError(
          spanOf(starts, at, at + 2),
          `invalid escape \\${next} in a string; known are \\n \\r \\t \\" \\\\ \\\${ \\xHH`,
        );
      value += plain;
      at += 2;
    } else if (c === '$' && text[at + 1] === '{') {
      if (value !== '') parts.push(value);
      value = '';
      const inner = scan(text, at + 2, starts, depth + 1);
      parts.push(inner.tokens);
      at = inner.end + 1;
    } else {
      value += c;
      at++;
    }
  }
  if (value !== '' || parts.length === 0) parts.push(value);
  return { parts, end: at + 1 };
}

/** After an operand a slash divides; elsewhere it begins a regular expression. */
function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'symbol') return token.text === ')' || token.text === ']' || token.text === '}';
  return token.kind !== 'keyword';
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}

function spanOf(starts: readonly number[], from: number, to: number): Span {
  const [line, column] = placeOf(starts, from);
  const [endLine, endColumn] = placeOf(starts, to);
  return { line, column, endLine, endColumn };
}

function placeOf(starts: readonly number[], at: number): [number, number] {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return [low + 1, at - (starts[low] ?? 0) + 1];
}
