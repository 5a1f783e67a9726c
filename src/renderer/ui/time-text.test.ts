import { describe, expect, it } from 'vitest';
import { formatAgo, formatInstant } from './time-text.ts';

const now = Date.UTC(2026, 10, 21, 14, 3, 7, 120);

describe('an age', () => {
  it.each([
    [0, 'now'],
    [-900, 'now'],
    [2000, '2 s ago'],
    [61_000, '1 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [2 * 86_400_000, '2 d ago'],
    [-8000, 'in 8 s'],
  ])('of %i ms reads %s', (age, text) => {
    expect(formatAgo(now - age, now)).toBe(text);
  });
});

describe('an instant', () => {
  it('shows date, time and milliseconds, and says UTC where it is that', () => {
    expect(formatInstant(now, 'utc')).toBe('2026-11-21 14:03:07.120 UTC');
  });

  it('can leave the milliseconds out', () => {
    expect(formatInstant(now, 'utc', false)).toBe('2026-11-21 14:03:07 UTC');
  });

  it('hands on what is no time', () => {
    expect(formatInstant('soon', 'utc')).toBe('soon');
  });
});
