import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inferSchema } from './infer.ts';
import {
  addProperty,
  ITEMS,
  schemaProperties,
  removeProperty,
  renameProperty,
  setRequired,
  setType,
  setWord,
} from './schema-tree.ts';

const schema = {
  type: 'object',
  $comment: 'kept',
  properties: {
    a: { type: 'string', 'x-own': 1 },
    b: { type: 'array', items: { type: 'object', properties: { c: { type: 'number' } } } },
  },
  required: ['a'],
};

describe('a schema as a tree', () => {
  it('changes one place and keeps what it does not know', () => {
    expect(setWord(schema, ['b', ITEMS, 'c'], 'minimum', 1)).toEqual({
      ...schema,
      properties: {
        ...schema.properties,
        b: { type: 'array', items: { type: 'object', properties: { c: { type: 'number', minimum: 1 } } } },
      },
    });
    expect(setWord(setWord(schema, ['a'], 'description', 'x'), ['a'], 'description', undefined)).toEqual(schema);
  });

  it('renames in place, and keeps what is required', () => {
    const renamed = renameProperty(schema, ['a'], 'z');
    expect(schemaProperties(renamed).map(({ name, required }) => [name, required])).toEqual([
      ['z', true],
      ['b', false],
    ]);
    expect(renameProperty(schema, ['a'], 'b')).toEqual(schema);
    expect(removeProperty(schema, ['a'])).not.toHaveProperty('required');
    expect(setRequired(setRequired(schema, ['b'], true), ['b'], false)).toEqual(schema);
  });

  it('adds under a free name, and forgets words of another type', () => {
    const { schema: one } = addProperty(schema, []);
    expect(addProperty(one, []).name).toBe('field2');
    expect(addProperty({}, []).schema).toEqual({ type: 'object', properties: { field: { type: 'string' } } });
    expect(setType(setWord(schema, ['a'], 'minLength', 3), ['a'], 'integer')).toMatchObject({
      properties: { a: { type: 'integer', 'x-own': 1 } },
    });
    expect(setType(setWord(schema, ['a'], 'minLength', 3), ['a'], 'integer').properties).not.toHaveProperty(
      'a.minLength',
    );
  });
});

describe('a schema from an example', () => {
  it('is one that the example meets, whatever the example', () => {
    const ajv = new Ajv2020({ strict: false, ownProperties: true });
    formats.default(ajv);
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, (value) => {
        expect([ajv.validate(inferSchema(value), value), ajv.errors]).toEqual([true, null]);
      }),
    );
  });

  it.each(['!@!.!', 'a@b', '2026-02-30', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00', 'http://[', '12345678-x'])(
    'takes %s for a text like any other',
    (text) => expect(inferSchema(text)).toEqual({ type: 'string' }),
  );

  it('knows forms of texts and what elements have in common', () => {
    expect(inferSchema({ at: '2026-01-01T00:00:00Z', lines: [{ n: 1, sku: 'a' }, { n: 1.5 }] })).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'number' }, sku: { type: 'string' } }, required: ['n'] },
        },
      },
      required: ['at', 'lines'],
    });
  });
});
