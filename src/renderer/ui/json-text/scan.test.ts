import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointerFromPath, contextAt, rangeAtPointer, pointerSteps } from './locate.ts';
import { scanJson, type JsonNode } from './scan.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

function plain(node: JsonNode | null): unknown {
  if (node === null) return null;
  if (node.kind === 'object') return Object.fromEntries(node.members.map((m) => [m.key, plain(m.value)]));
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind === 'word') return JSON.parse(node.value);
  return node.value;
}

describe('scanJson', () => {
  it('reads what JSON.stringify writes, without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { root, errors } = scanJson(text);
        expect(errors).toEqual([]);
        expect(JSON.stringify(plain(root))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('finds an error exactly where JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      'tru',
      ' ',
      '\n',
      '\t',
      '\\',
      '\\n',
      '\\u00',
      '\\u0041',
      'é',
      '\u00a0',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }).map((parts) => parts.join('')),
        (text) => {
          expect(scanJson(text).errors.length === 0, JSON.stringify(text)).toBe(parses(text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('finds one for each text with a character taken out or put in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.string({ maxLength: 1 }), (value, at, put) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        const broken = text.slice(0, cut) + put + text.slice(put === '' ? cut + 1 : cut);
        expect(scanJson(broken).errors.length === 0, broken).toBe(parses(broken));
      }),
      { numRuns: 1000 },
    );
  });

  it('says what is missing, and where', () => {
    expect(scanJson('{"a": 1 "b": 2}').errors).toEqual([{ from: 7, to: 8, message: 'Missing comma.' }]);
    expect(scanJson('{"a": }').errors[0]?.message).toBe('This property has no value.');
    expect(scanJson('[1, 2').errors[0]?.message).toBe('The array that starts here is not closed.');
    expect(scanJson('').errors[0]?.message).toBe('The document is empty.');
    expect(scanJson(`${'['.repeat(5000)}`).errors.length).toBeGreaterThan(0);
  });
});

describe('pointers', () => {
  it('go there and back', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (path) => {
        expect(pointerSteps(pointerFromPath(path))).toEqual(path);
      }),
    );
  });

  it('name the text of a value, of a key for what is nested, of the nearest for what is missing', () => {
    const text = '{"nodes": [{"id": "a", "config": {}}], "output": "x"}';
    const at = (pointer: string) => {
      const { from, to } = rangeAtPointer(scanJson(text).root, pointer);
      return text.slice(from, to);
    };
    expect(at('/output')).toBe('"x"');
    expect(at('/nodes/0/id')).toBe('"a"');
    expect(at('/nodes/0/config')).toBe('"config"');
    expect(at('/nodes/0/config/expression')).toBe('"config"');
    expect(at('/nodes/0')).toBe('{');
    expect(at('/nodes/7/type')).toBe('"nodes"');
    expect(at('')).toBe('{');
  });
});

describe('placeAt', () => {
  const place = (marked: string) => {
    const offset = marked.indexOf('|');
    return contextAt(scanJson(marked.replace('|', '')).root, offset);
  };

  it.each([
    ['{|}', 'key', ''],
    ['{"a": 1, |}', 'key', ''],
    ['{"a|": 1}', 'key', ''],
    ['{"a": |}', 'value', '/a'],
    ['{"a": "x|"}', 'value', '/a'],
    ['{"a": "x|', 'value', '/a'],
    ['{"nodes": [|]}', 'value', '/nodes/0'],
    ['{"nodes": [1, |]}', 'value', '/nodes/1'],
    ['{"nodes": [{"id": "a"}, {|', 'key', '/nodes/1'],
    ['{"nodes": [{"config": {"|', 'key', '/nodes/0/config'],
    ['{"edges": [{"from": "a", "to": |}]}', 'value', '/edges/0/to'],
    ['|', 'value', ''],
  ])('%s', (marked, role, pointer) => {
    const found = place(marked);
    expect(found && [found.role, pointerFromPath(found.path)]).toEqual([role, pointer]);
  });

  it('offers nothing after a finished value', () => {
    expect(place('{"a": {}|}')).toBeNull();
  });
});
