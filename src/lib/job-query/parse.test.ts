import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeJobQuery } from './complete.ts';
import { fieldInfo, QUERY_FIELD_NAMES, type QueryTerm, type QueryTest } from './fields.ts';
import { pathText } from './field-path.ts';
import { jobQueryTerms, parseJobQuery } from './parse.ts';
import { printJobQuery } from './print.ts';
import { splitTerms, termsOfFilters } from './split.ts';
import { withQuery } from './with-query.ts';

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('a b', 'a"b', '..', '1..2', '>5', '*', '-x', 'a,b', "it's", 'ünïcode', '\\', 'a:b', '\n'),
);
const number = fc.integer({ min: -1000, max: 1_000_000 }).map(String);
const duration = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w'))
  .map(([n, unit]) => `${n}${unit}`);
const time = fc.constantFrom(
  '2026-03-01',
  '2026-03-01T12:00',
  '2026-03-01T12:00:30.5Z',
  '2026-03-01 12:00',
  '2026-03-01T12:00+02:00',
);
const COMPARED = ['>', '>=', '<', '<='] as const;

function tests(kind: string, words: readonly string[] | undefined, always: boolean): fc.Arbitrary<QueryTest> {
  const value: fc.Arbitrary<string> =
    kind === 'word'
      ? fc.constantFrom(...(words ?? []))
      : kind === 'number'
        ? number
        : kind === 'duration'
          ? duration
          : kind === 'time'
            ? time
            : kind === 'words'
              ? text.filter((one) => /[\p{L}\p{N}]/u.test(one))
              : text;
  const of: fc.Arbitrary<QueryTest>[] = [value.map((one) => ({ op: 'is', value: one }) as const)];
  if (!always) of.push(fc.constant({ op: 'exists' } as const));
  if (kind === 'text' || kind === 'prose' || kind === 'value')
    of.push(value.map((one) => ({ op: 'contains', value: one }) as const));
  if (kind === 'number' || kind === 'duration' || kind === 'time' || kind === 'value')
    of.push(
      fc.tuple(fc.constantFrom(...COMPARED), value).map(([op, one]) => ({ op, value: one })),
      fc.tuple(value, value).map(([from, to]) => ({ op: 'range', from, to }) as const),
    );
  return fc.oneof(...of);
}

const term: fc.Arbitrary<QueryTerm> = fc.constantFrom(...QUERY_FIELD_NAMES).chain((field) => {
  const { kind, words, always = false, named, single = false } = fieldInfo(field);
  const name =
    named === undefined
      ? fc.constant(null)
      : named === 'key'
        ? fc.constantFrom('team', 'a.b/c-d_e', 'Region')
        : fc
            .array(fc.oneof(fc.constantFrom('customer', 'id', 'größe', 'odd name', 'a"]', ':', ','), text), {
              minLength: 1,
              maxLength: 3,
            })
            .map(pathText);
  const value =
    field === 'failure'
      ? fc.constant<QueryTest>({ op: 'is', value: '0123456789abcdef' })
      : field === 'trace'
        ? fc.constant<QueryTest>({ op: 'is', value: '0123456789abcdef0123456789abcdef' })
        : single
          ? text.map((one): QueryTest => ({ op: 'is', value: one }))
          : tests(kind, words, always);
  return fc.record({
    not: single ? fc.constant(false) : fc.boolean(),
    field: fc.constant(field),
    name,
    // A word by itself is one value.
    tests: fc.array(value, { minLength: 1, maxLength: single ? 1 : 3 }),
  });
});
const terms = fc.array(term, { maxLength: 5 });

describe('the query line', () => {
  it('reads what it writes', () => {
    fc.assert(fc.property(terms, (wanted) => void expect(jobQueryTerms(printJobQuery(wanted))).toEqual(wanted)));
  });

  it('never throws on garbage, and marks a place in the text', () => {
    const piece = fc.oneof(
      text,
      fc.constantFrom('status:', 'input.', 'input["', 'label.:', 'duration:>', ',', '"', '-', '..', '~', '*', ' ', '$'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(40), (pieces, caret) => {
        const query = pieces.join('');
        const parsed = parseJobQuery(query);
        if (parsed.ok) expect(jobQueryTerms(printJobQuery(parsed.terms))).toEqual(parsed.terms);
        else {
          expect(parsed.error.message).not.toBe('');
          expect(parsed.error.from).toBeGreaterThanOrEqual(0);
          expect(parsed.error.to).toBeLessThanOrEqual(query.length);
        }
        const at = completeJobQuery(query, Math.min(caret, query.length));
        expect(at.from).toBeLessThanOrEqual(at.to);
      }),
    );
  });

  it('parts what the filters of the list say from the rest, and puts it together again', () => {
    fc.assert(
      fc.property(terms, (all) => {
        const { filters, rest } = splitTerms(all);
        const again = splitTerms([...termsOfFilters(filters), ...rest]);
        expect(again.filters).toEqual(filters);
        expect(again.rest).toEqual(rest);
      }),
    );
  });

  it.each([
    ['status:failed', [{ not: false, field: 'status', name: null, tests: [{ op: 'is', value: 'failed' }] }]],
    ['STATUS:Failed,partial-failure', 'status:failed,partial_failure'],
    ['-workflow:x', [{ not: true, field: 'workflow', name: null, tests: [{ op: 'is', value: 'x' }] }]],
    [
      'error:"timed out"',
      [{ not: false, field: 'error', name: null, tests: [{ op: 'contains', value: 'timed out' }] }],
    ],
    ['input.country:DE,FR', 'input.country:DE,FR'],
    ["input['odd.name']:*", 'input.$["odd.name"]:*'],
    [
      'duration:5s..1m',
      [{ not: false, field: 'duration', name: null, tests: [{ op: 'range', from: '5s', to: '1m' }] }],
    ],
    ['duration:5s..', 'duration:>=5s'],
    ['attempts:..3', 'attempts:<=3'],
    ['refused "credit card"', 'text:refused text:"credit card"'],
    ['env:prod', 'environment:prod'],
  ])('%s', (query, wanted) => {
    const found = jobQueryTerms(query);
    if (typeof wanted === 'string') expect(printJobQuery(found)).toBe(wanted);
    else expect(found).toEqual(wanted);
  });

  it.each([
    ['status:failed colour:red', 14, 'there is no field "colour"'],
    ['status:broken', 7, 'status is one of queued, running'],
    ['duration:>5', 10, 'duration needs a duration'],
    ['error:"timed out', 6, 'this quote is not closed'],
    ['workflow:', 9, 'workflow needs a value'],
    ['workflow:>a', 9, 'workflow cannot be compared'],
    ['attempts:two', 9, 'attempts needs a number'],
    ['input:5', 0, 'input needs a path'],
    ['input.items[0]:5', 6, 'is not a path'],
    ['status:*', 7, 'every job has status'],
    ['-project:x', 0, 'project takes one exact value'],
    ['created:yesterday', 8, 'created needs a time'],
  ])('refuses %s at %i', (query, position, message) => {
    const parsed = parseJobQuery(query);
    expect(parsed).toMatchObject({ ok: false, error: { from: position } });
    expect(parsed.ok ? '' : parsed.error.message).toContain(message);
  });
});

it('puts what the API has filters for into these, and leaves the rest to the query', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(
    withQuery({ query: 'status:failed duration:>5s input.country:DE -workflow:x label.team:pay age:<=1h' }, now),
  ).toEqual({
    displayStatus: ['FAILED'],
    input: ['country=DE'],
    label: ['team=pay'],
    createdFrom: '2026-03-01T11:00:00.000Z',
    query: 'duration:>5s -workflow:x',
  });
  // What is filtered by already stays, and holds as well.
  expect(withQuery({ workflowId: 'a', query: 'workflow:b' }, now)).toEqual({ workflowId: 'a', query: 'workflow:b' });
  expect(withQuery({ query: 'status:completed created:2026-01-01..2026-01-31' }, now)).toEqual({
    status: ['COMPLETED'],
    createdFrom: '2026-01-01T00:00:00.000Z',
    createdTo: '2026-01-31T23:59:59.999Z',
  });
  expect(() => withQuery({ project: 'a', query: 'project:b' }, now)).toThrow('set twice');
});

it('says what to write in place of operators of other languages, and finds them in quotes', () => {
  const errorOf = (line: string) => {
    const parsed = parseJobQuery(line);
    return parsed.ok ? null : [line.slice(parsed.error.from, parsed.error.to), parsed.error.message];
  };
  expect(errorOf('status:failed OR status:timeout')).toEqual(['OR', expect.stringContaining('commas')]);
  expect(errorOf('status:failed AND workflow:a')).toEqual(['AND', expect.stringContaining('leave out AND')]);
  expect(errorOf('NOT status:failed')).toEqual(['NOT', expect.stringContaining('-status:failed')]);
  expect(errorOf('(status:failed)')).toEqual(['(status:failed)', expect.stringContaining('parentheses')]);
  for (const line of ['"OR"', 'or', 'text:OR', 'error:"(a)"', 'Order']) expect(errorOf(line)).toBeNull();
});
