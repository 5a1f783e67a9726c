import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../lib/fault.ts';
import { recordOf } from '../record.ts';
import { matches } from './match.ts';
import { parseQuery } from './parse.ts';

const NOW = Date.UTC(2026, 0, 1, 12) * 1000;
const yes = (query: string, line: Record<string, unknown>) => matches(parseQuery(query, NOW), recordOf(line, 'test', NOW / 1000));
const ago = (minutes: number) => new Date(NOW / 1000 - minutes * 60_000).toISOString();

describe('words and phrases', () => {
  it.each([
    ['error', 'an error here', true],
    ['error', 'errors', false],
    ['error', 'Error', false],
    ['"error:"', 'error here', false],
    ['"error:"', 'error: here', true],
    ['"disk full"', 'the disk full', true],
    ['err*', 'errors', true],
    ['"foo b"*', 'a foo bar', true],
    ['foo bar', 'bar foo', true],
    ['foo OR baz', 'baz', true],
    ['not foo', 'bar', true],
    ['!foo', 'foo', false],
    ['foo -bar', 'foo bar', false],
    ['error -a OR b', 'b a', true],
    ['(a or b) and c', 'a', false],
    ['10.0.0.1', 'from 10.0.0.1 to', true],
    ['größe', 'die größe', true],
    ["'single'", 'a single one', true],
    ['`raw\\n`', 'raw\\n', true],
    ['"tab\\t"', 'tab\there', true],
    ['foo # a comment', 'foo', true],
    ['*', '', true],
  ])('%s on %j is %s', (query, msg, expected) => expect(yes(query, { msg })).toBe(expected));
});

describe('fields', () => {
  const line = { msg: 'm', job_id: 'job-1', level: 'ERROR', took: 1.5, tags: ['a', 'b'], http: { status: 503 }, empty: '' };
  it.each([
    ['job_id:job', true],
    ['job_id:=job', false],
    ['job_id:="job-1"', true],
    ['job_id:=job-1', true],
    ['job_id:=job*', true],
    ['job_id:!="job-2"', true],
    ['level:(ERROR or WARN)', true],
    ['level:ERROR took:>1', true],
    ['took:>=1.5 took:<2', true],
    ['took:>2', false],
    ['missing:>0', false],
    ['http.status:503', true],
    ['tags:a', true],
    ['level:in(WARN, "ERROR")', true],
    ['missing:""', true],
    ['empty:""', true],
    ['missing:*', false],
    ['took:*', true],
    ['"job_id":"job-1"', true],
  ])('%s is %s', (query, expected) => expect(yes(query, line)).toBe(expected));
});

describe('time', () => {
  it.each([
    ['_time:5m', ago(4), true],
    ['_time:5m', ago(6), false],
    ['_time:5m', ago(0), false],
    ['_time:>1h', ago(61), true],
    ['_time:1h30m', ago(80), true],
    ['_time:2025-03Z', '2025-03-31T23:59:59.999Z', true],
    ['_time:2025-03Z', '2025-04-01T00:00:00Z', false],
    ['_time:[2025-02Z,2025-03Z]', '2025-03-20T00:00:00Z', true],
    ['_time:[2025-02Z,2025-03Z)', '2025-03-01T00:00:00Z', false],
    ['_time:[2025-03-01T10:00:00Z, 2025-03-01T11:00:00.5Z]', '2025-03-01T11:00:00.599Z', true],
    ['_time:>2025-03-11Z', '2025-03-11T12:00:00Z', false],
    ['_time:<=2025-03-11Z', '2025-03-11T12:00:00Z', true],
    ['_time:2025-03-11T10:00+02:00', '2025-03-11T08:00:30Z', true],
    ['_time:"2025-03-11T10:00:00Z"', '2025-03-11T10:00:00.500Z', true],
  ])('%s holds at %s: %s', (query, _time, expected) => expect(yes(query, { _time })).toBe(expected));
});

describe('errors', () => {
  it.each([
    ['', undefined],
    ['user=root', 4],
    ['a@b', 1],
    ['foo AND', 7],
    ['(foo', 4],
    ['foo)', 3],
    ['level:', 6],
    ['"open', 0],
    ['"bad \\q"', 5],
    ['_time:[a,b]', 7],
    ['_time:', 6],
    ['* | stats count()', 2],
    ['{app="x"}', 0],
    ['msg:~"a.*"', 4],
    ['re("x")', 0],
  ])('%s is wrong at %s', (query, position) => {
    let found: number | undefined;
    try {
      parseQuery(query, NOW);
    } catch (error) {
      found = (error as Fault).extra['position'] as number;
    }
    expect(found).toBe(position);
  });

  it('never throws anything but a fault with a position inside of the query', () => {
    const piece = fc.constantFrom('foo', '"', "'", '`', '(', ')', ':', '=', '!', '-', '*', 'and', 'or', 'not', '_time', '[', ']', ',', '5m', ' ', '>', '<', '\\', 'in(', '2026-01-01', '|', '{', 'ä', '😀');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }).map((p) => p.join('')), (query) => {
        try {
          matches(parseQuery(query, NOW), recordOf({ msg: 'foo ä' }, 'test', 0));
        } catch (error) {
          const { code, extra } = error as Fault;
          expect(code).toBe('QUERY_INVALID');
          expect(extra['position']).toBeGreaterThanOrEqual(0);
          expect(extra['position']).toBeLessThanOrEqual(query.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(() => parseQuery('('.repeat(5000), NOW)).toThrow(/nesting/);
    expect(() => parseQuery('!'.repeat(5000), NOW)).toThrow(/nesting/);
  });
});
