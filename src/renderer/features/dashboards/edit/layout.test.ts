import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Panel } from '../../../../contract/dashboards.ts';
import { compactRows, copyOfPanel, movePanelByKey, newPanel, placePanel, putPanel } from './layout.ts';

const panel = (id: string, x: number, y: number, w: number, h: number): Panel => ({
  ...newPanel([]),
  id,
  grid: { x, y, w, h },
});
const at = (panels: readonly Panel[]) =>
  Object.fromEntries(panels.map(({ id, grid: { x, y, w, h } }) => [id, [x, y, w, h]]));

describe('panels on the grid', () => {
  it('make way downwards for one that is moved onto them', () =>
    expect(
      at(
        placePanel([panel('a', 0, 0, 12, 8), panel('b', 0, 8, 12, 8), panel('c', 12, 0, 12, 8)], 'b', {
          x: 0,
          y: 2,
          w: 12,
          h: 8,
        }),
      ),
    ).toEqual({ a: [0, 10, 12, 8], b: [0, 2, 12, 8], c: [12, 0, 12, 8] }));
  it('stay within the columns', () =>
    expect(at(placePanel([panel('a', 0, 0, 12, 8)], 'a', { x: 20, y: -3, w: 30, h: 1 }))).toEqual({
      a: [0, 0, 24, 2],
    }));
  it('close the rows that a panel left empty', () =>
    expect(at(compactRows([panel('a', 0, 3, 6, 2), panel('b', 6, 4, 6, 4), panel('c', 0, 20, 6, 2)]))).toEqual({
      a: [0, 0, 6, 2],
      b: [6, 1, 6, 4],
      c: [0, 5, 6, 2],
    }));
  it('never overlap, wherever one is put', () => {
    const grid = fc.record({
      x: fc.integer({ min: 0, max: 22 }),
      y: fc.integer({ min: 0, max: 30 }),
      w: fc.integer({ min: 2, max: 24 }),
      h: fc.integer({ min: 2, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(grid, { minLength: 1, maxLength: 12 }), grid, (grids, target) => {
        const panels = grids.reduce<Panel[]>(
          (list, one, i) => placePanel([...list, panel(`p${i}`, one.x, one.y, one.w, one.h)], `p${i}`, one),
          [],
        );
        const moved = compactRows(placePanel(panels, 'p0', target));
        for (const a of moved) {
          expect(a.grid.x + a.grid.w).toBeLessThanOrEqual(24);
          for (const b of moved)
            if (a !== b)
              expect(
                a.grid.x < b.grid.x + b.grid.w &&
                  b.grid.x < a.grid.x + a.grid.w &&
                  a.grid.y < b.grid.y + b.grid.h &&
                  b.grid.y < a.grid.y + a.grid.h,
              ).toBe(false);
        }
      }),
    );
  });
});

describe('a panel that is added', () => {
  it('stands beside the last one where there is room, else below', () => {
    const three = [0, 1, 2].reduce<Panel[]>((list) => [...list, newPanel(list)], []);
    expect(Object.values(at(three))).toEqual([
      [0, 0, 12, 8],
      [12, 0, 12, 8],
      [0, 8, 12, 8],
    ]);
    expect(newPanel([panel('a', 0, 0, 14, 8)]).grid).toEqual({ x: 0, y: 8, w: 12, h: 8 });
    expect(newPanel([panel('a', 12, 0, 12, 4)]).grid).toEqual({ x: 0, y: 0, w: 12, h: 8 });
    expect(copyOfPanel([panel('a', 0, 0, 6, 4)], panel('a', 0, 0, 6, 4)).grid).toEqual({ x: 6, y: 0, w: 6, h: 4 });
  });
});

describe('arrow keys', () => {
  const grid = { x: 4, y: 2, w: 6, h: 3 };
  it.each([
    ['ArrowLeft', { ...grid, x: 3 }],
    ['ArrowRight', { ...grid, x: 5 }],
    ['ArrowUp', { ...grid, y: 1 }],
    ['ArrowDown', { ...grid, y: 3 }],
  ])('%s moves', (key, wanted) => expect(movePanelByKey(grid, key, false)).toEqual(wanted));
  it.each([
    ['ArrowLeft', { ...grid, w: 5 }],
    ['ArrowDown', { ...grid, h: 4 }],
  ])('Shift+%s sizes', (key, wanted) => expect(movePanelByKey(grid, key, true)).toEqual(wanted));
  it('stop at the edges', () =>
    expect([
      movePanelByKey({ x: 18, y: 0, w: 6, h: 2 }, 'ArrowRight', false),
      movePanelByKey({ x: 18, y: 0, w: 6, h: 2 }, 'ArrowRight', true),
      movePanelByKey({ x: 0, y: 0, w: 6, h: 2 }, 'ArrowUp', true),
    ]).toEqual([
      { x: 18, y: 0, w: 6, h: 2 },
      { x: 18, y: 0, w: 6, h: 2 },
      { x: 0, y: 0, w: 6, h: 2 },
    ]));
  it('leave other keys alone', () => expect(movePanelByKey(grid, 'a', false)).toBeNull());
});

it('a value that is taken away leaves no key', () =>
  expect(putPanel({ a: 1, b: 2 } as { a?: number; b: number }, 'a', undefined)).toEqual({ b: 2 }));
