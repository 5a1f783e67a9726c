import fc from 'fast-check';
import type { Filter, Pipe, Query, StatsCall, Test } from './ast.ts';
import { nameText } from './quote.ts';

/** Random queries of the grammar, over few fields and words so that they often match. */
const WORDS = [
  'error',
  'err',
  'job',
  'job-1',
  'größe',
  '日本',
  'a',
  'b',
  '10.0.0.1',
  '1',
  '2',
  '9',
  '10',
  '1.5',
  '2KB',
  '3s',
  'ERROR',
  'x_y',
  ':',
  'foo bar',
  '😀',
  '9007199254740993',
  '9007199254740992',
  '-5',
  'd"q',
  '0x1f',
];
export const FIELDS = ['_msg', 'level', 'n', 'm', 'long name', 'gone'];
export const word = fc.constantFrom(...WORDS);
const field = fc.constantFrom(...FIELDS);
const texts = fc.array(word, { minLength: 1, maxLength: 3 });
const pattern = fc.constantFrom(
  'err',
  'j.b',
  '^job',
  'a$',
  'e+r*',
  '[a-j]o',
  '(error|10)',
  '\\d+',
  'ö',
  '日?',
  '^$',
  'x.y|b',
  '[^a]b',
  'r{2}',
  '\\bjob\\b',
  '(?:a|b)?c?',
  '😀',
  '.*1.*0',
);

const test: fc.Arbitrary<Test> = fc.oneof(
  fc.record({ kind: fc.constant('phrase' as const), text: word, prefix: fc.boolean(), fold: fc.boolean() }),
  fc.constant({ kind: 'phrase' as const, text: '', prefix: false, fold: false }),
  fc.record({ kind: fc.constant('exact' as const), text: fc.oneof(word, fc.constant('')), prefix: fc.boolean() }),
  fc.record({ kind: fc.constant('substring' as const), text: fc.constantFrom('r', 'ö', 'b-', '本', ' ', '.0', 'ob') }),
  fc.constant({ kind: 'present' as const }),
  fc.record({ kind: fc.constant('regexp' as const), pattern }),
  fc.record({ kind: fc.constant('seq' as const), texts }),
  fc.record({ kind: fc.constantFrom('in' as const, 'contains_all' as const, 'contains_any' as const), values: texts }),
  fc.record({
    kind: fc.constant('compare' as const),
    op: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    bound: word,
  }),
  fc.record({
    kind: fc.constant('range' as const),
    low: fc.constantFrom('1', '-5', '1KB'),
    lowIn: fc.boolean(),
    high: fc.constantFrom('2', '10', '9007199254740993'),
    highIn: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('len_range' as const), low: fc.nat(5), high: fc.option(fc.nat(9)) }),
  fc.record({ kind: fc.constant('string_range' as const), low: word, high: word }),
  fc.record({ kind: fc.constantFrom('eq_field' as const, 'lt_field' as const, 'le_field' as const), other: field }),
);

const time: fc.Arbitrary<Filter> = fc
  .oneof(
    fc
      .constantFrom('5m', '1h', '2025-01-01Z', '2025-01-01T00:00:05Z', '2025-01-01T00:00:05.123456Z', 'now')
      .map((text) => ({ kind: 'at' as const, text })),
    fc.record({
      kind: fc.constant('compare' as const),
      op: fc.constantFrom('=' as const, '<' as const, '>' as const, '<=' as const, '>=' as const),
      text: fc.constantFrom('10s', '2025-01-01T00:00:05Z', '2025-01Z'),
    }),
    fc.record({
      kind: fc.constant('range' as const),
      low: fc.constantFrom('2025-01-01T00:00:03Z', '-1m'),
      lowIn: fc.boolean(),
      high: fc.constantFrom('2025-01-01T00:00:15+00:00', 'now'),
      highIn: fc.boolean(),
    }),
  )
  .chain((spec) => fc.constantFrom(null, '5s', '-3s').map((offset) => ({ kind: 'time' as const, spec, offset })));

const flat = (kind: 'and' | 'or', parts: Filter[]): Filter => ({
  kind,
  parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])),
});

export const filterOf: fc.Arbitrary<Filter> = fc
  .letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
    leaf: fc.oneof(
      { weight: 8, arbitrary: fc.record({ kind: fc.constant('field' as const), field, test }) },
      { weight: 1, arbitrary: time },
      { weight: 1, arbitrary: fc.constantFrom<Filter>({ kind: 'all' }, { kind: 'none' }) },
    ),
    filter: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'filter' },
      tie('leaf'),
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
        .map(([kind, parts]) => flat(kind, parts)),
      tie('filter').map((part): Filter => (part.kind === 'not' ? part.part : { kind: 'not', part })),
    ),
  }))
  .filter.map((filter) => (filter.kind === 'none' ? { kind: 'not', part: { kind: 'all' } } : filter));

const names = fc.uniqueArray(field, { minLength: 1, maxLength: 3 });
const call: fc.Arbitrary<StatsCall> = fc
  .record({
    name: fc.constantFrom(
      'count' as const,
      'sum' as const,
      'min' as const,
      'max' as const,
      'count_uniq' as const,
      'uniq_values' as const,
      'avg' as const,
    ),
    fields: names,
    condition: fc.option(filterOf, { freq: 4 }),
  })
  .map(({ name, fields, condition }) => ({
    name,
    fields,
    condition,
    phi: null,
    limit: null,
    as: `${name}(${fields.map(nameText).join(', ')})`,
  }));

const plainName = field.map((name) => ({ name, prefix: false }));

export const pipe: fc.Arbitrary<Pipe> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fields' as const, 'delete' as const),
    names: fc.array(fc.record({ name: field, prefix: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('rename' as const, 'copy' as const),
    pairs: fc.array(fc.tuple(plainName, plainName), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('sort' as const),
    by: fc.array(fc.record({ field, desc: fc.boolean() }), { minLength: 1, maxLength: 2 }),
    offset: fc.nat(3),
    limit: fc.option(fc.nat(5)),
    partition: fc.constantFrom([], ['level']),
    rank: fc.constantFrom(null, 'rank'),
  }),
  fc.record({ kind: fc.constantFrom('limit' as const, 'offset' as const), n: fc.nat(9) }),
  fc.record({
    kind: fc.constant('uniq' as const),
    by: names,
    hits: fc.constantFrom(null, 'hits'),
    limit: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('top' as const),
    n: fc.integer({ min: 1, max: 5 }),
    by: names,
    hits: fc.constant('hits'),
    rank: fc.constantFrom(null, 'rank'),
  }),
  fc.record({ kind: fc.constant('filter' as const), filter: filterOf }),
  fc.record({
    kind: fc.constant('stats' as const),
    by: fc.uniqueArray(fc.record({ field, step: fc.constantFrom(null, '5'), offset: fc.constant(null) }), {
      maxLength: 2,
      selector: (one) => one.field,
    }),
    calls: fc.uniqueArray(call, { minLength: 1, maxLength: 3, selector: (one) => one.as }),
  }),
);

export const queryOf: fc.Arbitrary<Query> = fc.record({
  options: fc.constant([]),
  filter: filterOf,
  pipes: fc.array(pipe, { maxLength: 3 }),
});
