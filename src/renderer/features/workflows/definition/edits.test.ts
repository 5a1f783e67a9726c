import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { rewriteJson } from '../../../ui/json-text/rewrite.ts';
import { addNote, group, canvasGroups, canvasNotes, removeNotes, ungroup } from '../canvas/canvas-edits.ts';
import { copyToClip, paste, readClip } from '../canvas/clipboard.ts';
import { canInsertIntoEdge, positionAfterNode, whyNotAdd, whyNotConnect } from '../canvas/connect-rules.ts';
import {
  addNode,
  connect,
  disconnect,
  clearPositions,
  moveNodes,
  insertIntoEdge,
  removeNodes,
  setNode,
} from './edits.ts';
import { renameNode } from './rename-node.ts';

const line = (): Definition => ({
  schemaVersion: 1,
  name: 'Line',
  response: 'list',
  nodes: [
    { id: 'input', type: 'input' },
    { id: 'shape', type: 'transform', config: { expression: '$' }, position: { x: 10, y: 20 } },
    { id: 'output', type: 'output' },
  ],
  edges: [
    { from: 'input', to: 'shape' },
    { from: 'shape', to: 'output' },
  ],
  output: 'output',
});

const types = fc.constantFrom('input', 'transform', 'condition', 'code', 'delay', 'output');
/** Any edit that a hand could make, by numbers that pick nodes of whatever is there. */
const edit = fc.record({
  kind: fc.constantFrom(
    'add',
    'remove',
    'rename',
    'connect',
    'disconnect',
    'move',
    'set',
    'paste',
    'group',
    'note',
    'unplace',
  ),
  a: fc.nat(20),
  b: fc.nat(20),
  type: types,
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function apply(definition: Definition, { kind, a, b, type }: Edit): Definition {
  const at = (n: number) => definition.nodes[n % Math.max(1, definition.nodes.length)]?.id ?? 'none';
  const edge = definition.edges[a % Math.max(1, definition.edges.length)];
  const link = {
    from: at(a),
    to: at(b),
    ...(definition.nodes.find((node) => node.id === at(a))?.type === 'condition' ? { port: 'true' } : {}),
  };
  switch (kind) {
    case 'add':
      return whyNotAdd(definition, type) === null
        ? addNode(definition, type, { position: { x: a, y: b } }).definition
        : definition;
    case 'remove':
      return removeNodes(definition, new Set([at(a), at(b)]));
    case 'rename':
      return definition.nodes.some((node) => node.id === `n${a}`) ? definition : renameNode(definition, at(b), `n${a}`);
    case 'connect':
      return whyNotConnect(definition, link) === null ? connect(definition, link) : definition;
    case 'disconnect':
      return edge ? disconnect(definition, edge) : definition;
    case 'move':
      return moveNodes(definition, new Map([[at(a), { x: a + 0.4, y: b }]]));
    case 'set':
      return setNode(definition, at(a), { name: `Name ${b}`, retries: undefined });
    case 'paste':
      return definition.nodes.length === 0
        ? definition
        : paste(definition, copyToClip(definition, new Set([at(a), at(b)]), new Map()), { x: a, y: b }).definition;
    case 'group':
      return group(definition, new Set([at(a), at(b)]), 'Group').definition;
    case 'note':
      return addNote(definition, 'Look', { x: a, y: b }).definition;
    case 'unplace':
      return clearPositions(definition);
  }
}

describe('edits', () => {
  it('never leave an edge, a group or a doubled id behind, nor close a circle', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (steps) => {
        const definition = steps.reduce(apply, line());
        const ids = definition.nodes.map((node) => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { from, to } of definition.edges)
          expect([ids.includes(from), ids.includes(to)]).toEqual([true, true]);
        const members = canvasGroups(definition).flatMap((one) => one.nodes);
        expect(members.every((id) => ids.includes(id)) && new Set(members).size === members.length).toBe(true);
        const open = new Map(ids.map((id) => [id, definition.edges.filter((one) => one.to === id).length]));
        for (let ready = ids.filter((id) => open.get(id) === 0); ready.length > 0;) {
          const id = ready.pop() as string;
          open.delete(id);
          for (const { to } of definition.edges.filter((one) => one.from === id)) {
            open.set(to, (open.get(to) ?? 0) - 1);
            if (open.get(to) === 0) ready.push(to);
          }
        }
        expect(open.size).toBe(0);
      }),
    );
  });

  it('change nothing of the definition that they were given, and the text says what they gave', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (steps) => {
        let definition = line();
        let text = formatDefinition(JSON.stringify(definition));
        for (const step of steps) {
          const before = JSON.stringify(definition);
          const next = apply(definition, step);
          expect(JSON.stringify(definition)).toBe(before);
          text = rewriteJson(text, next);
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(next)));
          definition = next;
        }
        expect(text).toBe(formatDefinition(text));
      }),
    );
  });

  it('share what they did not touch', () => {
    const before = line();
    const after = setNode(before, 'shape', { name: 'Shape' });
    expect(after.nodes[0]).toBe(before.nodes[0]);
    expect(after.edges).toBe(before.edges);
    expect(moveNodes(before, new Map([['shape', { x: 10.2, y: 19.9 }]]))).toBe(before);
  });

  it('let output, edges and groups follow a new id', () => {
    const grouped = group(line(), new Set(['output']), 'End').definition;
    const renamed = renameNode(grouped, 'output', 'answer');
    expect(renamed.output).toBe('answer');
    expect(renamed.edges[1]).toEqual({ from: 'shape', to: 'answer' });
    expect(canvasGroups(renamed)[0]?.nodes).toEqual(['answer']);
  });

  it('leave no empty canvas behind', () => {
    const noted = addNote(group(line(), new Set(['shape']), 'One').definition, 'Look', { x: 1.6, y: 2 });
    expect(canvasNotes(noted.definition)[0]?.position).toEqual({ x: 2, y: 2 });
    expect(removeNotes(ungroup(noted.definition, new Set(['group-1'])), new Set([noted.id]))).toEqual(line());
  });
});

describe('a node between two', () => {
  it('takes over what came after the first, and no other way out of it', () => {
    const { definition, id } = addNode(line(), 'code', { after: { from: 'shape', between: true } });
    expect(definition.edges).toEqual([
      { from: 'input', to: 'shape' },
      { from: id, to: 'output' },
      { from: 'shape', to: id },
    ]);
    const gate = addNode(line(), 'condition', { after: { from: 'shape', between: true } });
    expect(gate.definition.edges).toContainEqual({ from: gate.id, to: 'output', port: 'true' });
    const under = addNode(gate.definition, 'delay', { after: { from: gate.id, port: 'false', between: true } });
    expect(under.definition.edges).toContainEqual({ from: gate.id, to: 'output', port: 'true' });
    expect(under.definition.edges).toContainEqual({ from: gate.id, to: under.id, port: 'false' });
  });
  it('goes into one edge alone where that is named', () => {
    const fork = connect(addNode(line(), 'delay', { after: { from: 'shape' } }).definition, {
      from: 'delay',
      to: 'output',
    });
    const { definition, id } = addNode(fork, 'code', { after: { from: 'shape', between: true, to: 'output' } });
    expect(definition.edges).toEqual([
      { from: 'input', to: 'shape' },
      { from: id, to: 'output' },
      { from: 'shape', to: 'delay' },
      { from: 'delay', to: 'output' },
      { from: 'shape', to: id },
    ]);
  });

  it('that is there is put into an edge, over its port and over its own first way out', () => {
    const alone = addNode(line(), 'condition').definition;
    const gated = insertIntoEdge(alone, 'condition', { from: 'shape', to: 'output' });
    expect(gated.edges).toEqual([
      { from: 'input', to: 'shape' },
      { from: 'shape', to: 'condition' },
      { from: 'condition', to: 'output', port: 'true' },
    ]);
    const under = addNode(gated, 'delay').definition;
    expect(canInsertIntoEdge(under, 'delay', { from: 'condition', to: 'output', port: 'true' })).toBe(true);
    expect(insertIntoEdge(under, 'delay', { from: 'condition', to: 'output', port: 'true' }).edges.slice(2)).toEqual([
      { from: 'condition', to: 'delay', port: 'true' },
      { from: 'delay', to: 'output' },
    ]);
  });

  it('stays where it is connected already, or nothing comes before or after it', () => {
    const edge = { from: 'shape', to: 'output' };
    const alone = addNode(addNode(line(), 'output').definition, 'delay').definition;
    expect(
      ['input', 'shape', 'output', 'output-2', 'delay', 'none'].filter((id) => canInsertIntoEdge(alone, id, edge)),
    ).toEqual(['delay']);
    expect(canInsertIntoEdge(alone, 'delay', { from: 'input', to: 'output' })).toBe(false);
  });

  it('is no output: nothing comes after that', () =>
    expect(addNode(line(), 'output', { after: { from: 'shape', between: true } }).definition.edges).toContainEqual({
      from: 'shape',
      to: 'output',
    }));
});

describe('a node that is added while another is chosen', () => {
  it('goes behind that one, before what follows; an input, one after the output, and one with nothing chosen stand alone', () => {
    expect(positionAfterNode(line(), 'shape', 'code')).toEqual({ from: 'shape', port: undefined, between: true });
    for (const [from, type] of [
      ['shape', 'input'],
      ['output', 'code'],
      [null, 'code'],
      ['gone', 'code'],
    ] as const)
      expect(positionAfterNode(line(), from, type)).toBeNull();
  });
  it('takes the way out of a condition that leads nowhere yet', () => {
    const gate = addNode(line(), 'condition', { after: { from: 'shape', between: true } });
    expect(positionAfterNode(gate.definition, gate.id, 'code')).toEqual({
      from: gate.id,
      port: 'false',
      between: true,
    });
    expect(positionAfterNode(addNode(line(), 'condition').definition, 'condition', 'code')).toEqual({
      from: 'condition',
      port: 'true',
      between: true,
    });
  });
});

describe('what may be connected', () => {
  const definition = addNode(line(), 'condition', { after: { from: 'shape' } }).definition;
  it('says why not, in words', () => {
    expect(whyNotConnect(definition, { from: 'shape', to: 'shape' })).toMatch('itself');
    expect(whyNotConnect(definition, { from: 'shape', to: 'input' })).toMatch('input node');
    expect(whyNotConnect(definition, { from: 'output', to: 'shape' })).toMatch('output node');
    expect(whyNotConnect(definition, { from: 'input', to: 'shape' })).toMatch('already');
    expect(whyNotConnect(definition, { from: 'condition', to: 'output' })).toMatch('true or false');
    expect(whyNotConnect(definition, { from: 'shape', to: 'output', port: 'true' })).toMatch('single, unnamed output');
    expect(whyNotConnect(definition, { from: 'condition', to: 'shape', port: 'true' })).toBe(
      'This would create a cycle: shape → condition → shape.',
    );
    expect(whyNotConnect(definition, { from: 'condition', to: 'output', port: 'true' })).toBeNull();
    expect(whyNotAdd(definition, 'input')).toMatch('one input');
    expect(whyNotAdd(definition, 'output')).toBeNull();
  });
});

describe('the clipboard', () => {
  it('brings nodes and the edges between them into another workflow, under fresh ids', () => {
    const clip = readClip(
      JSON.stringify(copyToClip(line(), new Set(['shape', 'output']), new Map([['output', { x: 100, y: 40 }]]))),
    );
    const { definition, ids } = paste(line(), clip!, { x: 500, y: 0 });
    expect(ids).toEqual(['shape-2', 'output-2']);
    expect(definition.nodes.slice(3).map((node) => node.position)).toEqual([
      { x: 500, y: 0 },
      { x: 590, y: 20 },
    ]);
    expect(definition.edges.at(-1)).toEqual({ from: 'shape-2', to: 'output-2' });
  });

  it('takes nothing else for nodes', () => {
    for (const text of [
      '',
      'hello',
      '{"yardmaster":"nodes"}',
      '{"yardmaster":"nodes","nodes":[],"edges":[]}',
      '{"yardmaster":"nodes","nodes":[{"id":"a b","type":"x"}],"edges":[]}',
      '{"yardmaster":"nodes","nodes":[{"id":"a","type":"x","y":1}],"edges":[]}',
    ])
      expect(readClip(text)).toBeNull();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readClip(`"yardmaster"${text}`)).toBeNull();
      }),
    );
  });
});
