import { expect, test } from 'vitest';
import { validZoom, nextZoom } from './zoom.ts';

test('it goes by the steps of browsers, and stays at the first and the last', () => {
  const steps = [1];
  for (let i = 0; i < 9; i++) steps.push(nextZoom(steps.at(-1) ?? 0, 'in'));
  expect(steps).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3, 3]);
  expect([nextZoom(1, 'out'), nextZoom(0.5, 'out'), nextZoom(1.3, 'out'), nextZoom(2.5, 'reset')]).toEqual([
    0.9, 0.5, 1.25, 1,
  ]);
});

test.each([undefined, null, '2', Number.NaN, 0, 0.2, 40])('%j is no zoom', (value) => {
  expect([validZoom(value), validZoom(1.5)]).toEqual([1, 1.5]);
});
