import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { insertIntoEdge, type Point } from './edits.ts';
import { makeRoom } from './make-room.ts';
import { NODE_HEIGHT, NODE_WIDTH, nodePositions } from './positions.ts';

const definition = (places: Record<string, Point | null>, edges: [string, string][]): Definition => ({
  schemaVersion: 1,
  name: 'n',
  response: 'list',
  nodes: Object.entries(places).map(([id, position]) => ({
    id,
    type: 'delay',
    ...(position === null ? {} : { position }),
  })),
  edges: edges.map(([from, to]) => ({ from, to })),
  output: 'out',
});
const put = (before: Definition, id: string, from: string, to: string, wanted?: Point) =>
  nodePositions(makeRoom(before, insertIntoEdge(before, id, { from, to }), id, wanted));
const overlap = (a: Point, b: Point) => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT;

it('moves what comes after to the right as far as it must, and nothing else', () => {
  const before = definition(
    { a: { x: 0, y: 0 }, b: { x: 250, y: 0 }, c: { x: 900, y: 0 }, side: { x: 250, y: 200 }, fresh: { x: 0, y: 500 } },
    [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'side'],
    ],
  );
  const places = put(before, 'fresh', 'a', 'b', { x: 120, y: 10 });
  expect(places.get('a')).toEqual({ x: 0, y: 0 });
  expect(places.get('side')).toEqual({ x: 250, y: 200 });
  // There is room for both before c.
  expect(places.get('c')).toEqual({ x: 900, y: 0 });
  expect(places.get('fresh')?.x).toBeGreaterThanOrEqual(NODE_WIDTH);
  expect(places.get('b')?.x).toBeGreaterThanOrEqual((places.get('fresh')?.x ?? 0) + NODE_WIDTH);
});

it('stays where it was dropped where there is room', () => {
  const before = definition({ a: { x: 0, y: 0 }, b: { x: 900, y: 0 }, fresh: { x: 0, y: 500 } }, [['a', 'b']]);
  const places = put(before, 'fresh', 'a', 'b', { x: 400, y: 8 });
  expect([...places]).toEqual([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 900, y: 0 }],
    ['fresh', { x: 400, y: 8 }],
  ]);
});

it('is laid out with the others where none of them has a place', () => {
  const before = definition({ a: null, b: null, fresh: { x: 80, y: 500 } }, [['a', 'b']]);
  const after = makeRoom(before, insertIntoEdge(before, 'fresh', { from: 'a', to: 'b' }), 'fresh', { x: 90, y: 0 });
  expect(after.nodes.every((node) => node.position === undefined)).toBe(true);
});

it('lets no edge of a line of nodes lead back, and no two nodes overlap', () => {
  const spot = fc.record({ x: fc.integer({ min: -100, max: 100 }), y: fc.integer({ min: -300, max: 300 }) });
  fc.assert(
    fc.property(fc.array(spot, { minLength: 2, maxLength: 8 }), fc.nat(), spot, (gaps, at, wanted) => {
      const ids = gaps.map((_, i) => `n${i}`);
      // A line that leads to the right, at any distance.
      const spots = gaps.map((gap, i) => ({ x: i * (NODE_WIDTH + 200) + gap.x, y: gap.y }));
      const before = definition(
        { ...Object.fromEntries(ids.map((id, i) => [id, spots[i] ?? null])), fresh: { x: 0, y: 4000 } },
        ids.slice(1).map((to, i): [string, string] => [ids[i] ?? '', to]),
      );
      const i = at % (ids.length - 1);
      const from = spots[i] ?? { x: 0, y: 0 };
      const places = put(before, 'fresh', ids[i] ?? '', ids[i + 1] ?? '', { x: from.x + wanted.x, y: wanted.y });
      const line = [...ids.slice(0, i + 1), 'fresh', ...ids.slice(i + 1)].map((id) => places.get(id)!);
      for (const [n, place] of line.entries()) {
        if (n > 0) expect(place.x).toBeGreaterThanOrEqual(line[n - 1]!.x + NODE_WIDTH);
        for (const other of line.slice(n + 1)) expect(overlap(place, other)).toBe(false);
      }
    }),
  );
});
