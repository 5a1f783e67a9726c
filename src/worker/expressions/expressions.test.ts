import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { compileExpression, followPath } from './compile.ts';
import { rawNumbersIn, withRawNumbers } from '../raw-numbers.ts';
import { createExecutorTools } from '../executors/executors.fixture.ts';
import { parseTemplate } from '../../lib/template.ts';

const { run, close } = createExecutorTools(10);
const hasty = createExecutorTools(0.5);
afterAll(() => Promise.all([close(), hasty.close()]));
const transform = async (expression: string, input: unknown, { run: by } = { run }) =>
  (await by('transform', { expression }, input)).output.text();

describe('transform', () => {
  it.each([
    ['$uppercase(content)', { content: 'a' }, '"A"'],
    ['missing', {}, 'null'],
    [
      'items[price > 1].name',
      {
        items: [
          { name: 'a', price: 1 },
          { name: 'b', price: 2 },
        ],
      },
      '"b"',
    ],
    ['$', [1, [2]], '[1,[2]]'],
    ['$map(items, function($i) { $i * 2 })', { items: [1, 2] }, '[2,4]'],
    ['$sort(items)', { items: [2, 1] }, '[1,2]'],
    ['[1..5]', {}, '[1,2,3,4,5]'],
    ['$match(a, /b+/).match', { a: 'abbc' }, '"bb"'],
    ['function($x) { $x }', {}, 'null'],
    ['__proto__', {}, 'null'],
    ['constructor', {}, 'null'],
    ['{"__proto__": {"a": 1}}.a', {}, 'null'],
  ])('%s', async (expression, input, text) => expect(await transform(expression, input)).toBe(text));

  it.each([
    ['a +', /not valid JSONata/, 'INVALID_DAG'],
    ['a + "x"', /right side/, 'TASK_ERROR'],
    ['$nosuch()', /non-function/, 'TASK_ERROR'],
    ['$error("mine")', /mine/, 'TASK_ERROR'],
  ])('%s fails', async (expression, message, code) => {
    await expect(transform(expression, { a: 1 })).rejects.toMatchObject({
      failure: { code, message: expect.stringMatching(message) },
    });
  });

  it.each([
    '($f := function($n) { $f($n + 1) }; $f(0))',
    '($f := function($n) { $f($n) + $f($n) }; $f(0))',
    '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /(a+)+$/)',
    '$distinct($map([1..20000], function($i) { {"a": $i} }))',
    '$count([1..1000].($x := $; [1..1000].($y := $; [1..1000].($x + $y))))',
  ])('%s cannot hold the worker up', async (expression) => {
    let ticks = 0;
    const started = performance.now();
    const timer = setInterval(() => ticks++, 10);
    await expect(transform(expression, {}, hasty)).rejects.toMatchObject({ failure: { code: 'TASK_ERROR' } });
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual((performance.now() - started) / 100 - 2);
  });

  it.each([
    '"".constructor',
    '$string.constructor("return process")()',
    '$lookup($, "__proto__")',
    '$lookup("x", "constructor")',
    '$.toString()',
    '$map([1], "x".constructor)',
    '{"__proto__": {"polluted": true}}',
    '$merge([$, {"__proto__": {"polluted": true}}])',
    '$ ~> |$|{"__proto__": {"polluted": true}}|',
    '$eval("$lookup($, \\"constructor\\")")',
    '$clone({"constructor": {"prototype": {"polluted": true}}})',
    '$sift($, function($v, $k, $o) { $lookup($o, "__proto__") })',
  ])('%s reaches nothing of the host', async (expression) => {
    const result = await transform(expression, { a: 1 }).catch(() => 'refused');
    expect(result).not.toMatch(/process|native code|\[Function/);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await transform('$keys($)', { b: 1 })).toMatch(/^(\["b"\]|"b")$/);
  });

  it('takes an expression that turns out to be long off the event loop', async () => {
    const items = Array.from({ length: 3000 }, (_, i) => ({ n: i }));
    await expect(transform('items.($x := n; $$.items.(n + $x))', { items }, hasty)).rejects.toMatchObject({
      failure: { message: expect.stringContaining('time limit of 0.5 s') },
    });
  });
});

it.each([
  ['$.a.b', true, true],
  ['{"x": a, "y": [b, $]}', true, true],
  ['a + 1', true, false],
  ['$sum(items.price)', true, false],
  ['($x := a; $x & "!")', true, false],
  ['$map(a, function($x) { $x })', false, false],
  ['$match(a, /x/)', false, false],
  ['$contains(a, /x/)', false, false],
  ['[1..n]', false, false],
  ['$eval(a)', false, false],
  ['($sum := $eval; $sum(a))', false, false],
  ['a ~> $uppercase', false, false],
  ['items^(a)', false, false],
])('%s: cheap %s, structural %s', (source, cheap, structural) =>
  expect(compileExpression(source, 100)).toMatchObject({ cheap, structural }),
);

it('a plain path gives what the evaluator gives', async () => {
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, 0, '', 'x', true),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('json'), { maxKeys: 3 }),
    ),
  })).json;
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(value, path, fc.constantFrom('', '$.', '$$.'), async (input, names, lead) => {
      const expression = compileExpression(lead + names.join('.'), 600_000);
      const found = followPath(expression.path ?? ['not a path'], input);
      if (found !== undefined) expect(found.value).toEqual(await expression.evaluate(input));
    }),
    { numRuns: 500 },
  );
});

describe('numbers that a double cannot hold', () => {
  it.each([
    ['$', '{"a":9007199254740993}', '{"a":9007199254740993}'],
    ['a', '{"a":9007199254740993}', '9007199254740993'],
    ['[a, b]', '{"a":9007199254740993,"b":9007199254740992}', '[9007199254740993,9007199254740992]'],
    ['{"id": a, "n": n + 1}', '{"a":9007199254740993,"n":1}', '{"id":9007199254740993,"n":2}'],
    ['a - 1', '{"a":9007199254740993}', '9007199254740991'],
    [
      '$map(a, function($x) { $x })',
      '{"a":[9007199254740993,0.12345678901234567890]}',
      '[9007199254740993,0.12345678901234567890]',
    ],
  ])('%s on %s', async (expression, input, text) => expect(await transform(expression, parseJson(input))).toBe(text));

  it('are put back only where it is sure which one it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n }), { maxLength: 5 }),
        fc.array(fc.integer()),
        (bigs, smalls) => {
          const input = parseJson(`[${[...bigs, ...smalls].join(',')}]`);
          const raws = rawNumbersIn(input);
          const back = raws === null ? input : withRawNumbers(JSON.parse(JSON.stringify(input)) as unknown, raws);
          for (const [i, text] of (back as unknown[]).map((value) => JSON.stringify(value)).entries()) {
            const given = String([...bigs, ...smalls][i]);
            expect(Number(text)).toBe(Number(given));
            if (bigs.filter((big) => Number(big) === Number(given)).length === 1) expect(text).toBe(given);
          }
        },
      ),
    );
  });
});

it.each([
  ['plain', [{ text: 'plain' }]],
  ['a {{ b }} c', [{ text: 'a ' }, { expression: 'b' }, { text: ' c' }]],
  ['{{ {"a": {"b": 1}} }}', [{ expression: '{"a": {"b": 1}}' }]],
  ['{{ "}}" }}x', [{ expression: '"}}"' }, { text: 'x' }]],
  ['{{a}}{{b}}', [{ expression: 'a' }, { expression: 'b' }]],
  ['open {{ a', [{ text: 'open {{ a' }]],
  ['{{}}', []],
  ["it's {{ a }}", [{ text: "it's " }, { expression: 'a' }]],
])('the text %j has the pieces %j', (text, pieces) => expect(parseTemplate(text)).toEqual(pieces));

it.each([
  ['{{a}}|{{b}}|{{c}}|{{d}}|{{e}}', { a: 'x', b: { n: 1 }, d: null, e: [1, 'y'] }, 'x|{"n":1}|||[1,"y"]'],
  ['{{ a ? "yes" : "no" }} {{ $sum(n) }}', { a: true, n: [1, 2] }, 'yes 3'],
])('the template %j', async (template, input, text) =>
  expect((await run('template', { template }, input)).output.value()).toBe(text),
);

it.each([
  ['a > 1', { a: 2 }, 'true'],
  ['a > 1', { a: 1 }, 'false'],
  ['missing', {}, 'false'],
  ['items', { items: [] }, 'false'],
  ['items', { items: [0, 1] }, 'true'],
  ['"text"', {}, 'true'],
  ['$ /* why */', { a: 1 }, 'true'],
])('the condition %s on %j takes %s and hands its input on', async (expression, input, port) => {
  const outcome = await run('condition', { expression }, input);
  expect([outcome.port, outcome.output.value()]).toEqual([port, input]);
});
