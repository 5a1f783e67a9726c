import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonDoc, MAX_DEPTH, type JsonDoc } from './doc.ts';

const lines = (doc: JsonDoc) =>
  doc
    .rows(0, doc.count())
    .map(
      (row) =>
        `${'  '.repeat(row.depth)}${row.name === null ? '' : `${row.name}: `}${row.size < 0 ? row.text : `${row.kind} ${row.size}${row.open ? ' open' : ''}`}`,
    );

describe('a JSON text as a tree', () => {
  it('shows names, numbers and texts to the letter', () => {
    const doc = createJsonDoc(
      '{"10": 12345678901234567890, "2": 1.50, "a\\u0062": "\\u00fc", "e": {}, "l": [null, 1e2]}',
    );
    expect(lines(doc)).toEqual([
      'object 5 open',
      '  10: 12345678901234567890',
      '  2: 1.50',
      '  ab: "\\u00fc"',
      '  e: object 0',
      '  l: array 2 open',
      '    0: null',
      '    1: 1e2',
    ]);
    expect(doc.textOf(3)).toBe('ü');
    expect(doc.textOf(5)).toBe('[null, 1e2]');
    expect(doc.pathOf(7)).toEqual(['l', 1]);
    expect(doc.parentOf(7)).toBe(5);
    expect(doc.parentOf(0)).toBe(-1);
  });

  it('folds and unfolds a branch, and keeps what is open inside', () => {
    const doc = createJsonDoc('[[[1,2],3],[4]]', { levels: MAX_DEPTH });
    expect(doc.count()).toBe(8);
    doc.turn(2, false);
    expect(doc.count()).toBe(6);
    doc.turn(1, false);
    expect(lines(doc)).toEqual(['array 2 open', '  0: array 2', '  1: array 1 open', '    0: 4']);
    doc.turn(1, true);
    expect(doc.count()).toBe(6);
    doc.unfold(1);
    expect(doc.count()).toBe(3);
    doc.unfold(0);
    expect(lines(doc)).toEqual(['array 2']);
  });

  it('starts with large branches folded', () => {
    expect(createJsonDoc(JSON.stringify(Array.from({ length: 101 }, (_, i) => i))).count()).toBe(1);
    expect(createJsonDoc('[1]').count()).toBe(2);
  });

  it('finds keys and leaves in either case, opens the way to them, and no punctuation', () => {
    const doc = createJsonDoc('{"Alpha": {"x": ["beta", "no"]}, "b": "ALPHABET, [1]"}', { levels: 0 });
    const { places, more } = doc.find('alpha', 10);
    expect(places).toHaveLength(2);
    expect(more).toBe(false);
    expect(doc.rows(doc.reveal(places[1] as number), 99)[0]?.name).toBe('b');
    const [beta] = doc.find('beta', 10).places;
    const line = doc.reveal(beta as number);
    expect(doc.rows(line, line + 1)[0]).toMatchObject({ text: '"beta"', depth: 3 });
    expect(doc.find(', [', 10).places).toHaveLength(1);
    expect(doc.find('"x"', 10).places).toHaveLength(0);
    expect(doc.find('a', 1).more).toBe(true);
  });

  it('shows one member of an answer alone', () => {
    const doc = createJsonDoc('{"error": null, "output": [1, {"a": 2}]}', { levels: 9, member: 'output' });
    expect(lines(doc)).toEqual(['array 2 open', '  0: 1', '  1: object 1 open', '    a: 2']);
    expect(doc.textOf(0)).toBe('[1, {"a": 2}]');
    expect(doc.find('error', 5).places).toEqual([]);
  });

  it('says where a text is no JSON', () => {
    expect(() => createJsonDoc('[1, {"a": ').rows(0, 9)).toThrow(SyntaxError);
    expect(() => createJsonDoc('{"a" 1}').count()).toThrow('character 5');
    expect(() => createJsonDoc('').rows(0, 9)).toThrow(SyntaxError);
    expect(() => createJsonDoc('[1]', { member: 'output' })).toThrow('member output');
  });

  it('counts and places the lines of any value like a plain walk, however it is turned', () => {
    const walk = (
      value: unknown,
      depth: number,
      name: string | number | null,
      shut: ReadonlySet<string>,
      path: string,
    ): string[] => {
      const branch = value !== null && typeof value === 'object';
      const row = `${depth} ${name} ${branch ? Object.keys(value).length : JSON.stringify(value)}`;
      if (!branch || shut.has(path)) return [row];
      return [
        row,
        ...Object.entries(value).flatMap(([key, inner]) =>
          walk(inner, depth + 1, Array.isArray(value) ? Number(key) : key, shut, `${path}/${key}`),
        ),
      ];
    };
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 8 }),
        (value, turns) => {
          const plain: unknown = JSON.parse(JSON.stringify(value));
          const doc = createJsonDoc(JSON.stringify(plain, null, 1), { levels: MAX_DEPTH });
          const shut = new Set<string>();
          for (const [at, open] of turns) {
            const line = at % doc.count();
            const path = doc
              .pathOf(line)
              .map((name) => `/${name}`)
              .join('');
            doc.turn(line, open);
            if (open) shut.delete(path);
            else shut.add(path);
          }
          const rows = doc
            .rows(0, doc.count())
            .map((row) => `${row.depth} ${row.name} ${row.size < 0 ? JSON.stringify(JSON.parse(row.text)) : row.size}`);
          expect(rows).toEqual(walk(plain, 0, null, shut, ''));
          const found = doc
            .rows(0, doc.count())
            .map((row, line) => (row.size < 0 ? doc.reveal(row.at) === line : true));
          expect(found).not.toContain(false);
        },
      ),
    );
  });
});
