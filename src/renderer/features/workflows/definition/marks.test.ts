import { describe, expect, it } from 'vitest';
import type { Definition, DefinitionWarning } from '../../../../contract/definition.ts';
import { parseJson } from '../../../../lib/json.ts';
import { nodeInsertion } from './insert.ts';
import { isDefinition, markDefinition } from './marks.ts';
import { readableDefinition } from '../readable-definition.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { starterText } from './starter.ts';

const marks = (text: string, graph: Parameters<typeof markDefinition>[2] = []) =>
  markDefinition(text, scanJson(text), graph);

describe('marks', () => {
  it('are of the text alone while it is no JSON', () => {
    expect(marks('{\n  "name": }', [{ pointer: '/name', code: 'X', message: 'old' }])).toEqual([
      { from: 4, to: 10, blocks: 'save', message: 'This property has no value.', pointer: '', line: 2 },
    ]);
  });

  it('stand at the place that the master named, and let the draft be saved', () => {
    const text = starterText('x');
    const found = marks(text, [{ pointer: '/edges/0/to', code: 'EDGE_UNKNOWN', message: 'No such node.' }]);
    expect(found).toHaveLength(1);
    expect(text.slice(found[0]?.from, found[0]?.to)).toBe('"shape"');
    expect(found[0]).toMatchObject({ blocks: 'publish', pointer: '/edges/0/to' });
  });

  it('say what the master says of a warning that is not known here', () => {
    const warning = { pointer: '/nodes/0', code: 'NEWER', message: 'node a is odd' } as unknown as DefinitionWarning;
    const text = starterText('x');
    expect(markDefinition(text, scanJson(text), [], [warning])).toMatchObject([
      { blocks: null, message: 'Node a is odd', pointer: '/nodes/0' },
    ]);
  });

  it('say of a setting what is wrong in the words of the console, where it has any', () => {
    const text = starterText('x').replace(/"\{ \\"answer\\".*\$ \}"/, '""');
    const expression = {
      pointer: '/nodes/1/config/expression',
      code: 'CONFIG',
      message: 'must NOT have fewer than 1 characters',
    };
    expect(
      marks(text, [expression, { pointer: '/output', code: 'X', message: 'no such node' }]).map((mark) => mark.message),
    ).toEqual(['Must not be empty.', 'No such node']);
  });

  it('put what keeps a draft from being saved first in meaning: the master is not asked then', () => {
    const text = starterText('x').replace('"list"', '"all"');
    expect(isDefinition(scanJson(text))).toBe(false);
    expect(marks(text, [{ pointer: '/output', code: 'X', message: 'old' }]).map((mark) => mark.pointer)).toEqual([
      '/response',
    ]);
  });
});

describe('a stored definition as text', () => {
  it('has its keys in the order of thought, its numbers to the letter, and the same meaning', () => {
    const stored = parseJson(
      '{"edges":[],"name":"x","nodes":[{"config":{"n":12345678901234567890},"id":"a","type":"code"}],"output":"a","response":"list","schemaVersion":1}',
    ) as Definition;
    const text = readableDefinition(stored);
    expect(text.indexOf('"schemaVersion"')).toBeLessThan(text.indexOf('"name"'));
    expect(text.indexOf('"id"')).toBeLessThan(text.indexOf('"config"'));
    expect(text).toContain('12345678901234567890');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(stored)));
  });
});

describe('nodeInsertion', () => {
  const apply = (text: string, type: string) => {
    const put = nodeInsertion(text, type);
    if (!put) return null;
    const next = text.slice(0, put.at) + put.text + text.slice(put.at);
    return { next, selected: next.slice(put.select.from, put.select.to) };
  };

  it('adds a node with an id that is free, after the last one', () => {
    const first = apply(starterText('x'), 'code');
    expect(first?.selected).toBe('code');
    const second = apply(first?.next ?? '', 'code');
    expect(second?.selected).toBe('code-2');
    expect(isDefinition(scanJson(second?.next ?? ''))).toBe(true);
  });

  it('adds the first one to an empty list, and says where it cannot', () => {
    expect(JSON.parse(apply('{"nodes": []}', 'delay')?.next ?? '')).toEqual({
      nodes: [{ id: 'delay', type: 'delay', config: { seconds: 1 } }],
    });
    expect(nodeInsertion('{}', 'code')).toBeNull();
  });
});
