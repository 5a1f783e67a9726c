import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionAfter, MAX_TRACK_HEIGHT, thumbPosition } from './use-long-scroll.ts';

const long = { full: 36_000_000, track: MAX_TRACK_HEIGHT, view: 700 };
const short = { full: 50_000, track: 50_000, view: 700 };

describe('the scroll bar of a list that is taller than browsers draw', () => {
  it('is the place itself where the list is not', () => {
    expect(thumbPosition(1234, short)).toBe(1234);
    expect(positionAfter({ at: 0, thumb: 0 }, 1234, short)).toEqual({ at: 1234, thumb: 1234 });
  });

  it('goes short ways pixel by pixel, and long ones by their share', () => {
    const middle = { at: 18_000_000, thumb: thumbPosition(18_000_000, long) };
    expect(positionAfter(middle, middle.thumb + 100, long).at).toBe(18_000_100);
    expect(positionAfter(middle, long.track - long.view, long).at).toBe(long.full - long.view);
    expect(positionAfter(middle, 0, long).at).toBe(0);
  });

  it('leads back to a place that the thumb was put for, and never beyond the ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: long.full - long.view }),
        fc.integer({ min: 0, max: MAX_TRACK_HEIGHT - long.view }),
        (at, thumb) => {
          const put = thumbPosition(at, long);
          expect(put).toBeGreaterThanOrEqual(0);
          expect(put).toBeLessThanOrEqual(long.track - long.view + 1e-6);
          const next = positionAfter({ at, thumb: put }, thumb, long);
          expect(next.at).toBeGreaterThanOrEqual(0);
          expect(next.at).toBeLessThanOrEqual(long.full - long.view);
          if (Math.abs(thumb - put) > long.view) expect(Math.abs(thumbPosition(next.at, long) - thumb)).toBeLessThan(1);
        },
      ),
    );
  });
});
