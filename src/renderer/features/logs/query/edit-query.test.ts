import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { parseQuery } from '../../../../lib/logsql/parse.ts';
import { hasPipes, searchedWords, withFilter } from './edit-query.ts';

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
    expect(withFilter('"a#b":c d', 'level', 'WARN', false)).toBe('"a#b":c d AND level:=WARN');
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
    expect(withFilter('name:or | fields level', 'level', 'WARN', false)).toBe('name:or AND level:=WARN | fields level');
  });
  it.each(['code:range[500, inf)', 'code:range(1, 5]', '_time:[2026-01-01, 2026-02-01)', '{app="a)"}', '"a | b":c'])(
    'sees the pipe behind %s',
    (filter) => {
      expect(withFilter(`${filter} | stats count() n`, 'level', 'WARN', false)).toBe(
        `${filter} AND level:=WARN | stats count() n`,
      );
      expect([hasPipes(filter), hasPipes(`${filter} | limit 5`)]).toEqual([false, true]);
    },
  );
  it('takes every text, and leaves what was typed in it', () => {
    const signs = ['a', ' ', '"', '\\', ':', '(', ')', '[', ']', '!', "'", '`', '|', '§', '_time'];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...signs) }), (query) => {
        const letters = (text: string) => text.replaceAll(/[\s()]/g, '');
        expect(letters(withFilter(query, 'x', 'y', false)).replace(/(AND)?x:=y/, '')).toBe(letters(query));
      }),
    );
    expect(withFilter('a "b | c', 'x', 'y', false)).toBe('a "b | c AND x:=y');
    expect(withFilter('a§ | limit 5', 'x', 'y', false)).toBe('a§ AND x:=y | limit 5');
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
    expect(searchedWords('code:range[500, inf) i(Late) *part* "#1" # not | this')).toEqual(['Late', 'part', '#1']);
    expect(searchedWords('job-1 10.0.0.1 (busy')).toEqual([]);
    expect(searchedWords('job-1 10.0.0.1')).toEqual(['job-1', '10.0.0.1']);
  });
});
