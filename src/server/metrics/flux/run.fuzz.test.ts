import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { processorMs } from '../../../lib/processor-time.fixture.ts';
import { csv, envOf, memorySource, NOW, type TestSeries } from './run.fixture.ts';

const series: TestSeries[] = [
  {
    measurement: 'm',
    field: 'f',
    tags: { host: 'a' },
    points: Array.from({ length: 50 }, (_, i) => [NOW - 60_000 + i * 1000, i] as const),
  },
  { measurement: 'm', field: 's', type: 'string', points: [[NOW - 1000, 'x']] },
];
const SEEDS = [
  'from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r._measurement == "m" and r._value > 1.0) |> aggregateWindow(every: 10s, fn: mean, createEmpty: false) |> yield(name: "x")',
  'import "strings"\noption now = () => 2025-01-01T12:00:00Z\nf = (tables=<-, n=3) => tables |> limit(n: n)\nfrom(bucket: "metrics") |> range(start: -1m) |> f(n: 2) |> map(fn: (r) => ({r with a: strings.toUpper(v: "x${r._field}"), b: if exists r.host then 1 else 2}))',
  'a = from(bucket: "metrics") |> range(start: 0) |> group(columns: ["host"]) |> sort(columns: ["_time"], desc: true)\nunion(tables: [a, a]) |> pivot(rowKey: ["_time"], columnKey: ["_field"], valueColumn: "_value")',
  'import "date"\nfrom(bucket: "metrics") |> range(start: -1y) |> window(every: 1mo, period: 2mo) |> quantile(q: 0.5) |> difference() |> derivative(unit: 1s) |> keys() |> distinct()',
  'join(tables: {a: buckets(), b: buckets()}, on: ["id"]) |> reduce(identity: {n: 0}, fn: (r, accumulator) => ({n: accumulator.n + 1}))',
];
const TOKENS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|>',
  '=>',
  '<-',
  '=',
  '==',
  '=~',
  '/a+/',
  '"',
  '${',
  ',',
  ':',
  '.',
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '1',
  '1.5',
  '1h',
  '-1mo',
  '2020-01-01',
  'r',
  'with',
  'and',
  'or',
  'not',
  'exists',
  'if',
  'then',
  'else',
  'import',
  'option',
  'return',
  'from',
  'range',
  'filter',
  'fn',
  'map',
  'window',
  'every',
  'inf',
  'group',
  'columns',
  'tables',
  'buckets()',
  '\n',
  '//',
  '9223372036854775807',
  '"metrics"',
  'bucket',
  'start',
  'reduce',
  'now()',
  'array',
];

/** Every outcome is text or a `Fault` that is the program's. */
function survives(program: string): void {
  const took = processorMs(() => {
    try {
      csv(program, [], {}, envOf(memorySource(series), { seconds: 1, values: 200_000 }));
    } catch (error) {
      const { code, message } = error as Fault;
      expect(error, program).toBeInstanceOf(Fault);
      expect(code, `${program}\n${message}\n${String((error as Error).cause)}`).toMatch(/^FLUX_/);
    }
  });
  expect(took, program).toBeLessThan(6000);
}

describe('nothing crashes or hangs it:', () => {
  it('any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), survives), { numRuns: 300 });
  });

  it('any tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }), (tokens) => survives(tokens.join(' '))),
      { numRuns: 500 },
    );
  });

  it('programs with parts cut out, doubled, swapped or replaced', () => {
    const change = fc.record({
      seed: fc.constantFrom(...SEEDS),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(20),
      by: fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(...SEEDS), fc.constant('')),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        let program = changes[0]?.seed ?? '';
        for (const { at, length, by } of changes) {
          const from = Math.floor(at * program.length);
          program = program.slice(0, from) + by + program.slice(from + length);
        }
        survives(program);
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    ['brackets', '('.repeat(100_000)],
    ['nested arrays', `x = ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['nested functions', `x = ${'(a) => '.repeat(140)} a`],
    ['nested predicates', `buckets() |> filter(fn: ${'(r) => '.repeat(120)} true)`],
    ['minus signs', `x = ${'-'.repeat(10_000)}1`],
    [
      'a chain of conditions',
      `buckets() |> filter(fn: (r) => ${Array.from({ length: 20_000 }, () => 'r.a == "b"').join(' or ')})`,
    ],
    ['pipes', `buckets()${' |> limit(n: 1)'.repeat(5000)}`],
    ['nested strings', `x = ${'"${'.repeat(500)}`],
    [
      'doubling functions',
      `f0 = () => 1\n${Array.from({ length: 40 }, (_, i) => `f${i + 1} = () => f${i}() + f${i}()`).join('\n')}\nx = f40()`,
    ],
    ['functions that are given themselves', 'f = (g) => g(g: g)\nx = f(g: f)'],
    [
      'doubling strings',
      `s0 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n${Array.from({ length: 60 }, (_, i) => `s${i + 1} = s${i} + s${i}`).join('\n')}`,
    ],
    [
      'doubling arrays',
      `import "array"\na0 = [1,2,3]\n${Array.from({ length: 60 }, (_, i) => `a${i + 1} = array.concat(arr: a${i}, v: a${i})`).join('\n')}`,
    ],
    [
      'doubling records',
      `r0 = {a: 1}\n${Array.from({ length: 60 }, (_, i) => `r${i + 1} = {a: r${i}, b: r${i}}`).join('\n')}\nbuckets() |> map(fn: (r) => ({r with x: "\${string(v: 1)}"}))`,
    ],
    [
      'endless windows',
      'from(bucket: "metrics") |> range(start: 0, stop: 2200-01-01) |> aggregateWindow(every: 1us, fn: mean)',
    ],
    [
      'small windows of a long period',
      'from(bucket: "metrics") |> range(start: 0) |> window(every: 1us, period: 100y)',
    ],
    [
      'products of streams',
      `a = union(tables: [buckets(), buckets()])\n${Array.from({ length: 40 }, (_, i) => `${String.fromCharCode(98 + (i % 24))}${i} = union(tables: [${i === 0 ? 'a, a' : `${String.fromCharCode(98 + ((i - 1) % 24))}${i - 1}, ${String.fromCharCode(98 + ((i - 1) % 24))}${i - 1}`}])`).join('\n')}\n${String.fromCharCode(98 + (39 % 24))}39`,
    ],
    [
      'a regular expression that others choke on',
      `buckets() |> filter(fn: (r) => "${'a'.repeat(5000)}!" =~ /^(a+)+$/)`,
    ],
    ['a regular expression of many states', 'x = /((a{0,100}){0,100}){0,100}/'],
    [
      'far times',
      'from(bucket: "metrics") |> range(start: -9000000000000000000ns, stop: 200y) |> aggregateWindow(every: 1mo, fn: sum)',
    ],
    [
      'joins of everything',
      `a = from(bucket: "metrics") |> range(start: -1h) |> group() |> drop(columns: ["_value"])\njoin(tables: {a: a, b: a}, on: ["_start"]) |> count(column: "_start")`,
    ],
  ])('%s', (_name, program) => survives(program));
});
