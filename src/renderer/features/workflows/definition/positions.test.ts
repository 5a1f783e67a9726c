import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { moveNodes } from './edits.ts';
import { outlineNodes } from '../canvas/outline.ts';
import { freePosition, overlappingNodes, NODE_HEIGHT, NODE_WIDTH, nodePositions } from './positions.ts';

const node = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map(String),
  position: fc.option(fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -900, max: 900 }) }), {
    nil: undefined,
  }),
});
const nodes = fc
  .uniqueArray(node, { selector: ({ id }) => id, minLength: 1 })
  .map((all) => all.map(({ id, position }) => ({ id, type: 'delay', ...(position ? { position } : {}) })));
const id = fc.integer({ min: 0, max: 30 }).map(String);
const edges = fc.array(fc.record({ from: id, to: id }), { maxLength: 60 });

it('leaves placed nodes where they are, and lays the others out clear of them', () => {
  fc.assert(
    fc.property(nodes, edges, (all, links) => {
      const places = nodePositions({ nodes: all, edges: links });
      expect(places.size).toBe(all.length);
      const heaped = overlappingNodes(all);
      const placed = all.filter((one) => 'position' in one && !heaped.has(one.id));
      for (const one of placed) expect(places.get(one.id)).toEqual(one.position);
      for (const free of all.filter((one) => !placed.includes(one)))
        for (const one of placed) {
          const [a, b] = [places.get(free.id)!, places.get(one.id)!];
          expect(Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= NODE_HEIGHT).toBe(true);
        }
    }),
  );
});

it('does not move the others when one gets a place', () => {
  const line = {
    nodes: ['a', 'b', 'c'].map((one) => ({ id: one, type: 'delay' })),
    edges: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ],
  };
  const before = nodePositions(line);
  const after = nodePositions({
    ...line,
    nodes: line.nodes.map((one) => (one.id === 'b' ? { ...one, position: { x: 40, y: 700 } } : one)),
  });
  expect([after.get('a'), after.get('c')]).toEqual([before.get('a'), before.get('c')]);
});

it('lays out nodes that are all at one place, and leaves them there when one is moved', () => {
  const line = {
    nodes: ['a', 'b', 'c'].map((one) => ({ id: one, type: 'delay' })),
    edges: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ],
  };
  const heap = {
    ...line,
    nodes: line.nodes.map((one) => ({ ...one, position: { x: 0, y: 0 } })),
  } as unknown as Definition;
  const before = nodePositions(heap);
  expect(before).toEqual(nodePositions(line));
  const moved = moveNodes(
    moveNodes(heap, new Map([['a', { x: -400, y: 700 }]])),
    new Map([['b', { x: -400, y: 900 }]]),
  );
  expect([...nodePositions(moved)]).toEqual(
    [
      ['a', { x: -400, y: 700 }],
      ['b', { x: -400, y: 900 }],
      ['c', before.get('c')],
    ].toSorted(),
  );
});

it('finds room for a new node, right of the one it comes after', () => {
  const places = new Map([['a', { x: 0, y: 0 }]]);
  const first = freePosition(places, 'a');
  expect(first.x).toBeGreaterThan(NODE_WIDTH);
  const second = freePosition(new Map([...places, ['b', first]]), 'a');
  expect([second.x, second.y - first.y >= NODE_HEIGHT]).toEqual([first.x, true]);
  expect(freePosition(new Map(), null)).toEqual({ x: 0, y: 0 });
});

it('lists every node once, after those that it depends on', () => {
  fc.assert(
    fc.property(nodes, edges, (all, links) => {
      const forward = links.filter(({ from, to }) => Number(from) < Number(to));
      const lines = outlineNodes({ nodes: all, edges: forward });
      expect(lines.map((line) => line.id).toSorted()).toEqual(all.map((one) => one.id).toSorted());
      const place = new Map(lines.map((line, i) => [line.id, i]));
      for (const { from, to } of forward)
        if (place.has(from) && place.has(to)) expect(place.get(from)!).toBeLessThan(place.get(to)!);
      // A circle keeps no node from being listed.
      expect(outlineNodes({ nodes: all, edges: links })).toHaveLength(all.length);
    }),
  );
});
