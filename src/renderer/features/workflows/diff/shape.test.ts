import fc from 'fast-check';
import { createPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { fieldChanges, readableDiff, readableValue } from './shape.ts';

const base: Definition = {
  schemaVersion: 1,
  name: 'Greet',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'say', type: 'template', name: 'Say', config: { template: 'Hi' }, position: { x: 0, y: 0 } },
    { id: 'out', type: 'output' },
  ],
  edges: [{ from: 'in', to: 'say' }],
  output: 'out',
};

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

describe('readableDiff', () => {
  it('tells a change with what stood there and what stands there now', () => {
    const to: Definition = {
      ...base,
      name: 'Greeting',
      nodes: [base.nodes[0]!, { ...base.nodes[1]!, config: { template: 'Hello' } }, { id: 'wait', type: 'delay' }],
    };
    const shaped = readableDiff(
      {
        from: 'a',
        to: 'b',
        nodes: {
          added: [{ id: 'wait', type: 'delay' }],
          removed: [{ id: 'out', type: 'output' }],
          changed: [{ id: 'say', patch: replace('/config/template', 'Hello') }],
        },
        edges: { added: [{ from: 'say', to: 'wait', port: 'true' }], removed: [] },
        settings: replace('/name', 'Greeting'),
      },
      base,
      to,
    );
    expect(shaped.summary).toBe('1 node added, 1 node removed, 1 node changed, 1 edge added, 1 setting changed');
    expect(shaped.nodes[2]?.fields).toEqual([
      { path: 'config.template', kind: 'changed', before: 'Hi', after: 'Hello' },
    ]);
    expect(shaped.edges).toEqual([{ kind: 'added', text: 'say → wait (true)' }]);
    expect(shaped.settings[0]).toMatchObject({ before: 'Greet', after: 'Greeting' });
  });

  it('tells a node that only moved apart from one that changed', () => {
    const to: Definition = {
      ...base,
      nodes: base.nodes.map((node) => (node.id === 'say' ? { ...node, position: { x: 9, y: 0 } } : node)),
    };
    const shaped = readableDiff(
      {
        from: 'a',
        to: 'b',
        nodes: { added: [], removed: [], changed: [{ id: 'say', patch: replace('/position/x', 9) }] },
        edges: { added: [], removed: [] },
        settings: [],
      },
      base,
      to,
    );
    expect(shaped.summary).toBe('1 node moved');
    expect(shaped.same).toBe(false);
  });
});

describe('fieldChanges', () => {
  it('tells a change inside a list of the whole list', () => {
    expect(
      fieldChanges(
        [{ op: 'add', path: '/input/required/0' }],
        { input: { required: ['a'] } },
        { input: { required: ['b', 'a'] } },
      ),
    ).toEqual([{ path: 'input.required', kind: 'changed', before: ['a'], after: ['b', 'a'] }]);
  });

  it('misses no difference of any two values', () => {
    const values = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(values, values, (before, after) => {
        const [a, b] = [JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))];
        const changes = fieldChanges(createPatch(a, b) as never, a, b);
        expect(changes.length > 0).toBe(createPatch(a, b).length > 0);
      }),
    );
  });

  it('shows texts as they are and the rest as JSON', () => {
    expect([readableValue('a\nb'), readableValue({ a: 1 }), readableValue(undefined)]).toEqual([
      'a\nb',
      '{\n  "a": 1\n}',
      '',
    ]);
  });
});
