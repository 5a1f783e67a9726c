import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, parseJson } from './json.ts';
import { diffPathText, jsonDiff, type JsonChange } from './json-diff.ts';

const ample = { changes: 1_000_000, steps: 10_000_000 };
const told = (before: unknown, after: unknown) =>
  jsonDiff(before, after, ample).changes.map(({ path, op, before, after }) =>
    [op, diffPathText(path), before, after].filter((part) => part !== undefined),
  );

describe('the difference of two JSON values', () => {
  it('is told place by place', () => {
    expect(told({ order: { id: 1, country: 'DE' }, old: true }, { order: { id: 1, country: 'FR' }, new: [1] })).toEqual(
      [
        ['changed', '$.order.country', 'DE', 'FR'],
        ['removed', '$.old', true],
        ['added', '$.new', [1]],
      ],
    );
    expect(told(7, 'seven')).toEqual([['changed', '$', 7, 'seven']]);
    expect(told({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
    expect(diffPathText(['items', 2, 'odd name'])).toBe('$.items[2]["odd name"]');
  });

  it('tells an element more or less as that, wherever it is', () => {
    expect(told(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual([['added', '$[1]', 'x']]);
    expect(told([{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 2 }, { id: 3 }])).toEqual([['removed', '$[0]', { id: 1 }]]);
  });

  it('sees numbers that a double would take for the same', () => {
    const [before, after] = [parseJson('{"id":12345678901234567890}'), parseJson('{"id":12345678901234567891}')];
    expect(jsonDiff(before, after, ample).changes).toHaveLength(1);
    expect(jsonDiff(before, parseJson('{"id":12345678901234567890}'), ample).changes).toEqual([]);
    expect(JSON.stringify(applyDiff(before, jsonDiff(before, after, ample).changes))).toBe(
      '{"id":12345678901234567891}',
    );
  });

  it('makes the one of the other, whatever they are', () => {
    const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const near = fc
      .tuple(json, fc.array(fc.constantFrom('a', 'b', '__proto__', 1, null, true), { maxLength: 8 }))
      .map(([value, list]) => ({ value, list, fixed: [1, 2, { a: [] }] }));
    fc.assert(
      fc.property(fc.oneof(json, near), fc.oneof(json, near), (before, after) => {
        const kept = JSON.stringify(before);
        const { changes, complete } = jsonDiff(before, after, ample);
        expect(complete).toBe(true);
        expect(applyDiff(before, changes)).toEqual(after);
        expect(JSON.stringify(before)).toBe(kept);
        expect(changes.length === 0).toBe(jsonDiff(after, before, ample).changes.length === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps to its limits and says so', () => {
    const [before, after] = [
      Array.from({ length: 1000 }, (_, i) => i),
      Array.from({ length: 1000 }, (_, i) => i + 1000),
    ];
    const few = jsonDiff(before, after, { changes: 10, steps: 1_000_000 });
    expect([few.changes.length, few.complete]).toEqual([10, false]);
    const short = jsonDiff(before, after, { changes: 10_000, steps: 100 });
    expect(short.changes.length).toBeLessThanOrEqual(100);
    expect(short.complete).toBe(false);
    expect(jsonDiff(before, [...before], { changes: 10, steps: 5000 }).complete).toBe(true);
  });
});

/** Makes `after` of `before` from a complete difference; `before` stays as it is. */
function applyDiff(before: unknown, changes: readonly JsonChange[]): unknown {
  let root = copy(before);
  for (const { path, op, after } of changes) {
    const last = path.at(-1);
    if (last === undefined) {
      root = copy(after);
      continue;
    }
    let at = root;
    for (const step of path.slice(0, -1)) at = (at as Record<string, unknown>)[step as string];
    if (Array.isArray(at) && op !== 'changed')
      at.splice(last as number, op === 'removed' ? 1 : 0, ...(op === 'added' ? [copy(after)] : []));
    else if (op === 'removed') delete (at as Record<string, unknown>)[last];
    else put(at as Record<string, unknown>, last, copy(after));
  }
  return root;
}

/** `__proto__` is a name like any other. */
const put = (holder: Record<string, unknown>, key: string | number, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) put(made, key, copy(inner));
  return made;
}
