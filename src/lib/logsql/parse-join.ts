import type { Pipe, Query } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { QueryAt } from './parse-filter.ts';

/** `union (query)`, behind the name. */
export const unionAt = (cursor: Cursor, queryAt: QueryAt): Pipe => ({ kind: 'union', query: braced(cursor, queryAt) });

/** `join by (a, b) (query) [inner] [prefix "p"]`, behind the name. */
export function joinAt(cursor: Cursor, queryAt: QueryAt, namesAt: (cursor: Cursor) => string[]): Pipe {
  cursor.word('by', 'on');
  const by = namesAt(cursor);
  if (by.length === 0) throw cursor.wrong('at least one field in join by (…)');
  const query = braced(cursor, queryAt);
  let inner = false;
  let prefix = '';
  for (;;) {
    if (cursor.word('inner')) inner = true;
    else if (cursor.word('prefix')) prefix = cursor.value('-./+$', 'a prefix');
    else return { kind: 'join', by, query, inner, prefix };
  }
}

function braced(cursor: Cursor, queryAt: QueryAt): Query {
  cursor.expect('(', 'before the other query');
  return cursor.deeper(() => {
    const query = queryAt(cursor);
    cursor.expect(')', 'at the end of the other query');
    return query;
  });
}
