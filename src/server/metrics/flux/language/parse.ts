import { itemAt } from '../../../../lib/item-at.ts';
import type { Expr, Program, Statement } from './ast.ts';
import { compileError, type Span } from './errors.ts';
import { lex, type Token } from './lex.ts';
import { expression, type Cursor } from './parse-expression.ts';

/** Reads a program. Throws FLUX_INVALID with the place of the fault. */
export function parse(text: string): Program {
  const cursor = cursorOver(lex(text), block);
  const imports: Program['imports'][number][] = [];
  if (cursor.takeKeyword('package')) cursor.name();
  while (cursor.isKeyword('import')) {
    const first = cursor.next();
    const alias = cursor.peek().kind === 'name' ? cursor.next().text : null;
    const path = cursor.next();
    if (path.kind !== 'string' || path.parts)
      throw compileError(path.span, 'expected the path of a package in quotes after import');
    imports.push({
      path: path.text,
      name: alias ?? path.text.split('/').at(-1) ?? '',
      span: spanning(first.span, path.span),
    });
  }
  const body: Statement[] = [];
  while (cursor.peek().kind !== 'end') body.push(statement(cursor, false));
  return { imports, body };
}

function block(cursor: Cursor): Statement[] {
  const opened = cursor.expect('{');
  const body: Statement[] = [];
  while (!cursor.isSymbol('}')) {
    if (cursor.peek().kind === 'end') throw compileError(opened.span, 'a function body has no closing }');
    body.push(statement(cursor, true));
  }
  cursor.expect('}');
  const last = body.at(-1);
  if (last?.kind !== 'return')
    throw compileError(opened.span, 'a function body in braces must end with a return statement');
  if (body.some((one) => one.kind === 'return' && one !== last))
    throw compileError(opened.span, 'only the last statement of a function may return');
  return body;
}

function statement(cursor: Cursor, inFunction: boolean): Statement {
  const first = cursor.peek();
  if (inFunction && cursor.takeKeyword('return')) {
    const value = expression(cursor);
    return { kind: 'return', value, span: spanning(first.span, value.span) };
  }
  const option = !inFunction && cursor.takeKeyword('option');
  if (cursor.peek().kind === 'name') {
    const after = cursor.peek(1);
    const dotted =
      option &&
      after.text === '.' &&
      cursor.peek(2).kind === 'name' &&
      cursor.peek(3).text === '=' &&
      cursor.peek(3).kind === 'symbol';
    if (dotted || (after.kind === 'symbol' && after.text === '=')) {
      const name = cursor.next().text;
      const member = dotted ? (cursor.expect('.'), cursor.name()) : null;
      cursor.expect('=');
      const value = expression(cursor);
      return { kind: 'assign', name, value, option, member, span: spanning(first.span, value.span) };
    }
  }
  if (option) throw compileError(first.span, 'expected `option name = value`');
  const value: Expr = expression(cursor);
  return { kind: 'expression', value, span: value.span };
}

function cursorOver(tokens: readonly Token[], readBlock: (cursor: Cursor) => Statement[]): Cursor {
  let at = 0;
  const end = itemAt(tokens, tokens.length - 1);
  const cursor: Cursor = {
    depth: 0,
    peek: (ahead = 0) => tokens[at + ahead] ?? end,
    next() {
      const token = cursor.peek();
      if (at < tokens.length) at++;
      return token;
    },
    matching: (token) => (token.match === undefined ? null : (tokens[token.match + 1] ?? end)),
    isSymbol: (text) => cursor.peek().kind === 'symbol' && cursor.peek().text === text,
    isKeyword: (text) => cursor.peek().kind === 'keyword' && cursor.peek().text === text,
    take: (text) => cursor.isSymbol(text) && (at++, true),
    takeKeyword: (text) => cursor.isKeyword(text) && (at++, true),
    expect(text) {
      const token = cursor.next();
      if (token.kind !== 'symbol' || token.text !== text)
        throw compileError(token.span, `expected ${text}, got ${shown(token)}`);
      return token;
    },
    name() {
      const token = cursor.next();
      if (token.kind !== 'name') throw compileError(token.span, `expected a name, got ${shown(token)}`);
      return token.text;
    },
    block: () => readBlock(cursor),
    within(inner) {
      const sub = cursorOver(inner, readBlock);
      sub.depth = cursor.depth;
      return sub;
    },
  };
  return cursor;
}

const shown = (token: Token): string =>
  token.kind === 'end' ? 'the end' : token.kind === 'string' ? 'a string' : token.text;

const spanning = (from: Span, to: Span): Span => ({
  line: from.line,
  column: from.column,
  endLine: to.endLine,
  endColumn: to.endColumn,
});
