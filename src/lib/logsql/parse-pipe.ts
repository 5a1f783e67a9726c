import { isOneOf } from '../is-one-of.ts';
import type { Name, Pipe, SortKey } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { QueryAt } from './parse-filter.ts';
import { joinAt, unionAt } from './parse-join.ts';
import { parseMath } from './parse-math.ts';
import { parseStats, startsStats } from './parse-stats.ts';
import { type FilterAt, parseTextPipe, TEXT_PIPES } from './parse-text-pipe.ts';
import { durationOf } from './durations.ts';
import { badQuery } from './tokens.ts';

type Read = (cursor: Cursor, filterAt: FilterAt, queryAt: QueryAt) => Pipe;

/** Each pipe by its name; other names of the same are in `ALIASES`. */
const PIPES: Readonly<Record<string, Read>> = {
  fields: (cursor) => ({ kind: 'fields', names: cursor.sign('*') ? [{ name: '', prefix: true }] : namesAt(cursor) }),
  delete: (cursor) => ({ kind: 'delete', names: namesAt(cursor) }),
  rename: (cursor) => ({ kind: 'rename', pairs: pairsAt(cursor) }),
  copy: (cursor) => ({ kind: 'copy', pairs: pairsAt(cursor) }),
  sort: (cursor) => sortAt(cursor),
  limit: (cursor) => ({ kind: 'limit', n: countOr(cursor, 10) }),
  offset: (cursor) => ({ kind: 'offset', n: cursor.count('how many rows to skip') }),
  uniq: uniqAt,
  top: topAt,
  filter: (cursor, filterAt) => ({ kind: 'filter', filter: filterAt(cursor) }),
  stats: (cursor, filterAt) => parseStats(cursor, filterAt),
  first: (cursor) => edgeAt(cursor, false),
  last: (cursor) => edgeAt(cursor, true),
  facets: facetsAt,
  field_names: (cursor) => ({ kind: 'field_names', as: cursor.word('as') ? cursor.name() : 'name' }),
  field_values: (cursor) => ({
    kind: 'field_values',
    field: cursor.name(),
    limit: cursor.word('limit') ? cursor.count('how many values') : null,
  }),
  math: (cursor) => parseMath(cursor),
  len: (cursor) => ({ kind: 'len', ...measureAt(cursor) }),
  json_array_len: (cursor) => ({ kind: 'json_array_len', ...measureAt(cursor) }),
  decolorize: (cursor) => ({
    kind: 'decolorize',
    field: cursor.peek().kind === 'word' || cursor.peek().kind === 'quoted' ? cursor.name() : '_msg',
  }),
  union: (cursor, _, queryAt) => unionAt(cursor, queryAt),
  join: (cursor, _, queryAt) => joinAt(cursor, queryAt, (at) => (at.isSign('(') ? bracedNames(at) : plainNames(at))),
  unroll: (cursor) => {
    cursor.word('by');
    return { kind: 'unroll', by: cursor.isSign('(') ? bracedNames(cursor) : plainNames(cursor) };
  },
  pack_json: (cursor) => packAt(cursor, 'pack_json'),
  pack_logfmt: (cursor) => packAt(cursor, 'pack_logfmt'),
  sample: (cursor) => ({ kind: 'sample', n: positive(cursor, 'a number of rows') }),
  drop_empty_fields: () => ({ kind: 'drop_empty_fields' }),
  stream_context: contextAt,
};

const ALIASES: Readonly<Record<string, string>> = {
  keep: 'fields',
  del: 'delete',
  rm: 'delete',
  drop: 'delete',
  mv: 'rename',
  cp: 'copy',
  order: 'sort',
  head: 'limit',
  skip: 'offset',
  where: 'filter',
  eval: 'math',
};

/** All names of pipes, for completion. */
export const PIPE_NAMES: readonly string[] = [...Object.keys(PIPES), ...TEXT_PIPES, ...Object.keys(ALIASES)].toSorted();

/** A pipe behind `|`. `filter` and `stats` may go without their names. */
export function parsePipe(cursor: Cursor, filterAt: FilterAt, queryAt: QueryAt): Pipe {
  const token = cursor.peek();
  const name = token.text.toLowerCase();
  const known = token.kind === 'word' && !cursor.isSign(':', 1) ? (ALIASES[name] ?? name) : '';
  const read = Object.hasOwn(PIPES, known) ? PIPES[known] : undefined;
  if (read !== undefined) {
    cursor.next();
    return read(cursor, filterAt, queryAt);
  }
  if (isOneOf(TEXT_PIPES, known)) return parseTextPipe(cursor, known, filterAt);
  if (startsStats(cursor)) return parseStats(cursor, filterAt);
  if (startsFilter(cursor)) return { kind: 'filter', filter: filterAt(cursor) };
  throw cursor.wrong('the name of a pipe such as fields, filter, limit, sort, stats, top or uniq');
}

/** A bare word is no filter here: it is more likely a pipe that is misspelt. */
function startsFilter(cursor: Cursor): boolean {
  const token = cursor.peek();
  if (token.kind === 'sign') return '(!-{*~=<>'.includes(token.text.charAt(0));
  if (token.kind === 'end') return false;
  const place = cursor.place;
  cursor.name();
  const named =
    cursor.isSign(':') ||
    token.kind === 'quoted' ||
    cursor.isSign('(') ||
    cursor.isSign('*') ||
    token.text.toLowerCase() === 'not';
  cursor.back(place);
  return named;
}

/** `(a) as b`: the result takes the place of the field where it has no name of its own. */
function measureAt(cursor: Cursor): { field: string; as: string } {
  const braced = cursor.sign('(');
  const field = cursor.name();
  if (braced) cursor.expect(')', 'after the field');
  return { field, as: cursor.word('as') || cursor.peek().kind === 'word' ? cursor.name() : field };
}

const countOr = (cursor: Cursor, otherwise: number): number =>
  cursor.peek().kind === 'word' && /^\d+$/.test(cursor.peek().text) ? cursor.count('a number') : otherwise;

function positive(cursor: Cursor, expected: string): number {
  const { at } = cursor.peek();
  const n = cursor.count(expected);
  if (n === 0) throw badQuery(at, `expected ${expected} above 0, got 0`);
  return n;
}

const positiveOr = (cursor: Cursor, otherwise: number): number =>
  /^\d/.test(cursor.peek().text) && cursor.peek().kind === 'word' ? positive(cursor, 'a number') : otherwise;

function patternAt(cursor: Cursor, expected?: string): Name {
  if (cursor.sign('*')) return { name: '', prefix: true };
  const name = cursor.name(expected);
  return { name, prefix: cursor.isSign('*') && cursor.peek().glued && cursor.sign('*') };
}

function namesAt(cursor: Cursor): Name[] {
  if (cursor.isSign('(')) return bracedPatterns(cursor);
  const names = [patternAt(cursor)];
  while (cursor.sign(',')) names.push(patternAt(cursor));
  return names;
}

function plainNames(cursor: Cursor): string[] {
  const names = [cursor.name()];
  while (cursor.sign(',')) names.push(cursor.name());
  return names;
}

function bracedPatterns(cursor: Cursor): Name[] {
  cursor.expect('(', 'before the names of fields');
  return cursor.upToBrace('between two fields', () => patternAt(cursor));
}

/** `(a, b)`, or the names without parentheses. */
function bracedNames(cursor: Cursor): string[] {
  cursor.expect('(', 'before the names of fields');
  return cursor.upToBrace('between two fields', () => cursor.name());
}

function packAt(cursor: Cursor, kind: 'pack_json' | 'pack_logfmt'): Pipe {
  const fields = cursor.word('fields') ? bracedPatterns(cursor) : [];
  const named = cursor.word('as') || cursor.peek().kind === 'word' || cursor.peek().kind === 'quoted';
  return { kind, fields, as: named ? cursor.name() : '_msg' };
}

function pairsAt(cursor: Cursor): [Name, Name][] {
  const pairs: [Name, Name][] = [];
  do {
    const from = patternAt(cursor);
    cursor.word('as');
    const to = patternAt(cursor, 'the new name of the field');
    // One field has no rest of a name to put in the place of a star, so the star is part of the new name.
    pairs.push([from, !from.prefix && to.prefix ? { name: `${to.name}*`, prefix: false } : to]);
  } while (cursor.sign(','));
  return pairs;
}

function sortKeys(cursor: Cursor): SortKey[] {
  cursor.expect('(', 'before the fields to sort by');
  return cursor.upToBrace('between two fields', () => {
    const field = cursor.name();
    const desc = cursor.word('desc');
    if (!desc) cursor.word('asc');
    return { field, desc };
  });
}

function sortAt(cursor: Cursor): Pipe {
  const by = cursor.word('by') || cursor.isSign('(') ? sortKeys(cursor) : [];
  const desc = cursor.word('desc');
  if (!desc) cursor.word('asc');
  let offset = 0;
  let limit: number | null = null;
  let partition: string[] = [];
  let rank: string | null = null;
  for (;;) {
    if (cursor.word('offset')) offset = cursor.count('how many rows to skip');
    else if (cursor.word('limit')) limit = cursor.count('how many rows to keep');
    else if (cursor.word('partition')) {
      cursor.word('by');
      partition = bracedNames(cursor);
    } else if (cursor.word('rank')) rank = cursor.word('as') || cursor.isPlainWord() ? cursor.name() : 'rank';
    else break;
  }
  return {
    kind: 'sort',
    by: by.length === 0 ? [{ field: '', desc }] : by.map((key) => ({ field: key.field, desc: key.desc !== desc })),
    offset,
    limit,
    partition,
    rank,
  };
}

/** `first 3 by (f)`: the sort it stands for. */
function edgeAt(cursor: Cursor, last: boolean): Pipe {
  const limit = countOr(cursor, 1);
  const sorted = sortAt(cursor);
  if (sorted.kind !== 'sort' || sorted.limit !== null) throw cursor.wrong('no limit after first or last');
  return { ...sorted, limit, by: last ? sorted.by.map(({ field, desc }) => ({ field, desc: !desc })) : sorted.by };
}

function uniqAt(cursor: Cursor): Pipe {
  cursor.word('by');
  const by = cursor.isSign('(') ? bracedNames(cursor) : plainNames(cursor);
  if (by.length === 0) throw cursor.wrong('at least one field in uniq by (…)');
  let hits: string | null = null;
  let limit: number | null = null;
  for (;;) {
    if (cursor.word('with')) {
      if (!cursor.isWord('hits')) throw cursor.wrong('"hits" after "with"');
    } else if (cursor.word('hits')) hits = by.includes('hits') ? 'hits_' : 'hits';
    else if (cursor.word('limit')) limit = cursor.count('how many values');
    else break;
  }
  return { kind: 'uniq', by, hits, limit };
}

function topAt(cursor: Cursor): Pipe {
  const n = positiveOr(cursor, 10);
  cursor.word('by');
  const by = cursor.isSign('(') ? bracedNames(cursor) : plainNames(cursor);
  if (by.length === 0) throw cursor.wrong('at least one field in top by (…)');
  let hits = by.includes('hits') ? 'hits_' : 'hits';
  let rank: string | null = null;
  for (;;) {
    if (cursor.word('hits')) {
      cursor.word('as');
      hits = cursor.name();
    } else if (cursor.word('rank')) rank = cursor.word('as') || cursor.isPlainWord() ? cursor.name() : 'rank';
    else break;
  }
  return { kind: 'top', n, by, hits, rank };
}

function facetsAt(cursor: Cursor): Pipe {
  let n = positiveOr(cursor, 10);
  let maxValues = 1000;
  let maxLength = 128;
  let keepConst = false;
  for (;;) {
    if (cursor.word('max_values_per_field')) maxValues = positive(cursor, 'a number of values');
    else if (cursor.word('max_value_len')) maxLength = positive(cursor, 'a length');
    else if (cursor.word('keep_const_fields')) keepConst = true;
    else if (cursor.word('limit')) n = positive(cursor, 'a number of values');
    else return { kind: 'facets', n, maxValues, maxLength, keepConst };
  }
}

function contextAt(cursor: Cursor): Pipe {
  let before = 0;
  let after = 0;
  const start = cursor.peek().at;
  for (;;) {
    if (cursor.word('before')) before = cursor.count('how many rows before');
    else if (cursor.word('after')) after = cursor.count('how many rows after');
    else if (cursor.word('time_window')) {
      const at = cursor.peek().at;
      if (durationOf(cursor.value('.', 'a duration')) === null)
        throw badQuery(at, 'expected a duration after time_window');
    } else break;
  }
  if (before === 0 && after === 0) throw badQuery(start, 'expected "before N" or "after N" after stream_context');
  return { kind: 'stream_context', before, after };
}
