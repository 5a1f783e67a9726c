import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../lib/logsql/parse.ts';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { fieldAt, suggest } from './complete.ts';
import { searchedWords, tokenize, withFilter } from './tokenize.ts';

const kinds = (query: string) => tokenize(query).map((token) => `${token.kind} ${token.text}`);

describe('a query in pieces', () => {
  it('tells fields, values, phrases, operators and ranges apart', () => {
    expect(kinds('level:ERROR AND ("no article" OR NOT busy)')).toEqual([
      'field level',
      'colon :',
      'word ERROR',
      'operator AND',
      'paren (',
      'phrase "no article"',
      'operator OR',
      'operator NOT',
      'word busy',
      'paren )',
    ]);
    expect(kinds('_time:[2026-01-01, 2026-02-01) x')).toEqual([
      'field _time',
      'colon :',
      'range [2026-01-01, 2026-02-01)',
      'word x',
    ]);
    expect(kinds('_time:2026-01-01T10:00:00Z')).toEqual(['field _time', 'colon :', 'word 2026-01-01T10:00:00Z']);
    expect(kinds('"odd field":and')).toEqual(['field "odd field"', 'colon :', 'word and']);
  });
  it('takes every text, and its pieces lie in it in order', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', ':', '(', ')', '[', ']', '!', "'", '`', '|', '_time') }),
        (query) => {
          let at = 0;
          for (const token of tokenize(query)) {
            expect(token.from).toBeGreaterThanOrEqual(at);
            expect(token.to).toBeGreaterThan(token.from);
            expect(query.slice(token.from, token.to)).toBe(token.text);
            at = token.to;
          }
        },
      ),
    );
  });
});

describe('filters by click', () => {
  it('adds a filter, turns its opposite round, and adds none twice', () => {
    const one = withFilter('', 'job_id', 'j-1', false);
    expect(one).toBe('job_id:=j-1');
    expect(withFilter(one, 'job_id', 'j-1', false)).toBe(one);
    expect(withFilter(one, 'job_id', 'j-1', true)).toBe('NOT job_id:=j-1');
    expect(withFilter('busy', 'level', 'WARN', false)).toBe('busy AND level:=WARN');
    expect(withFilter('*', 'level', 'WARN', true)).toBe('NOT level:=WARN');
  });
  it('keeps the meaning of an OR', () => {
    expect(withFilter('a OR b', 'level', 'WARN', false)).toBe('(a OR b) AND level:=WARN');
    expect(withFilter('"a OR b"', 'level', 'WARN', false)).toBe('"a OR b" AND level:=WARN');
    expect(withFilter('a or b and c', 'level', 'WARN', true)).toBe('(a or b and c) AND NOT level:=WARN');
  });
  it('does not take one side of an OR for a filter of the whole', () => {
    expect(withFilter('a OR b AND level:=WARN', 'level', 'WARN', false)).toBe(
      '(a OR b AND level:=WARN) AND level:=WARN',
    );
  });
  it('does not end up in a comment', () => {
    expect(withFilter('busy # all | of it', 'level', 'WARN', false)).toBe('busy AND level:=WARN');
    expect(withFilter('"#1" # x\n| stats count() n', 'level', 'WARN', false)).toBe(
      '"#1" AND level:=WARN | stats count() n',
    );
  });
  it('leaves parentheses as they are, so that a second click finds what the first one added', () => {
    const once = withFilter('a OR b', 'level', 'WARN', false);
    expect(withFilter(once, 'level', 'WARN', false)).toBe(once);
    expect(withFilter(once, 'level', 'WARN', true)).toBe('(a OR b) AND NOT level:=WARN');
    expect(withFilter(once, 'shelf', 'b', false)).toBe('(a OR b) AND level:=WARN AND shelf:=b');
    expect(withFilter('level:(ERROR OR WARN)', 'shelf', 'b', false)).toBe('level:(ERROR OR WARN) AND shelf:=b');
  });
});

describe('filters by click on anything', () => {
  it('leaves pipes behind the filters, and asks for records without the field where there is no value', () => {
    expect(withFilter('busy | stats count() n', 'level', 'WARN', false)).toBe('busy AND level:=WARN | stats count() n');
    expect(withFilter('in(a | b)', 'level', '', false)).toBe('in(a | b) AND level:""');
  });
  it('is always a query that the store takes', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: codePoint }),
        fc.string({ unit: codePoint }),
        fc.boolean(),
        (field, value, negate) => void parseQuery(withFilter('a or b', field, value, negate)),
      ),
    );
  });
});

describe('marks in messages', () => {
  it('marks what is searched for, not what is excluded or of another field', () => {
    expect(searchedWords('busy "the shelf" NOT calm level:WARN shelf:="b 7" _msg:late !odd')).toEqual([
      'busy',
      'the shelf',
      'late',
    ]);
    expect(searchedWords('request AND level:in(WARN, ERROR) (a or b) | stats count() n')).toEqual([
      'request',
      'a',
      'b',
    ]);
  });
});

describe('completion', () => {
  const seen = new Map([
    ['level', new Set(['NOTICE'])],
    ['shelf', new Set(['b 7'])],
    ['job_id', new Set(['j'])],
  ]);
  const labels = (query: string, caret = query.length) => suggest(query, caret, seen).map((one) => one.label);
  it('offers fields, also those that were seen', () => {
    expect(labels('sh')).toEqual(['shelf:']);
    expect(labels('')).toContain('level:');
  });
  it('offers values of the field before the colon, quoted where they must be', () => {
    expect(labels('level:').slice(0, 7)).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'NOTICE']);
    expect(labels('level:w')).toEqual(['WARN']);
    expect(suggest('shelf:', 6, seen)[0]).toMatchObject({ insert: '"b 7" ', from: 6, to: 6 });
  });
  it('knows which field the caret is in', () => {
    expect(fieldAt('busy level:ER', 13)).toEqual({ field: 'level', typed: 'ER' });
    expect(fieldAt('level:', 6)).toEqual({ field: 'level', typed: '' });
    expect(fieldAt('level:ERROR ', 12)).toBeNull();
    expect(fieldAt('"odd field":"a b', 16)).toEqual({ field: 'odd field', typed: 'a b' });
  });
  it('offers pipes, functions and bare fields behind a bar', () => {
    expect(labels('level:WARN | st')).toContain('stats');
    expect(suggest('a | stats by (sh', 16, seen)[0]).toMatchObject({ label: 'shelf', insert: 'shelf' });
    expect(suggest('a | filter sh', 13, seen)[0]).toMatchObject({ insert: 'shelf:' });
  });
  it('offers operators after a filter', () => {
    expect(labels('level:WARN ').slice(0, 3)).toEqual(['AND', 'OR', 'NOT']);
    expect(labels('level:WARN an')).toEqual(['AND']);
  });
});
