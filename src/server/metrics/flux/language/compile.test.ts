import { describe, expect, it } from 'vitest';
import { failure, rows } from '../run.fixture.ts';

/** What an expression is, as text, after some statements. */
const value = (expression: string, before = '') =>
  rows(
    `import "array"\nimport "strings"\nimport "math"\nimport "date"\nimport "regexp"\n${before}\narray.from(rows: [{v: ${expression}}])`,
  )[0]?.['v'];

describe('expressions', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['7 / 2', '3'],
    ['-7 / 2', '-3'],
    ['-7 % 3', '-1'],
    ['7.0 / 2.0', '3.5'],
    ['2 ^ 3', '8'],
    ['1.0 / 0.0', '+Inf'],
    ['9223372036854775807 + 1', '-9223372036854775808'],
    ['"a" + "b"', 'ab'],
    ['"n = ${1 + 1}, ${"in" + "ner"}"', 'n = 2, inner'],
    ['"\\x41\\t\\"\\\\"', 'A\t"\\'],
    ['1 < 2.5', 'true'],
    ['1 == 1.0', 'true'],
    ['uint(v: 3) > 2', 'true'],
    ['"b" > "a" and not false', 'true'],
    ['false or true and false', 'false'],
    ['not (1 == 2) and 2 != 3', 'true'],
    ['"cpu0" =~ /^cpu\\d$/', 'true'],
    ['"a/b" !~ /a\\/b/', 'false'],
    ['if 1 > 2 then "x" else if true then "y" else "z"', 'y'],
    ['{a: {b: 4}}.a.b', '4'],
    ['{a: 1, "b c": 2}["b c"]', '2'],
    ['[10, 20, 30][1]', '20'],
    ['2020-01-31T10:00:00+02:00', '2020-01-31T08:00:00Z'],
    ['2020-01-31', '2020-01-31T00:00:00Z'],
    ['string(v: 1h30m)', '1h30m'],
    ['string(v: -1y2mo3w)', '-1y2mo3w'],
    ['date.add(d: 1mo, to: 2020-01-31T10:00:00Z)', '2020-02-29T10:00:00Z'],
    ['date.sub(d: 1y, from: 2020-02-29T00:00:00.5Z)', '2019-02-28T00:00:00.5Z'],
    ['date.truncate(t: 2020-05-17T10:00:00Z, unit: 1mo)', '2020-05-01T00:00:00Z'],
    ['date.week(t: 2021-01-03T00:00:00Z)', '53'],
    ['int(v: "-5") + int(v: 2.9) + int(v: true)', '-2'],
    ['int(v: 1970-01-01T00:00:01Z)', '1000000000'],
    ['float(v: "1e3")', '1000'],
    ['uint(v: -1)', '18446744073709551615'],
    ['time(v: 1000)', '1970-01-01T00:00:00.000001Z'],
    ['bool(v: "true")', 'true'],
    ['contains(value: 2, set: [1, 2])', 'true'],
    ['length(arr: [1, 2, 3])', '3'],
    ['strings.toUpper(v: "ä") + strings.substring(v: "héllo", start: 1, end: 3)', 'Äél'],
    ['strings.replace(v: "aaa", t: "a", u: "b", i: 2)', 'bba'],
    ['strings.joinStr(arr: strings.split(v: "a,b", t: ","), v: "-")', 'a-b'],
    ['math.round(x: -2.5) + math.pow(x: 2.0, y: 3.0)', '5'],
    ['regexp.replaceAllString(r: /a+/, v: "baaac", t: "-")', 'b-c'],
  ])('%s', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  it('know variables, functions with defaults, closures, and what is piped in', () => {
    const before = `
      base = 10 // a comment
      add = (a, b=base) => a + b
      twice = (v=<-, by=2) => {
        doubled = v * by
        return doubled
      }
      make = (n) => (x) => x + n
      plusFive = make(n: 5)`;
    expect(value('add(a: 1) + (3 |> twice()) + (3 |> twice(by: 10)) + plusFive(x: 1)', before)).toBe('53');
  });

  it('know records that extend others, and short forms', () => {
    expect(value('{r with b: 3}.b + {r with b: 3}.a + {a}.a', 'a = 7\nr = {a: 1, b: 2}')).toBe('11');
  });

  it('take options', () => {
    expect(value('v.bucket + v.more', 'option v = {bucket: "b", more: "m"}')).toBe('bm');
    expect(value('now()', 'option now = () => 2020-01-01T00:00:00Z')).toBe('2020-01-01T00:00:00Z');
  });
});

describe('faults have their place', () => {
  it.each([
    ['x = 1 +', 'compilation failed: error @1:8-1:8: the program ends where a value is expected'],
    ['x = (1', 'compilation failed: error @1:7-1:7: expected ), got the end'],
    ['\n  foo()', 'compilation failed: error @2:3-2:6: undefined identifier foo'],
    ['x = 1\nx = 2', 'compilation failed: error @2:1-2:6: variable "x" reassigned'],
    ['import "nothing"\nbuckets()', 'invalid import path nothing'],
    ['x = "abc', 'a string has no closing "'],
    ['x = "\\q"', 'invalid escape \\q'],
    ['x = 99999999999999999999', 'is beyond 64 bits'],
    ['x = 1 |> 2', 'expected a call after |>'],
    ['f = (a, a) => a', 'the parameter a is declared twice'],
    ['f = () => { x = 1 }', 'must end with a return'],
    ['x = /(/', 'is not valid'],
    ['x = 1 ~ 2', 'unexpected character "~"'],
    ['limit(3)', 'arguments are named'],
    ['x = 1 + 1.5', 'runtime error @1:5-1:12: type error: unsupported binary expression int + float: convert one side'],
    ['x = "a" < 1', 'unsupported binary expression string < int'],
    ['x = 1 / 0', 'cannot divide by zero'],
    ['x = not 1', 'not needs a bool, got int'],
    ['x = if 1 then 2 else 3', 'if needs a bool, got int'],
    ['x = {a: 1}.a.b', 'int has no property b'],
    ['f = (a) => a\nx = f(b: 1)', 'missing required argument a'],
    ['f = (a) => a\nx = f(a: 1, b: 1)', 'found unexpected argument b, expected a'],
    ['buckets() |> limit()', 'limit: missing required argument n'],
    ['buckets() |> limit(n: 1.5)', 'argument n: expected int but found float'],
    ['buckets() |> limit(n: 1, m: 2)', 'found unexpected argument m'],
    ['x = 5', 'this Flux script returns no streaming data'],
    ['from(bucket: "no")', 'could not find bucket "no"'],
    ['x = int(v: "5x")', 'cannot convert string "5x" to int'],
    ['x = [1][3]', 'index 3 is outside an array of 1'],
  ])('%s', (program, message) => {
    expect(failure(program)).toContain(message);
  });
});
