import { expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import type { CommitDiff } from '../../../../contract/workflows.ts';
import { NODE_HEIGHT, NODE_WIDTH, nodePositions } from '../definition/positions.ts';
import { diffGraph, diffLayout } from './diff-graph.ts';
import { readableDiff } from './shape.ts';

const node = (id: string, position?: { x: number; y: number }) => ({
  id,
  type: 'transform',
  ...(position ? { position } : {}),
});
const definition = (nodes: Definition['nodes'], edges: Definition['edges']): Definition => ({
  schemaVersion: 1,
  name: 'Two',
  response: 'list',
  nodes,
  edges,
  output: 'c',
});

/** `b` gave way to `d`. */
function shown(from: Definition, to: Definition) {
  const diff: CommitDiff = {
    from: 'a',
    to: 'b',
    nodes: {
      added: [to.nodes.find(({ id }) => id === 'd')],
      removed: [from.nodes.find(({ id }) => id === 'b')],
      changed: [],
    },
    edges: { added: to.edges, removed: from.edges },
    settings: [],
  } as unknown as CommitDiff;
  const graph = diffGraph(diff, readableDiff(diff, from, to), from, to);
  return diffLayout(graph, from, to);
}

it('shows both versions where the builder shows the newer one; what has gone lies where it was, not under what came', () => {
  const [a, c] = [node('a', { x: 100, y: 40 }), node('c', { x: 700, y: 40 })];
  const { nodes, width } = shown(
    definition(
      [a, node('b', { x: 400, y: 40 }), c],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    ),
    definition(
      [a, node('d', { x: 400, y: 40 }), c],
      [
        { from: 'a', to: 'd' },
        { from: 'd', to: 'c' },
      ],
    ),
  );
  expect([nodes.get('a')?.x, nodes.get('d')?.x, nodes.get('c')?.x, width]).toEqual([0, 300, 600, 600 + NODE_WIDTH]);
  expect(nodes.get('a')?.y).toBe(nodes.get('d')?.y);
  expect(nodes.get('b')).toMatchObject({ x: 300 });
  expect(nodes.get('b')?.y).toBeGreaterThan((nodes.get('d')?.y ?? 0) + NODE_HEIGHT);
});

it('lays out from left to right what nobody placed, as the builder does', () => {
  const to = definition(
    [node('a'), node('d'), node('c')],
    [
      { from: 'a', to: 'd' },
      { from: 'd', to: 'c' },
    ],
  );
  const { nodes, edges } = shown(
    definition(
      [node('a'), node('b', { x: 9000, y: 9000 }), node('c')],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    ),
    to,
  );
  const alone = nodePositions(to);
  expect(['a', 'd', 'c'].map((id) => nodes.get(id)?.x)).toEqual(['a', 'd', 'c'].map((id) => alone.get(id)?.x));
  expect(nodes.get('b')?.x).toBe(nodes.get('d')?.x);
  for (const { points } of edges) expect(points[1]?.x).toBeGreaterThan(points[0]?.x ?? 0);
});

it('lays out what has gone with the others where a program wrote one place for all', () => {
  const at = { x: 0, y: 0 };
  const { nodes } = shown(
    definition(
      [node('a', at), node('b', at), node('c', at)],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    ),
    definition(
      [node('a', at), node('d', at), node('c', at)],
      [
        { from: 'a', to: 'd' },
        { from: 'd', to: 'c' },
      ],
    ),
  );
  expect(nodes.get('b')?.x).toBe(nodes.get('d')?.x);
});
