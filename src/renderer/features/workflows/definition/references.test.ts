import { describe, expect, it } from 'vitest';
import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { renameNode } from './rename-node.ts';
import { renameInCode, renameInExpression, renameInTemplate } from './references.ts';

describe('a name in JSONata', () => {
  it.each([
    ['price.net + price.tax', 'cost.net + cost.tax'],
    ['$.price', '$.cost'],
    ['$$.price & other.price', '$$.cost & other.price'],
    ['items[price > 1].price', 'items[price > 1].price'],
    ['{ "price": price, price: 1 }', '{ "price": cost, cost: 1 }'],
    ['$map(items, function($i) { $i.price + price })', '$map(items, function($i) { $i.price + cost })'],
    ['`price`.x', 'cost.x'],
    ['"price"', '"price"'],
    ['price.(net; price)', 'cost.(net; price)'],
    ['price +', 'price +'],
  ])('%s', (before, after) => expect(renameInExpression(before, 'price', 'cost')).toBe(after));

  it('is quoted where it is no plain name', () =>
    expect(renameInExpression('price.net', 'price', 'http-2')).toBe('`http-2`.net'));
  it('that was quoted is found', () =>
    expect(renameInExpression('`http-2`.body', 'http-2', 'fetch')).toBe('fetch.body'));
});

describe('a name in JavaScript', () => {
  it.each([
    ['return input.price + input["price"];', 'return input.cost + input["cost"];'],
    ['return input?.price ?? other.input.price;', 'return input?.cost ?? other.input.price;'],
    ['// input.price\nreturn "input.price";', '// input.price\nreturn "input.price";'],
  ])('%s', (before, after) => expect(renameInCode(before, 'price', 'cost')).toBe(after));
  it('is indexed where it is no name', () =>
    expect(renameInCode('return input.price.x', 'price', 'http-2')).toBe('return input["http-2"].x'));
});

it('is followed in templates, not in the text around', () =>
  expect(renameInTemplate('price {{ price.net }} {{x}}', 'price', 'cost')).toBe('price {{ cost.net }} {{x}}'));

describe('renaming a node', () => {
  const node = (
    id: string,
    type: string,
    config?: Record<string, unknown>,
    more: Partial<WorkflowNode> = {},
  ): WorkflowNode => ({ id, type, ...(config ? { config } : {}), ...more });
  const definition: Definition = {
    schemaVersion: 1,
    name: 'Join',
    response: 'list',
    nodes: [
      node('input', 'input'),
      node('a', 'transform', { expression: 'a' }),
      node('b', 'transform', { expression: 'a' }),
      node('gate', 'condition', { expression: 'a > 1' }),
      node('after', 'transform', { expression: 'a + b' }),
      node('alone', 'transform', { expression: 'a' }),
      node('output', 'output'),
    ],
    edges: [
      { from: 'input', to: 'a' },
      { from: 'input', to: 'b' },
      { from: 'a', to: 'gate' },
      { from: 'b', to: 'gate' },
      { from: 'gate', to: 'after', port: 'true' },
      { from: 'a', to: 'alone' },
      { from: 'after', to: 'output' },
    ],
    output: 'output',
  };
  const expressions = (of: Definition) => of.nodes.flatMap((one) => (one.config ? [one.config['expression']] : []));

  it('is followed where its name is a key of the input, and nowhere else', () => {
    expect(expressions(renameNode(definition, 'a', 'first'))).toEqual(['a', 'a', 'first > 1', 'first + b', 'a']);
  });
  it('is not followed where a join hands on the value alone', () => {
    const value = {
      ...definition,
      nodes: definition.nodes.map((one) => (one.id === 'gate' ? { ...one, join: 'value' as const } : one)),
    };
    expect(expressions(renameNode(value, 'a', 'first'))).toEqual(expressions(definition));
  });
});
