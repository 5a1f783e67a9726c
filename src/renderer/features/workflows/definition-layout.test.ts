import { expect, it } from 'vitest';
import { NODE_HEIGHT, NODE_WIDTH, nodePositions } from './definition/positions.ts';
import { definitionLayout } from './definition-layout.ts';

const nodes = [
  { id: 'in', type: 'input' },
  { id: 'if', type: 'condition' },
  { id: 'yes', type: 'transform' },
  { id: 'out', type: 'output' },
];
const edges = [
  { from: 'in', to: 'if' },
  { from: 'if', to: 'out', port: 'false' },
  { from: 'if', to: 'yes', port: 'true' },
  { from: 'yes', to: 'out' },
];
const layout = definitionLayout(nodes, edges, nodePositions({ nodes, edges }));
const pointsOf = (from: string, to: string) =>
  layout.edges.find((edge) => edge.from === from && edge.to === to)?.points ?? [];

it('draws edges from the port that they leave to where they enter', () => {
  const source = layout.nodes.get('if');
  expect(pointsOf('if', 'yes')[0]).toEqual({ x: (source?.x ?? 0) + NODE_WIDTH, y: (source?.y ?? 0) + 20 });
  expect(pointsOf('if', 'out')[0]?.y).toBe((source?.y ?? 0) + NODE_HEIGHT - 20);
  expect(pointsOf('in', 'if').at(-1)).toEqual({ x: source?.x, y: (source?.y ?? 0) + NODE_HEIGHT / 2 });
});

it('leads an edge around a node that stands in its way', () => {
  const way = definitionLayout(
    nodes,
    edges,
    new Map([
      ['in', { x: 0, y: 0 }],
      ['if', { x: 300, y: 0 }],
      ['yes', { x: 600, y: 0 }],
      ['out', { x: 900, y: 0 }],
    ]),
  ).edges.find(({ to, port }) => to === 'out' && port === 'false')?.points;
  expect(way).toHaveLength(4);
  expect(way?.[1]?.y).toBeGreaterThan(NODE_HEIGHT);
});

it('begins at zero, with room for what stands below the lowest node', () => {
  const at = [...layout.nodes.values()];
  expect(Math.min(...at.map(({ x }) => x))).toBe(0);
  expect(Math.min(...at.map(({ y }) => y))).toBe(0);
  expect(layout.height).toBeGreaterThan(Math.max(...at.map(({ y }) => y)) + NODE_HEIGHT);
});
