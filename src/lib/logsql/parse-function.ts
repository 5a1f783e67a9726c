import { isOneOf } from '../is-one-of.ts';
import type { Filter, Query, Test } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { ipv4Of, numberOf } from './numbers.ts';
import type { QueryAt } from './parse-filter.ts';
import { badQuery } from './tokens.ts';

const JOINS = '-./+$:';
/** Functions of a field's value, as the completion offers them. */
export const FILTER_FUNCTIONS = [
  'i',
  'exact',
  're',
  'seq',
  'in',
  'contains_all',
  'contains_any',
  'range',
  'len_range',
  'string_range',
  'ipv4_range',
  'eq_field',
  'lt_field',
  'le_field',
] as const;

/** `name(…)` behind a field. */
export function parseFunction(cursor: Cursor, field: string, queryAt: QueryAt): Filter {
  const name = cursor.peek().text.toLowerCase();
  if (!isOneOf(FILTER_FUNCTIONS, name)) {
    throw badQuery(
      cursor.peek().at,
      `expected one of the functions ${FILTER_FUNCTIONS.join(', ')}, got ${JSON.stringify(name)}`,
    );
  }
  if (name === 'range') return rangeAt(cursor, field);
  const at = cursor.next().at;
  cursor.next();
  const of = (test: Test): Filter => ({ kind: 'field', field, test });
  if (name === 'in' || name === 'contains_all' || name === 'contains_any') return setAt(cursor, name, of, queryAt);
  if (name === 'i' || name === 'exact') {
    const text = cursor.isSign('*') ? '' : cursor.value(JOINS, 'a text');
    const prefix = cursor.sign('*');
    cursor.expect(')', `at the end of ${name}(`);
    return of(name === 'i' ? { kind: 'phrase', text, prefix, fold: true } : { kind: 'exact', text, prefix });
  }
  const args = argumentsAt(cursor);
  const need = (n: number) => {
    if (args.length !== n)
      throw badQuery(at, `expected ${n} ${n === 1 ? 'argument' : 'arguments'} of ${name}(), got ${args.length}`);
    // As many as were asked for, at most two.
    return args as string[] & { 0: string; 1: string };
  };
  switch (name) {
    case 're':
      return of({ kind: 'regexp', pattern: cursor.checkRegex(need(1)[0], at) });
    case 'seq':
      return args.length === 0 ? { kind: 'all' } : of({ kind: 'seq', texts: args });
    case 'len_range': {
      const [low, high] = need(2);
      return of({ kind: 'len_range', low: lengthOf(low, at) ?? 0, high: lengthOf(high, at) });
    }
    case 'string_range': {
      const [low, high] = need(2);
      return of({ kind: 'string_range', low, high });
    }
    case 'ipv4_range':
      return of(addressRange(args, at));
    default:
      return of({ kind: name, other: need(1)[0] });
  }
}

function argumentsAt(cursor: Cursor): string[] {
  const args: string[] = [];
  while (!cursor.sign(')')) {
    if (args.length > 0) cursor.expect(',', 'between two arguments');
    if (cursor.isSign(')')) break;
    args.push(cursor.value(JOINS, 'an argument'));
  }
  return args;
}

function setAt(
  cursor: Cursor,
  kind: 'in' | 'contains_all' | 'contains_any',
  of: (test: Test) => Filter,
  queryAt: QueryAt,
): Filter {
  if (cursor.isSign('*') && cursor.isSign(')', 1)) {
    cursor.next();
    cursor.next();
    return { kind: 'all' };
  }
  const place = cursor.place;
  const query = subquery(cursor, queryAt);
  if (query !== null) return of({ kind: 'in_query', of: kind, query });
  cursor.back(place);
  const values = argumentsAt(cursor);
  if (values.length === 0) return kind === 'contains_all' ? { kind: 'all' } : { kind: 'none' };
  return of({ kind, values });
}

/** A query in the place of a list: one that ends in `| fields x` or `| uniq by (x)`. */
function subquery(cursor: Cursor, queryAt: QueryAt): Query | null {
  let depth = 0;
  let ahead = 0;
  let piped = false;
  for (; ; ahead++) {
    const token = cursor.peek(ahead);
    if (token.kind === 'end') return null;
    if (token.kind !== 'sign') continue;
    if (token.text === '(') depth++;
    else if (token.text === ')' && depth-- === 0) break;
    else if (token.text === '|') piped = true;
  }
  if (!piped) return null;
  return cursor.deeper(() => {
    const query = queryAt(cursor);
    cursor.expect(')', 'at the end of the subquery');
    const last = query.pipes.at(-1);
    const one =
      last?.kind === 'uniq'
        ? last.by.length === 1 && last.hits === null
        : last?.kind === 'fields' && last.names.length === 1 && last.names[0]?.prefix === false;
    if (!one) throw badQuery(cursor.peek().at, 'expected the subquery to end in "| fields x" or "| uniq by (x)"');
    return query;
  });
}

function rangeAt(cursor: Cursor, field: string): Filter {
  cursor.next();
  const lowIn = cursor.next().text === '[';
  const bound = () => {
    const at = cursor.peek().at;
    const text = cursor.value(JOINS, 'a number');
    if (numberOf(text) === null && !/^[+-]?inf$/i.test(text))
      throw badQuery(at, `expected a number, got ${JSON.stringify(text)}`);
    return text;
  };
  const low = bound();
  cursor.expect(',', 'between the two bounds of range');
  const high = bound();
  const highIn = cursor.sign(']');
  if (!highIn) cursor.expect(')', 'or "]" at the end of range');
  return { kind: 'field', field, test: { kind: 'range', low, lowIn, high, highIn } };
}

function lengthOf(text: string, at: number): number | null {
  if (/^\+?inf$/i.test(text)) return null;
  const value = numberOf(text);
  if (value === null || value < 0) throw badQuery(at, `expected a length, got ${JSON.stringify(text)}`);
  return Number(value);
}

function addressRange(args: readonly string[], at: number): Test {
  const [first = '', second] = args;
  const [address = '', bits] = first.split('/');
  const low = ipv4Of(address);
  const high = second === undefined ? low : ipv4Of(second);
  if (
    args.length < 1 ||
    args.length > 2 ||
    low === null ||
    high === null ||
    (bits !== undefined && (second !== undefined || !/^\d{1,2}$/.test(bits) || Number(bits) > 32))
  ) {
    throw badQuery(at, 'expected ipv4_range(10.0.0.0/8), ipv4_range(10.0.0.1) or ipv4_range(10.0.0.1, 10.0.0.9)');
  }
  if (bits === undefined) return { kind: 'ipv4_range', low, high };
  const size = 2 ** (32 - Number(bits));
  const from = Math.floor(low / size) * size;
  return { kind: 'ipv4_range', low: from, high: from + size - 1 };
}
