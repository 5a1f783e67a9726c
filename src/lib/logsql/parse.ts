import type { Filter, Query } from './ast.ts';
import { Cursor, type RegexFault } from './cursor.ts';
import { parseFilter } from './parse-filter.ts';
import { parsePipe } from './parse-pipe.ts';

/**
 * Parses LogsQL: `filter | pipe | pipe`. An empty text is `*`; comments alone are none. Throws a `Fault` QUERY_INVALID with the 0-based `position`
 * of what is wrong and a message that says what was expected there. Regular expressions are judged by `regexFault`, if
 * it is given.
 */
export function parseQuery(text: string, regexFault?: RegexFault): Query {
  const cursor = new Cursor(text, regexFault);
  if (cursor.peek().kind === 'end' && text.trim() !== '') throw cursor.wrong('a filter besides the comments');
  const query = queryAt(cursor);
  cursor.sign(';');
  if (cursor.peek().kind !== 'end') throw cursor.wrong('"|" and a pipe, or the end of the query');
  return query;
}

/** Parses a filter alone, without pipes. */
export function parseFilterText(text: string, regexFault?: RegexFault): Filter {
  const cursor = new Cursor(text, regexFault);
  if (cursor.peek().kind === 'end') return { kind: 'all' };
  const filter = parseFilter(cursor, queryAt);
  if (cursor.peek().kind !== 'end') throw cursor.wrong('a filter without pipes');
  return filter;
}

/** A query up to what cannot belong to it: the end, or the `)` of a subquery. */
function queryAt(cursor: Cursor): Query {
  const options = optionsAt(cursor);
  const filter: Filter =
    cursor.peek().kind === 'end' || cursor.isSign('|') || cursor.isSign(';')
      ? { kind: 'all' }
      : parseFilter(cursor, queryAt);
  const pipes = [];
  while (cursor.sign('|')) pipes.push(parsePipe(cursor, (at) => parseFilter(at, queryAt), queryAt));
  return { options, filter, pipes };
}

function optionsAt(cursor: Cursor): [string, string][] {
  if (!cursor.isWord('options') || !cursor.isSign('(', 1) || !(cursor.isSign('=', 3) || cursor.isSign(')', 2)))
    return [];
  cursor.next();
  cursor.next();
  return cursor.upToBrace('between two options', () => {
    const name = cursor.name('the name of an option');
    cursor.expect('=', 'after the name of an option');
    return [name, cursor.value('-.', 'the value of an option')];
  });
}
