import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crossesViewport, idsInViewport } from './viewport.ts';

type State = Parameters<typeof idsInViewport>[0];

function state(
  places: Readonly<Record<string, readonly [number, number]>>,
  transform: [number, number, number] = [0, 0, 1],
): State {
  const nodes = Object.entries(places).map(
    ([id, [x, y]]) => [id, { internals: { positionAbsolute: { x, y } }, measured: { width: 40, height: 20 } }] as const,
  );
  return { transform, width: 800, height: 600, nodeLookup: new Map(nodes) } as unknown as State;
}

it('names the nodes of which anything is in sight, wherever the canvas was moved to', () => {
  const places = { left: [-39, 0], out: [-41, 0], right: [799, 599], below: [0, 600] } as const;
  expect(idsInViewport(state(places))).toEqual(['left', 'right']);
  expect(idsInViewport(state(places, [2, 0, 1]))).toEqual(['left', 'out']);
  expect(idsInViewport(state(places, [100, 0, 0.5]))).toEqual(['left', 'out', 'right', 'below']);
});
it('takes an edge to be in sight where it leads past, though neither of its nodes is', () => {
  const places = { west: [-500, 300], east: [1000, 320], south: [-500, 900] } as const;
  expect(crossesViewport({ source: 'west', target: 'east' }, state(places))).toBe(true);
  expect(crossesViewport({ source: 'west', target: 'south' }, state(places))).toBe(false);
  expect(crossesViewport({ source: 'west', target: 'nowhere' }, state(places))).toBe(false);
});
it('takes every edge of a node in sight to be in sight', () => {
  const spot = fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -2000, max: 2000 }));
  fc.assert(
    fc.property(spot, spot, fc.double({ min: 0.05, max: 2, noNaN: true }), (a, b, zoom) => {
      const now = state({ a, b }, [30, -20, zoom]);
      if (idsInViewport(now).length > 0) expect(crossesViewport({ source: 'a', target: 'b' }, now)).toBe(true);
    }),
  );
});
