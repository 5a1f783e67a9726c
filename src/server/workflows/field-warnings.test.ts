import { describe, expect, it } from 'vitest';
import type { Definition } from '../../contract/definition.ts';
import { fieldWarnings } from './field-warnings.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    total: { type: 'number' },
    customer: { type: 'object', properties: { country: { type: 'string' } } },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' }, qty: { type: 'integer' } } },
    },
    more: { type: 'object' },
  },
};
type Node = Definition['nodes'][number];
const inOut: Node[] = [
  { id: 'in', type: 'input' },
  { id: 'out', type: 'output' },
];
const warn = (nodes: Node[], edges: [string, string][], schema: NonNullable<Definition['input']> = SCHEMA) =>
  fieldWarnings({
    input: schema,
    nodes: [...inOut, ...nodes],
    edges: edges.map(([from, to]) => ({ from, to })),
  });
const fields = (expression: string, schema?: NonNullable<Definition['input']>) =>
  warn([{ id: 'a', type: 'transform', config: { expression } }], [['in', 'a']], schema).map(({ field }) => field);

describe('fields that the input schema does not have', () => {
  it('names a misspelt one, where it is and what may be meant', () => {
    expect(warn([{ id: 'a', type: 'transform', config: { expression: '"Hello " & nmae' } }], [['in', 'a']])).toEqual([
      {
        pointer: '/nodes/2/config/expression',
        code: 'FIELD_UNKNOWN',
        message: 'the input schema has no field nmae; did you mean name?',
        field: 'nmae',
        suggestion: 'name',
      },
    ]);
  });

  it.each([
    ['name & total', []],
    ['$.customer.country', []],
    ['customer.contry', ['customer.contry']],
    ['lines[qty > 1].sku', []],
    ['lines[quantity > 1].sku', ['lines.quantity']],
    ['lines.{"x": sku, "y": nothing}', ['lines.nothing']],
    ['lines{sku: $sum(qtty)}', ['lines.qtty']],
    ['lines^(>price).sku', ['lines.price']],
    ['$map(lines, function($line) { $line.anything & $$.nmae })', ['nmae']],
    ['($x := customer; $x.anything)', []],
    ['more.anything', []],
    ['$lookup($, "nmae")', []],
    ['*.anything', []],
    ['secrets.KEY', []],
    ['lines@$line.name', []],
    ['this is broken (', []],
  ])('%s', (expression, found) => {
    expect(fields(expression)).toEqual(found);
  });

  it('says nothing where a schema leaves open what else there is', () => {
    expect(fields('nmae', { ...SCHEMA, additionalProperties: true })).toEqual([]);
    expect(fields('nmae', { ...SCHEMA, anyOf: [{ required: ['nmae'] }] })).toEqual([]);
    expect(fields('nmae', { type: 'object' })).toEqual([]);
    expect(fields('nmae', { ...SCHEMA, additionalProperties: false })).toEqual(['nmae']);
  });

  it('looks at the nodes alone that get the input of the workflow', () => {
    const found = warn(
      [
        { id: 'if', type: 'condition', config: { expression: 'totl > 1' } },
        { id: 'text', type: 'template', config: { template: 'Dear {{nmae}}' } },
        { id: 'call', type: 'http', config: { method: 'GET', url: 'http://a.example/{{ country }}', headers: {} } },
        { id: 'later', type: 'transform', config: { expression: 'anything' } },
      ],
      [
        ['in', 'if'],
        ['if', 'text'],
        ['if', 'call'],
        ['text', 'later'],
      ],
    );
    expect(found.map(({ pointer, field, suggestion }) => [pointer, field, suggestion])).toEqual([
      ['/nodes/2/config/expression', 'totl', 'total'],
      ['/nodes/3/config/template', 'nmae', 'name'],
      ['/nodes/4/config/url', 'country', null],
    ]);
    const joined: Node = { id: 'join', type: 'transform', config: { expression: 'anything' } };
    expect(
      warn(
        [joined],
        [
          ['in', 'join'],
          ['out', 'join'],
        ],
      ),
    ).toEqual([]);
  });
});
