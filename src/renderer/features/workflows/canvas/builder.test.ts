import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { createDrafts } from '../draft/drafts.ts';
import { createEditorSession } from '../draft/session.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { createBuilder } from './builder.ts';
import { readDraft } from './draft.ts';
import { faultsBySubject, faultSubject } from './faults.ts';
import { flowEdges, flowNodes } from './flow.ts';
import { nodePositions } from '../definition/positions.ts';

const line: Definition = {
  schemaVersion: 1,
  name: 'Line',
  response: 'list',
  nodes: [
    { id: 'input', type: 'input' },
    { id: 'gate', type: 'condition', config: { expression: 'true' } },
    { id: 'output', type: 'output' },
  ],
  edges: [
    { from: 'input', to: 'gate' },
    { from: 'gate', to: 'output', port: 'true' },
  ],
  output: 'output',
};

function open(text = JSON.stringify(line)) {
  let time = 0;
  const storage = {
    length: 0,
    key: () => null,
    getItem: () => null,
    setItem: () => undefined,
    removeItem: () => undefined,
  };
  const session = createEditorSession('line', createDrafts(storage), () => (time += 10));
  session.begin(text, null);
  const said: string[] = [];
  const selected: string[][] = [];
  const builder = createBuilder({
    session,
    refuse: (reason) => said.push(reason),
    tell: (what) => said.push(what),
    select: (ids) => selected.push([...ids]),
  });
  return { session, builder, said, selected, now: () => JSON.parse(session.store.getState().text) as Definition };
}

describe('acts on a draft', () => {
  it('are one step of its history each, and select what they made', () => {
    const { builder, selected, now } = open();
    expect(builder.add('delay', { after: { from: 'gate', port: 'false' } })).toBe('delay');
    expect(now().edges.at(-1)).toEqual({ from: 'gate', to: 'delay', port: 'false' });
    expect(selected).toEqual([['delay']]);
    expect(builder.undo()).toBe('Add delay');
    expect(now()).toEqual(line);
    expect(builder.redo()).toBe('Add delay');
    expect(now().nodes).toHaveLength(4);
  });

  it('put a node between two in one step, and lay it out with the others', () => {
    const { builder, now } = open();
    builder.add('delay');
    const before = now();
    builder.putInto('delay', { x: 80, y: 40 }, { from: 'gate', to: 'output', port: 'true' });
    expect(now().edges).toEqual([
      { from: 'input', to: 'gate' },
      { from: 'gate', to: 'delay', port: 'true' },
      { from: 'delay', to: 'output' },
    ]);
    expect(now().nodes.at(-1)?.position).toBeUndefined();
    expect(builder.undo()).toBe('Insert between gate and output');
    expect(now()).toEqual(before);
  });

  it('are refused with their reason, and leave the text as it is', () => {
    const { builder, said, now } = open();
    expect(builder.add('input')).toBeNull();
    expect(builder.connect({ from: 'output', to: 'gate' })).toBe(false);
    expect(said).toEqual([
      'A workflow can have only one input node.',
      "The output node can't have outgoing edges: its input is the response.",
    ]);
    expect(now()).toEqual(line);
  });

  it('wait for a text that can be read', () => {
    const { builder, said, session } = open('{ "nodes": [');
    expect(builder.remove({ flowIds: ['gate'], edges: [] })).toBe(false);
    expect(said[0]).toMatch(/^Could not parse the text/);
    expect(session.store.getState().text).toBe('{ "nodes": [');
  });

  it('write a nudge of many nodes once they have moved, and before whatever is done next', async () => {
    const many: Definition = {
      ...line,
      nodes: [
        ...line.nodes,
        ...Array.from({ length: 80 }, (_, i) => ({ id: `n${i}`, type: 'delay', config: { seconds: 1 } })),
      ],
    };
    const { session, builder, now } = open(JSON.stringify(many));
    const at = (y: number) => new Map(many.nodes.map(({ id }, i) => [id, { x: i * 200, y }]));
    builder.move(at(8), true);
    builder.move(at(16), true);
    expect(now().nodes[1]?.position).toBeUndefined();
    await expect.poll(() => now().nodes[1]?.position).toEqual({ x: 200, y: 16 });
    builder.move(at(24), true);
    builder.undo();
    expect(now().nodes[1]?.position).toBeUndefined();
    expect(session.store.getState().history.past).toHaveLength(0);
    builder.move(at(32), true);
    builder.remove({ flowIds: ['gate'], edges: [] });
    expect(now().nodes[1]).toMatchObject({ id: 'output', position: { x: 400, y: 32 } });
    expect(builder.copy({ flowIds: ['n0'], edges: [] })).toContain('"n0"');
  });
  it('make nudges by arrow keys one step, and each drag its own', () => {
    const { builder, session } = open();
    for (const x of [8, 16, 24]) builder.move(new Map([['gate', { x, y: 0 }]]), true);
    for (const x of [80, 160]) builder.move(new Map([['gate', { x, y: 0 }]]), false);
    expect(session.store.getState().history.past).toHaveLength(3);
  });

  it('paste without the input node, which a workflow has once', () => {
    const { builder, said, now } = open();
    const text = builder.copy({ flowIds: ['input', 'gate'], edges: [] });
    expect(builder.paste(text ?? '')).toBe(true);
    expect(now().nodes.map((node) => node.id)).toEqual(['input', 'gate', 'output', 'gate-2']);
    expect(said).toEqual(['The input node was not pasted: a workflow can have only one.']);
    expect(builder.paste('something else')).toBe(false);
  });

  it('take notes and frames away by what they are called on the canvas, and leave the nodes in them', () => {
    const { builder, now } = open();
    builder.group({ flowIds: ['gate', 'output'], edges: [] });
    builder.addNote({ x: 0, y: 0 });
    expect(now().canvas).toEqual({
      notes: [{ id: 'note-1', text: 'Note', position: { x: 0, y: 0 } }],
      groups: [{ id: 'group-1', name: 'Group', nodes: ['gate', 'output'] }],
    });
    builder.remove({ flowIds: ['frame/group-1', 'note/note-1'], edges: [] });
    expect(now()).toEqual(line);
  });
});

describe('a text on the canvas', () => {
  const read = (text: string) => readDraft(text, scanJson(text));
  it('is drawn while a value is not right yet, and not where no edit could tell what is meant', () => {
    expect(read(JSON.stringify({ ...line, name: '', response: 'perhaps' })).fault).toBeNull();
    expect(read('').fault).toMatch('empty');
    expect(read('[]').fault).toMatch('lists of nodes and edges');
    expect(read('{"nodes": [{"id": "a"}], "edges": []}').fault).toMatch('Node 1');
    expect(read('{"nodes": [{"id": "a", "type": "x"}, {"id": "a", "type": "x"}], "edges": []}').fault).toMatch(
      'Two nodes have the ID a',
    );
    expect(read('{"nodes": [], "edges": [{"from": "a"}]}').fault).toMatch('Edge 1');
    expect(
      read('{"nodes": [], "edges": [], "canvas": {"notes": [{"id": "n", "text": "x", "place": 1}]}}').fault,
    ).toMatch('notes and groups');
  });

  it('keeps the very objects of what did not change, so that nothing is drawn anew for nothing', () => {
    const shown = (definition: Definition) => ({
      definition,
      places: nodePositions(definition),
      nodeFaults: new Map(),
      edgeFaults: new Map(),
      runs: null,
      testedEdges: null,
      edgeRuns: null,
    });
    const before = flowNodes([], shown(line));
    const renamed = flowNodes(
      before,
      shown({
        ...line,
        nodes: line.nodes.map((node) => (node.id === 'gate' ? { ...node, name: 'Gate' } : { ...node })),
      }),
    );
    expect(renamed.map((node, i) => node === before[i])).toEqual([true, false, true]);
    const edges = flowEdges([], shown(line));
    expect(flowEdges(edges, shown(structuredClone(line)))).toEqual(edges);
    expect(flowEdges(edges, shown({ ...line, edges: [...line.edges, { from: 'gone', to: 'output' }] }))[1]).toBe(
      edges[1],
    );
  });

  it('shows its faults where they are', () => {
    const mark = (pointer: string, blocks: 'save' | 'publish' | null) => ({
      pointer,
      blocks,
      from: 0,
      to: 0,
      message: '',
      line: 1,
    });
    const faults = faultsBySubject(line, [
      mark('/nodes/1/config/expression', 'publish'),
      mark('/nodes/1', 'save'),
      mark('/edges/0/to', 'publish'),
      mark('/name', 'save'),
      mark('/nodes/9', 'save'),
    ]);
    expect([[...faults.nodes], [...faults.edges]]).toEqual([
      [['gate', 'save']],
      [['["input","gate",null]', 'publish']],
    ]);
    expect(faultSubject(line, mark('/output', 'publish'))).toEqual({ node: 'output' });
    expect(faultSubject(line, mark('/input/type', 'publish'))).toBeNull();
  });
});
