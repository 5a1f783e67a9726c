import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { formatAgo, formatBrief, formatInstant, instantOfWall, isKnownZone, wallTime, zoneName } from './time-text.ts';

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
    [-(90 * 86_400_000 - 5000), 'in 3 mo'],
    [-(3_600_000 - 1000), 'in 1 h'],
    [89 * 86_400_000, '2 mo ago'],
  ])('of %i ms reads %s', (age, text) => {
    expect(formatAgo(now - age, now)).toBe(text);
  });
});

describe('a brief instant', () => {
  afterEach(() => setLanguage('en', {}));

  it.each([
    ['en', '11-21 14:03:07.120'],
    ['de-DE', '21.11. 14:03:07,120'],
  ])('has day and month, and the whole time, in %s', (locale, text) => {
    setLanguage(locale, {});
    expect(formatBrief(now, 'utc')).toBe(text);
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

describe('any zone of the world', () => {
  it('is told behind the time, with the offset of that very day', () => {
    expect(formatInstant(now, 'Asia/Kolkata', false)).toBe('2026-11-21 19:33:07 UTC+05:30');
    expect(formatInstant(Date.UTC(2026, 6, 1), 'Europe/Berlin', false)).toBe('2026-07-01 02:00:00 UTC+02:00');
    expect(zoneName('America/New_York', new Date(now))).toBe('UTC−05:00');
  });

  it('is read back from what its clock shows, whatever the time and the zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.constantFrom(
          'utc',
          'local',
          'Europe/Berlin',
          'Asia/Kolkata',
          'Pacific/Apia',
          'America/St_Johns',
          'Pacific/Auckland',
        ),
        (seconds, zone) => {
          const back = instantOfWall(wallTime(seconds * 1000, zone), zone);
          // An hour that comes twice is one text: the clock shows the same for both.
          expect(wallTime(back ?? Number.NaN, zone)).toBe(wallTime(seconds * 1000, zone));
        },
      ),
    );
  });

  it('gives the next time for one that the clocks left out', () => {
    expect(instantOfWall('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(instantOfWall('never', 'Europe/Berlin')).toBeNull();
  });
});

it.each([
  ['local', true],
  ['utc', true],
  ['Europe/Berlin', true],
  ['Mars/Olympus', false],
  ['', false],
])('the zone %j is known: %s', (zone, expected) => expect(isKnownZone(zone)).toBe(expected));
