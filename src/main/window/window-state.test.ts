import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readWindowState, validBox, writeWindowState } from './window-state.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const laptop = { x: 0, y: 0, width: 1440, height: 900 };
const beside = { x: 1440, y: 0, width: 2560, height: 1440 };

test('a window comes back where it was', () => {
  const box = { x: 1600, y: 100, width: 1400, height: 900 };
  expect(validBox(box, [laptop, beside])).toEqual(box);
});

test('a window of a display that is gone, or out of reach, is placed anew', () => {
  expect(validBox({ x: 1600, y: 100, width: 1400, height: 900 }, [laptop])).toBeNull();
  expect(validBox({ x: 10, y: -400, width: 1400, height: 900 }, [laptop])).toBeNull();
  expect(validBox({ x: 10, y: 890, width: 1400, height: 900 }, [laptop])).toBeNull();
});

test('a window larger than its display is cut, a tiny one grows', () => {
  expect(validBox({ x: 0, y: 0, width: 5000, height: 3000 }, [laptop])).toEqual(laptop);
  expect(validBox({ x: 0, y: 0, width: 300, height: 200 }, [laptop])).toEqual({ x: 0, y: 0, width: 1024, height: 700 });
});

test.each([
  undefined,
  null,
  'x',
  {},
  { x: 0, y: 0, width: Number.NaN, height: 1 },
  { x: 0.5, y: 0, width: 1100, height: 800 },
])('%j is no box', (value) => {
  expect(validBox(value, [laptop])).toBeNull();
});

test('what is kept comes back; where nothing can be written or read, the window opens as at first', () => {
  const folder = temporaryFolder('window');
  const state = { box: { x: 10, y: 10, width: 1200, height: 800 }, maximized: true, zoom: 1.5 };
  writeWindowState(join(folder, 'new', 'window.json'), state);
  expect(readWindowState(join(folder, 'new', 'window.json'), [laptop])).toEqual(state);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  writeWindowState(join(folder, 'new', 'window.json', 'window.json'), state);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('could not save the window position'));
  said.mockRestore();
  expect(readWindowState(join(folder, 'none.json'), [laptop])).toEqual({ box: null, maximized: false, zoom: 1 });
});
