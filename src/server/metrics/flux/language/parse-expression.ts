import type { Expr, ParamNode, Statement } from './ast.ts';
import { compileError, type Span } from './errors.ts';
import type { Token } from './lex.ts';

export interface Cursor {
  /** Expressions open around this one. */
  depth: number;
  peek(ahead?: number): Token;
  next(): Token;
  /** The token after the one that closes this bracket; null: nothing closes it. */
  matching(token: Token): Token | null;
  isSymbol(text: string): boolean;
  isKeyword(text: string): boolean;
  take(text: string): boolean;
  takeKeyword(text: string): boolean;
  /** Throws where another token stands. */
  expect(text: string): Token;
  name(): string;
  block(): Statement[];
  /** A cursor over the tokens of a `${…}`. */
  within(tokens: readonly Token[]): Cursor;
}

/** Expressions within expressions: more would exhaust the stack. */
const DEPTH = 150;
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', '=~', '!~']);
const SUMS = new Set(['+', '-']);
const PRODUCTS = new Set(['*', '/', '%']);
const POWERS = new Set(['^']);

export function expression(cursor: Cursor): Expr {
  if (++cursor.depth > DEPTH) throw compileError(cursor.peek().span, `the program is nested more than ${DEPTH} deep`);
  const found = conditional(cursor);
  cursor.depth--;
  return found;
}

function conditional(cursor: Cursor): Expr {
  const first = cursor.peek();
  if (!cursor.takeKeyword('if')) return or(cursor);
  const test = expression(cursor);
  keyword(cursor, 'then');
  const yes = expression(cursor);
  keyword(cursor, 'else');
  const no = expression(cursor);
  return { kind: 'if', test, yes, no, span: joined(first.span, no.span) };
}

function keyword(cursor: Cursor, word: string): void {
  const token = cursor.peek();
  if (!cursor.takeKeyword(word)) throw compileError(token.span, `expected ${word}, got ${token.text || 'the end'}`);
}

function or(cursor: Cursor): Expr {
  let left = and(cursor);
  while (cursor.takeKeyword('or')) {
    const right = and(cursor);
    left = { kind: 'logical', op: 'or', left, right, span: joined(left.span, right.span) };
  }
  return left;
}

function and(cursor: Cursor): Expr {
  let left = not(cursor);
  while (cursor.takeKeyword('and')) {
    const right = not(cursor);
    left = { kind: 'logical', op: 'and', left, right, span: joined(left.span, right.span) };
  }
  return left;
}

function not(cursor: Cursor): Expr {
  const first = cursor.peek();
  for (const op of ['not', 'exists'] as const) {
    if (!cursor.takeKeyword(op)) continue;
    if (++cursor.depth > DEPTH) throw compileError(first.span, `the program is nested more than ${DEPTH} deep`);
    const of = not(cursor);
    cursor.depth--;
    return { kind: 'unary', op, of, span: joined(first.span, of.span) };
  }
  return binary(cursor, COMPARISONS, (c) =>
    binary(c, SUMS, (d) => binary(d, PRODUCTS, (e) => binary(e, POWERS, piped))),
  );
}

function binary(cursor: Cursor, ops: ReadonlySet<string>, operand: (cursor: Cursor) => Expr): Expr {
  let left = operand(cursor);
  while (cursor.peek().kind === 'symbol' && ops.has(cursor.peek().text)) {
    const op = cursor.next().text;
    const right = operand(cursor);
    left = { kind: 'binary', op, left, right, span: joined(left.span, right.span) };
  }
  return left;
}

function piped(cursor: Cursor): Expr {
  let left = signed(cursor);
  while (cursor.take('|>')) {
    const call = signed(cursor);
    if (call.kind !== 'call' || call.piped !== null) throw compileError(call.span, 'expected a call after |>');
    left = { ...call, piped: left, span: joined(left.span, call.span) };
  }
  return left;
}

function signed(cursor: Cursor): Expr {
  const first = cursor.peek();
  if (first.kind === 'symbol' && (first.text === '-' || first.text === '+')) {
    cursor.next();
    if (++cursor.depth > DEPTH) throw compileError(first.span, `the program is nested more than ${DEPTH} deep`);
    const of = signed(cursor);
    cursor.depth--;
    return { kind: 'unary', op: first.text as '-' | '+', of, span: joined(first.span, of.span) };
  }
  return postfix(cursor);
}

function postfix(cursor: Cursor): Expr {
  let left = primary(cursor);
  for (;;) {
    if (cursor.take('.')) {
      const token = cursor.next();
      if (token.kind !== 'name' && token.kind !== 'keyword')
        throw compileError(token.span, `expected the name of a property after the dot, got ${token.text || 'the end'}`);
      left = { kind: 'member', of: left, name: token.text, span: joined(left.span, token.span) };
    } else if (cursor.take('[')) {
      const at = expression(cursor);
      const end = cursor.expect(']');
      left =
        at.kind === 'string'
          ? { kind: 'member', of: left, name: at.value, span: joined(left.span, end.span) }
          : { kind: 'index', of: left, at, span: joined(left.span, end.span) };
    } else if (cursor.isSymbol('(')) {
      const { args, end } = argumentsOf(cursor);
      left = { kind: 'call', callee: left, args, piped: null, span: joined(left.span, end) };
    } else return left;
  }
}

function argumentsOf(cursor: Cursor): { args: { name: string; value: Expr }[]; end: Span } {
  cursor.expect('(');
  const args: { name: string; value: Expr }[] = [];
  while (!cursor.isSymbol(')')) {
    const token = cursor.next();
    if (token.kind !== 'name' || !(cursor.isSymbol(':') || cursor.isSymbol(',') || cursor.isSymbol(')')))
      throw compileError(token.span, `arguments are named: expected \`name: value\`, got ${token.text || token.kind}`);
    if (args.some(({ name }) => name === token.text))
      throw compileError(token.span, `the argument ${token.text} is given twice`);
    args.push({
      name: token.text,
      value: cursor.take(':') ? expression(cursor) : { kind: 'name', name: token.text, span: token.span },
    });
    if (!cursor.take(',')) break;
  }
  return { args, end: cursor.expect(')').span };
}

function primary(cursor: Cursor): Expr {
  const token = cursor.peek();
  const { span } = token;
  switch (token.kind) {
    case 'int':
    case 'float':
    case 'duration':
    case 'time':
    case 'regex':
      cursor.next();
      return { kind: token.kind, text: token.text, span };
    case 'string':
      cursor.next();
      return token.parts
        ? {
            kind: 'text',
            parts: token.parts.map((part) => (typeof part === 'string' ? part : interpolated(cursor, part))),
            span,
          }
        : { kind: 'string', value: token.text, span };
    case 'name':
      cursor.next();
      return { kind: 'name', name: token.text, span };
    case 'symbol':
      if (token.text === '(') {
        const after = cursor.matching(token);
        if (after?.kind === 'symbol' && after.text === '=>') return lambda(cursor);
        cursor.next();
        const inner = expression(cursor);
        cursor.expect(')');
        return inner;
      }
      if (token.text === '[') return array(cursor);
      if (token.text === '{') return record(cursor);
      break;
    default:
  }
  throw compileError(
    span,
    token.kind === 'end' ? 'the program ends where a value is expected' : `expected a value, got ${token.text}`,
  );
}

function interpolated(cursor: Cursor, tokens: readonly Token[]): Expr {
  const inner = cursor.within(tokens);
  const value = expression(inner);
  if (inner.peek().kind !== 'end')
    throw compileError(inner.peek().span, `unexpected ${inner.peek().text} within \${…}`);
  return value;
}

function array(cursor: Cursor): Expr {
  const opened = cursor.expect('[');
  const items: Expr[] = [];
  while (!cursor.isSymbol(']')) {
    items.push(expression(cursor));
    if (!cursor.take(',')) break;
  }
  return { kind: 'array', items, span: joined(opened.span, cursor.expect(']').span) };
}

function record(cursor: Cursor): Expr {
  const opened = cursor.expect('{');
  let base: Expr | null = null;
  if (cursor.peek().kind === 'name' && cursor.peek(1).kind === 'name' && cursor.peek(1).text === 'with') {
    const token = cursor.next();
    base = { kind: 'name', name: token.text, span: token.span };
    cursor.next();
  }
  const entries: { key: string; value: Expr }[] = [];
  while (!cursor.isSymbol('}')) {
    const token = cursor.next();
    if ((token.kind !== 'name' && token.kind !== 'string') || token.parts)
      throw compileError(token.span, `expected the name of a property, got ${token.text || 'the end'}`);
    const shorthand = token.kind === 'name' && !cursor.isSymbol(':');
    if (!shorthand) cursor.expect(':');
    entries.push({
      key: token.text,
      value: shorthand ? { kind: 'name', name: token.text, span: token.span } : expression(cursor),
    });
    if (!cursor.take(',')) break;
  }
  return { kind: 'record', with: base, entries, span: joined(opened.span, cursor.expect('}').span) };
}

function lambda(cursor: Cursor): Expr {
  const opened = cursor.expect('(');
  const params: ParamNode[] = [];
  while (!cursor.isSymbol(')')) {
    const { span } = cursor.peek();
    const name = cursor.name();
    if (params.some((one) => one.name === name)) throw compileError(span, `the parameter ${name} is declared twice`);
    const pipe = cursor.isSymbol('=') && cursor.peek(1).text === '<-' && cursor.peek(1).kind === 'symbol';
    if (pipe && params.some((one) => one.pipe)) throw compileError(span, 'a function has at most one piped parameter');
    if (pipe) cursor.next();
    if (pipe) cursor.next();
    params.push({ name, pipe, fallback: !pipe && cursor.take('=') ? expression(cursor) : null, span });
    if (!cursor.take(',')) break;
  }
  cursor.expect(')');
  cursor.expect('=>');
  const body = cursor.isSymbol('{') ? cursor.block() : expression(cursor);
  const last = Array.isArray(body) ? body.at(-1) : body;
  return { kind: 'function', params, body, span: joined(opened.span, last?.span ?? opened.span) };
}

const joined = (from: Span, to: Span): Span => ({
  line: from.line,
  column: from.column,
  endLine: to.endLine,
  endColumn: to.endColumn,
});
