import { expect, test } from 'vitest';
import { chartKey, chosenTimes, NO_PLACE } from './chart-keys.ts';

const press = (key: string, place = NO_PLACE, shiftKey = false) => chartKey({ key, shiftKey }, place, 0, 99);

test('the arrows begin at the newest time and stay in the chart', () => {
  expect(press('ArrowLeft')).toEqual({ at: 99, from: null });
  expect(press('ArrowLeft', { at: 99, from: null })).toEqual({ at: 98, from: null });
  expect(press('ArrowRight', { at: 99, from: null })).toEqual({ at: 99, from: null });
  expect(press('PageUp', { at: 5, from: null })).toEqual({ at: 0, from: null });
  expect([press('Home'), press('End')]).toEqual([
    { at: 0, from: null },
    { at: 99, from: null },
  ]);
  expect(chartKey({ key: 'Home', shiftKey: false }, NO_PLACE, 0, -1)).toBeNull();
  // Of a chart that is zoomed into, what it shows.
  expect(chartKey({ key: 'PageUp', shiftKey: false }, { at: 90, from: null }, 40, 60)).toEqual({ at: 58, from: null });
});

test('with Shift they choose a stretch, Enter zooms into it, another step lets go of it', () => {
  const chosen = press('ArrowLeft', { at: 40, from: null }, true);
  expect(chosen).toEqual({ at: 39, from: 40 });
  expect(press('PageUp', chosen as typeof NO_PLACE, true)).toEqual({ at: 29, from: 40 });
  expect(press('Enter', { at: 29, from: 40 })).toBe('zoom');
  expect(press('Enter', { at: 40, from: null })).toBeNull();
  expect(press('ArrowLeft', { at: 29, from: 40 })).toEqual({ at: 28, from: null });
});

test('Escape is for the chart as long as something is shown in it', () => {
  expect(press('Escape', { at: 4, from: 2 })).toEqual(NO_PLACE);
  expect(press('Escape')).toBeNull();
  expect(press('g')).toBeNull();
});

test('what was chosen is from time to time, of bars with the last one whole', () => {
  const times = [0, 60, 120, 180];
  expect(chosenTimes({ at: 2, from: 1 }, times, false)).toEqual([60, 120]);
  expect(chosenTimes({ at: 1, from: 2 }, times, true)).toEqual([60, 180]);
  expect(chosenTimes({ at: 3, from: 2 }, times, true)).toEqual([120, 240]);
  expect(chosenTimes({ at: 3, from: null }, times, true)).toBeNull();
});
