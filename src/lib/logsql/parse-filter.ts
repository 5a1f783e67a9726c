import { itemAt } from '../item-at.ts';
import type { Filter, Query, Test } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseFunction } from './parse-function.ts';
import { parseStream } from './parse-stream.ts';
import { parseTime } from './parse-time.ts';
import { badQuery } from './tokens.ts';

export type QueryAt = (cursor: Cursor) => Query;
const joinOf = (kind: 'and' | 'or', parts: Filter[]): Filter =>
  parts.length === 1
    ? itemAt(parts, 0)
    : { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };

/** `or` binds least, then `and` (or nothing between), then `not`. `field`: whose value a bare word means. */
export function parseFilter(cursor: Cursor, queryAt: QueryAt, field = '_msg'): Filter {
  const parts = [andAt(cursor, queryAt, field)];
  while (cursor.word('or')) parts.push(andAt(cursor, queryAt, field));
  return joinOf('or', parts);
}

function andAt(cursor: Cursor, queryAt: QueryAt, field: string): Filter {
  const parts = [unaryAt(cursor, queryAt, field)];
  while (cursor.word('and') || startsFilter(cursor)) parts.push(unaryAt(cursor, queryAt, field));
  return joinOf('and', parts);
}

function startsFilter(cursor: Cursor): boolean {
  const token = cursor.peek();
  if (token.kind === 'end') return false;
  if (token.kind !== 'sign') return !cursor.isWord('or');
  return ['(', '!', '-', '{', '*', '=', '!=', '~', '!~', '>', '>=', '<', '<=', '/', '+'].includes(token.text);
}

function unaryAt(cursor: Cursor, queryAt: QueryAt, field: string): Filter {
  return cursor.deeper(() => {
    if (cursor.word('not') || cursor.sign('!') || cursor.sign('-')) {
      const part = unaryAt(cursor, queryAt, field);
      return part.kind === 'not' ? part.part : { kind: 'not', part };
    }
    return primaryAt(cursor, queryAt, field);
  });
}

function primaryAt(cursor: Cursor, queryAt: QueryAt, field: string): Filter {
  if (cursor.sign('(')) {
    const inner = parseFilter(cursor, queryAt, field);
    cursor.expect(')', 'at the end of the group');
    return inner;
  }
  if (cursor.isSign('{')) return parseStream(cursor);
  const named = fieldAhead(cursor);
  if (named === null) return valueAt(cursor, queryAt, field, false);
  if (named === '_time') return parseTime(cursor);
  if (named === '_stream') {
    if (!cursor.isSign('{')) throw cursor.wrong('a stream selector such as {app="x"} after _stream:');
    return parseStream(cursor);
  }
  if (cursor.isSign('{')) throw badQuery(cursor.peek().at, 'a stream selector must stand alone or follow _stream:');
  if (named === '_stream_id' && cursor.peek().kind !== 'sign' && !cursor.isSign('(', 1)) return streamIdAt(cursor);
  if (cursor.isSign('(')) return cursor.deeper(() => primaryAt(cursor, queryAt, named));
  if (cursor.isSign('!') || cursor.isWord('not')) return unaryAt(cursor, queryAt, named);
  return valueAt(cursor, queryAt, named, true);
}

function streamIdAt(cursor: Cursor): Filter {
  const { at } = cursor.peek();
  const text = cursor.value('', 'the ID of a stream');
  if (!/^[0-9a-f]{48}$/.test(text))
    throw badQuery(at, `expected the ID of a stream (48 hexadecimal digits), got ${JSON.stringify(text)}`);
  return { kind: 'field', field: '_stream_id', test: { kind: 'exact', text, prefix: false } };
}

/** Takes `name:` if it stands here. */
function fieldAhead(cursor: Cursor): string | null {
  const token = cursor.peek();
  if (token.kind === 'end' || token.kind === 'sign') return null;
  const place = cursor.place;
  const name = cursor.name();
  // `and:x` is a field, since a colon cannot follow a keyword.
  if (cursor.sign(':')) return name;
  cursor.back(place);
  return null;
}

const JOINS = '-./+$';
/** Signs that a bare word may begin with. */
const LEADING = new Set(['/', '+']);
const OPERATORS = new Set(['=', '!=', '~', '!~', '=~', '>', '>=', '<', '<=', '!']);

function valueAt(cursor: Cursor, queryAt: QueryAt, field: string, named: boolean): Filter {
  const of = (test: Test): Filter => ({ kind: 'field', field, test });
  const joins = named ? `${JOINS}:` : JOINS;
  const argument = () => cursor.value(`${JOINS}:`, 'a value');
  const beginning = () => (cursor.isSign('*') && cursor.peek().glued ? '' : argument());
  const regexp = (): Test => {
    const at = cursor.peek().at;
    return { kind: 'regexp', pattern: cursor.checkRegex(argument(), at) };
  };
  const starred = () => cursor.isSign('*') && cursor.peek().glued && cursor.sign('*');
  if (cursor.isSign('*')) return starAt(cursor, of, named);
  if (cursor.sign('=~') || cursor.sign('~')) return of(regexp());
  if (cursor.sign('!~')) return { kind: 'not', part: of(regexp()) };
  if (cursor.sign('=')) return of({ kind: 'exact', text: beginning(), prefix: starred() });
  if (cursor.sign('!=')) return { kind: 'not', part: of({ kind: 'exact', text: beginning(), prefix: starred() }) };
  for (const op of ['>=', '<=', '>', '<'] as const)
    if (cursor.sign(op)) return of({ kind: 'compare', op, bound: argument() });
  const calls =
    cursor.isPlainWord() &&
    cursor.peek(1).glued &&
    (cursor.isSign('(', 1) || (cursor.isWord('range') && cursor.isSign('[', 1)));
  if (calls) return parseFunction(cursor, field, queryAt);
  const token = cursor.peek();
  if (token.kind === 'word' && !named && !cursor.isPlainWord() && !(cursor.isSign('*', 1) && cursor.peek(1).glued))
    throw badQuery(token.at, `expected a filter, got ${JSON.stringify(token.text)}; the word itself must be in quotes`);
  if (token.kind === 'sign' && !LEADING.has(token.text) && !(named && token.text === '-'))
    throw cursor.wrong(named ? `a value after ${field}:` : 'a word, a quoted string or a filter');
  if (token.kind === 'end') throw cursor.wrong(named ? `a value after ${field}:` : 'a filter');
  const text = cursor.value(joins, 'a value');
  const sign = cursor.peek();
  if (sign.glued && sign.kind === 'sign' && OPERATORS.has(sign.text))
    throw badQuery(
      sign.at,
      `expected "${text}:${sign.text}…" for a comparison; in a word, ${JSON.stringify(sign.text)} must be in quotes`,
    );
  const prefix = starred();
  if (text === '' && prefix) return of({ kind: 'present' });
  return of({ kind: 'phrase', text, prefix, fold: false });
}

/** `*` is everything, `field:*` a value that is there, `*text*` a text within. */
function starAt(cursor: Cursor, of: (test: Test) => Filter, named: boolean): Filter {
  cursor.next();
  const inner = cursor.peek();
  if (!inner.glued || (inner.kind !== 'word' && inner.kind !== 'quoted' && !cursor.isSign('-')))
    return named ? of({ kind: 'present' }) : { kind: 'all' };
  const text = cursor.value(named ? `${JOINS}:` : JOINS, 'a text');
  if (!cursor.isSign('*') || !cursor.peek().glued) throw cursor.wrong(`"*" behind *${text}`);
  cursor.next();
  return of({ kind: 'substring', text });
}
