import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../code-point.fixture.ts';
import { Fault } from '../fault.ts';
import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';
import { queryOf } from './queries.fixture.ts';

const faultOf = (text: string): { code: string; position: unknown; message: string } | null => {
  try {
    parseQuery(text);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { code: error.code, position: error.extra['position'], message: error.message };
  }
};

describe('parsing LogsQL', () => {
  it.each([
    ['(a', 2, 'expected ")"'],
    ['a |', 3, 'expected the name of a pipe'],
    ['a | foo', 4, 'expected the name of a pipe'],
    ['a and', 5, 'expected a filter'],
    ['user=root', 4, 'must be in quotes'],
    ['a@b', 1, 'must be in quotes'],
    ['50%', 2, 'must be in quotes'],
    ['foo>bar', 3, 'must be in quotes'],
    ['"a"b', 3, 'a space between two strings'],
    ['"\\q"', 1, 'unknown escape'],
    ['"abc', 0, 'is not closed'],
    ['_stream:foo', 8, 'a stream selector'],
    ['_stream:="x"', 8, 'a stream selector'],
    ['_stream:*', 8, 'a stream selector'],
    ['source:{a="b"}', 7, 'must stand alone or follow _stream'],
    ['_time:foo', 6, 'expected a time'],
    ['x:', 2, 'a value after x:'],
    ['x:range(a, 5)', 8, 'expected a number'],
    ['x:frob(1)', 2, 'one of the functions'],
    ['* | stats count() as a, sum(b) as a', 24, 'is already used'],
    ['* | extract "<a><b>"', 12, 'text between two placeholders'],
    ['* | sort by _time', 12, '"("'],
    ['* | union a', 10, '"("'],
    ['* | join by (a) (b', 18, '")"'],
    ['* | join by () (b)', 15, 'at least one field'],
    ['# a comment alone', 17, 'a filter besides the comments'],
    ['* | top 0 by (a)', 8, 'above 0'],
    ['* | sample 0', 11, 'above 0'],
    ['* | sample', 10, 'a number of rows'],
    ['* | facets 0', 11, 'above 0'],
    ['* | facets max_value_len 0', 25, 'above 0'],
    ['_stream_id:foo', 11, 'the ID of a stream'],
    [`${'('.repeat(500)}a`, 100, 'levels of nesting'],
  ])('%j is refused at %i', (text, position, message) =>
    expect(faultOf(text)).toMatchObject({ code: 'QUERY_INVALID', position, message: expect.stringContaining(message) }),
  );

  it.each([
    ['signs', `${'-'.repeat(60_000)}1`, 'levels of nesting'],
    ['sums', `1${'+1'.repeat(30_000)}`, 'more than 1000 terms in a row'],
    ['defaults', `1${' default 1'.repeat(6000)}`, 'more than 1000 terms in a row'],
  ])('refuses %s in a row that nobody writes, which would run out of the stack', (_, expression, message) =>
    expect(faultOf(`* | math ${expression} as x`)).toMatchObject({
      code: 'QUERY_INVALID',
      message: expect.stringContaining(message),
    }),
  );
  it('takes a thousand terms in a row', () => {
    expect(parseQuery(`* | math 1${'+1'.repeat(999)} as x`).pipes).toHaveLength(1);
  });

  it.each([
    '',
    '*',
    'a OR B',
    'Not a',
    '{a="b"} x',
    '_stream:{a=~"b|c", d!="e" or f in ("g")}',
    'a # comment\n b',
    'a;',
    '* | fields a, b* | limit',
    'x:(a or b c)',
    'and:x',
    'options(concurrency=2) a',
    'x | by (a) count()',
    'format:json',
    'x:-5',
    'ip:10.0.0.1',
    'u:https://x.y/z',
    '* | len(_msg) as l',
    '* | first 2 by (a desc)',
    'x:in(b:c | uniq by (d))',
    'a | union (b | fields c) | sort by (d)',
    'a | join by (b) (c | stats by (b) count() n) inner prefix x.',
    'a | join on b, c (* | union (d))',
    'a | decolorize | decolorize b',
    'a | json_array_len(b) as c',
    'a:i(*) i(*)',
    '* | rename a* as b*, * as "x y"*, c as d* | copy e* f | mv * as *',
    '* | sample 5 | drop_empty_fields | pack_logfmt fields (a, b*) as c | pack_logfmt | pack_json d',
    'a:=* !=*',
    'and* or OR*',
    '_time:day_range(08:00, 18:00]',
    '_time:day_range[08:00, 18:00) offset -2h',
    '_stream_id:in(b | fields _stream_id)',
  ])('%j is taken, and the same when printed', (text) => {
    const query = parseQuery(text);
    expect(parseQuery(printQuery(query))).toEqual(query);
  });

  it.each([
    // As in VictoriaLogs, a colon ends the name of a field, even in what looks like a URL.
    ['http://foo/bar', 'http:"//foo/bar"'],
    ['u:http://x.y/z', 'u:"http://x.y/z"'],
    ['/api/v1', '_msg:"/api/v1"'],
    ['a /api/v1* -/b', '_msg:"a" _msg:"/api/v1"* !_msg:"/b"'],
    ['path:/foo/*', 'path:"/foo/"*'],
    ['and*', '_msg:"and"*'],
    ['foo and*', '_msg:"foo" *'],
    ['not*', '!*'],
    ['field:(a OR other:b)', 'field:"a" or other:"b"'],
    ['"\\xd1\\x82 \\303\\251"', '_msg:"т é"'],
    ["'\\xe9'", '_msg:"é"'],
    ['"\\xff\\u00e9"', '_msg:"\ufffdé"'],
    [`_stream_id:${'0a'.repeat(24)}`, `_stream_id:="${'0a'.repeat(24)}"`],
  ])('%j is read as %s', (text, printed) => expect(printQuery(parseQuery(text))).toBe(printed));

  it('takes the examples of the document', () => {
    const examples =
      /## Examples\n\n```\n([^`]*)```/.exec(readFileSync('docs/logsql.md', 'utf8'))?.[1]?.trim().split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) expect(faultOf(example), example).toBeNull();
  });

  it('reads back each query that it prints', () => {
    fc.assert(
      fc.property(queryOf, (query) => void expect(parseQuery(printQuery(query))).toEqual(query)),
      { numRuns: 300 },
    );
  });

  it('knows no function by the name of a property', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(() => parseQuery(`* | stats ${name}(x) y`)).toThrow('expected one of the functions');
  });

  it('answers whatever text with a query or a fault, at once', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '|',
      ':',
      '=',
      '~',
      '"',
      "'",
      '`',
      '\\',
      '*',
      '-',
      '!',
      ',',
      '<',
      '>',
      ' ',
      '#',
      '\n',
      ';',
      'in',
      'range',
      'and',
      'or',
      'not',
      'stats',
      'by',
      'count',
      'sort',
      '_time',
      '_stream',
      'math',
      'extract',
      '5m',
      'offset',
      'if',
      'a',
      '1',
      '\ud800',
      '😀',
      '\0',
    );
    const text = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 60 }),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => void faultOf(given)),
      { numRuns: 1000 },
    );
  });

  it('survives queries with a piece cut out, doubled or moved', () => {
    const changed = fc.tuple(queryOf, fc.nat(), fc.nat(), fc.nat(2)).map(([query, a, b, how]) => {
      const text = printQuery(query);
      const [from, to] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y) as [number, number];
      return how === 0
        ? text.slice(0, from) + text.slice(to)
        : how === 1
          ? text.slice(0, to) + text.slice(from)
          : text.slice(to) + text.slice(0, from);
    });
    fc.assert(
      fc.property(changed, (given) => void faultOf(given)),
      { numRuns: 500 },
    );
  });
});
