import { expect, it } from 'vitest';
import { fit, isVisible, MAX_SCALE, neighbour, opening, reveal, zoom } from './view-box.ts';

it('fits a drawing into the middle and never enlarges it', () => {
  expect(fit({ width: 100, height: 50 }, { width: 400, height: 200 })).toEqual({ scale: 1, x: 150, y: 75 });
  expect(fit({ width: 736, height: 10 }, { width: 400, height: 200 }).scale).toBe(0.5);
  expect(fit({ width: 0, height: 0 }, { width: 0, height: 0 }).scale).toBeGreaterThan(0);
});

it('zooms around the pointer, within bounds', () => {
  const box = zoom({ scale: 1, x: 10, y: 20 }, 1.5, 110, 120);
  expect([(110 - box.x) / box.scale, (120 - box.y) / box.scale]).toEqual([100, 100]);
  expect(zoom(box, 100, 0, 0).scale).toBe(MAX_SCALE);
});

it('moves only as far as it takes to show a node', () => {
  const window = { width: 200, height: 100 };
  expect(reveal({ scale: 1, x: 0, y: 0 }, { x: 20, y: 20, width: 50, height: 20 }, window)).toEqual({
    scale: 1,
    x: 0,
    y: 0,
  });
  expect(reveal({ scale: 1, x: 0, y: 0 }, { x: 300, y: 20, width: 50, height: 20 }, window)).toEqual({
    scale: 1,
    x: -166,
    y: 0,
  });
});

it('finds the neighbour in the direction of an arrow', () => {
  const at = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
  const [a, b, c] = [at(0, 0), at(50, 0), at(50, 40)];
  expect(neighbour(a, [a, b, c], 'ArrowRight')).toBe(b);
  expect(neighbour(b, [a, b, c], 'ArrowDown')).toBe(c);
  expect(neighbour(a, [a, b, c], 'ArrowLeft')).toBeNull();
});

it('sees what the window shows and a little more, in steps', () => {
  const window = { width: 500, height: 300 };
  const sight = isVisible({ scale: 2, x: -1000, y: 0 }, window);
  expect(sight.left).toBeLessThanOrEqual(500);
  expect(sight.right).toBeGreaterThanOrEqual(750);
  expect(sight.bottom).toBeGreaterThanOrEqual(150);
  expect(isVisible({ scale: 2, x: -1001, y: 0 }, window)).toEqual(sight);
});

it('opens on the whole where it can be read, else where it begins', () => {
  const window = { width: 400, height: 300 };
  const start = { x: 5000, y: 0, width: 100, height: 40 };
  expect(opening({ width: 300, height: 100 }, { ...start, x: 0 }, window).scale).toBe(1);
  const box = opening({ width: 10_000, height: 400 }, start, window);
  expect((start.x + 50) * box.scale + box.x).toBe(200);
  expect(opening({ width: 10_000, height: 400 }, { ...start, x: 0 }, window).x).toBe(16);
});
