import { expect, it } from 'vitest';
import { panRange, zoomRange } from './zoom.ts';

const whole = { from: 1000, to: 2000 };

it('goes nearer around the middle, and back to the whole', () => {
  expect(zoomRange(whole, whole, 2)).toEqual({ from: 1250, to: 1750 });
  expect(zoomRange({ from: 1250, to: 1750 }, whole, 0.5)).toBeNull();
  expect(zoomRange({ from: 1000, to: 1001 }, whole, 4)).toEqual({ from: 1000, to: 1001 });
});
it('stays within the time of the job', () => {
  expect(zoomRange({ from: 1000, to: 1100 }, whole, 0.5)).toEqual({ from: 1000, to: 1200 });
  expect(panRange({ from: 1800, to: 1900 }, whole, 2)).toEqual({ from: 1900, to: 2000 });
  expect(panRange({ from: 1800, to: 1900 }, whole, -0.5)).toEqual({ from: 1750, to: 1850 });
  expect(panRange(whole, whole, 1)).toBeNull();
});
