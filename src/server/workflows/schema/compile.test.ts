import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../lib/processor-time.fixture.ts';
import { createSchemaCompiler, type InputCheck } from './compile.ts';

const { compile } = createSchemaCompiler({ schemaBytes: 64 * 1024, steps: 1_000_000 });

function checkOf(schema: unknown): InputCheck {
  const compiled = compile(schema);
  if (compiled.faults !== null) throw new Error(JSON.stringify(compiled.faults));
  return compiled.check;
}
const faultsOf = (schema: unknown) => compile(schema).faults ?? [];

/** Runs and tells that it took less than the event loop can bear (with room for a slow machine). */
function quickly<T>(run: () => T): T {
  const made: T[] = [];
  expect(processorMs(() => made.push(run()))).toBeLessThan(1000);
  return made[0] as T;
}

describe('a compiled schema', () => {
  it('names each fault by its pointer', () => {
    const check = checkOf({
      type: 'object',
      required: ['content', 'a/b'],
      properties: { content: {}, 'a/b': {}, n: { type: 'integer' }, kind: { enum: ['x', 'y'] } },
      additionalProperties: false,
    });
    expect(check({ content: '', 'a/b': 1 })).toBeNull();
    expect(check({ n: 'one', kind: 'z', other: 1 })).toEqual(
      expect.arrayContaining([
        { pointer: '/content', message: 'is required' },
        { pointer: '/a~1b', message: 'is required' },
        { pointer: '/other', message: 'is not a known property' },
        { pointer: '/n', message: 'must be integer' },
        { pointer: '/kind', message: 'must be one of "x", "y"' },
      ]),
    );
  });

  it('does not take inherited properties for given ones', () => {
    const check = checkOf({ required: ['toString', '__proto__'] });
    expect(check({})).toHaveLength(2);
    expect(check(JSON.parse('{"toString":1,"__proto__":1}'))).toBeNull();
  });

  it('knows formats, 2020-12 keywords, references and anchors inside the document', () => {
    const check = checkOf({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.test/x',
      properties: {
        at: { format: 'date-time' },
        list: { prefixItems: [{ $ref: '#/$defs/n' }], items: { $ref: '#word' } },
      },
      $defs: { n: { type: 'number' }, w: { $anchor: 'word', type: 'string' } },
    });
    expect(check({ at: '2026-01-01T00:00:00Z', list: [1, 'a', 'b'] })).toBeNull();
    expect(
      check({ at: 'today', list: ['a', 1] })
        ?.map((e) => e.pointer)
        .sort(),
    ).toEqual(['/at', '/list/0', '/list/1']);
  });

  it('sees duplicates by value', () => {
    const check = checkOf({ properties: { l: { uniqueItems: true } } });
    expect(
      check({
        l: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
    ).toEqual([{ pointer: '/l', message: 'must NOT have duplicate items' }]);
    expect(check({ l: [1, '1', [1], null, 'null'] })).toBeNull();
  });
});

describe('a schema that is refused', () => {
  it.each([
    [{ type: 'strin' }, '/type'],
    [{ $ref: 'https://example.test/other.json' }, '/$ref'],
    [{ $ref: '#/$defs/none' }, '/$ref'],
    [{ $ref: '#/x/y', x: { y: {} } }, '/$ref'],
    [{ properties: { a: { $id: 'b' } } }, '/properties/a/$id'],
    [{ $schema: 'urn:other' }, '/$schema'],
  ])('%j at %s', (schema, pointer) => {
    expect(faultsOf(schema).map((f) => f.pointer)).toContain(pointer);
  });

  it.each([['('], ['(a)\\1'], ['(?=a)b'], ['a{1,99999}']])('pattern %s', (pattern) => {
    expect(faultsOf({ pattern })).not.toEqual([]);
  });

  it('one that is too large', () => {
    expect(faultsOf({ enum: ['x'.repeat(70_000)] })[0]?.message).toMatch(/the maximum is 65536/);
  });
});

describe('a schema that would stall', () => {
  it('by references that double at each level is stopped', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `d${i}`,
        i === 59 ? { minimum: 0 } : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const check = checkOf({ properties: { n: { $ref: '#/$defs/d0' } }, $defs });
    expect(quickly(() => check({ n: 1 }))?.[0]?.message).toMatch(/too long/);
  });

  it('by recursion without end is stopped', () => {
    expect(checkOf({ $ref: '#' })({})?.[0]?.message).toMatch(/too long/);
  });

  it('by a pattern that backtracks matches in linear time', () => {
    const check = checkOf({ properties: { s: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } });
    expect(quickly(() => check({ s: 'a'.repeat(2000) }))).not.toBeNull();
  });

  it.each(['(?:){99999999999}', '(){99999999999,}', 'a|(?:(?:){9999}){9999999999}$'])(
    'by nothing that is repeated without end (%s) is quick',
    (pattern) => {
      const check = quickly(() => checkOf({ properties: { s: { pattern } } }));
      expect(quickly(() => check({ s: 'b' }))).toBeNull();
    },
  );

  it('by a format that backtracks is quick', () => {
    const check = checkOf({ properties: { u: { format: 'url' } } });
    for (const text of [
      `http://${':'.repeat(2700)}${'@'.repeat(2700)}${'a'.repeat(2700)}`,
      `http://${':@a'.repeat(2700)}`,
    ])
      expect(quickly(() => check({ u: text }))).not.toBeNull();
  });

  it('by long texts of a format is stopped', () => {
    const check = checkOf({ items: { format: 'uri' } });
    const long = `http://a.b/${'a'.repeat(8000)}`;
    expect(quickly(() => check(Array.from({ length: 5000 }, () => long)))?.[0]?.message).toMatch(/too long/);
  });

  it('by a large value that is compared again and again is stopped', () => {
    const large = Array.from({ length: 20_000 }, () => 0);
    const refs = (to: string, times: number) => Array.from({ length: times }, () => ({ $ref: `#/$defs/${to}` }));
    const check = checkOf({
      allOf: refs('b', 400),
      $defs: { b: { allOf: refs('c', 400) }, c: { const: large } },
    });
    expect(quickly(() => check(large))?.[0]?.message).toMatch(/too long/);
  });

  it('by equal items in a long list is quick', () => {
    const check = checkOf({ properties: { l: { uniqueItems: true } } });
    expect(quickly(() => check({ l: Array.from({ length: 50_000 }, (_, i) => ({ i })) }))).toBeNull();
  });

  it('shares one budget among the inputs of a call', () => {
    const check = checkOf({ properties: { s: { pattern: '^a*$' } } });
    const budget = { steps: 1000 };
    expect(check({ s: 'a'.repeat(100) }, budget)).toBeNull();
    expect(check({ s: 'a'.repeat(5000) }, budget)?.[0]?.message).toMatch(/too long/);
  });
});
