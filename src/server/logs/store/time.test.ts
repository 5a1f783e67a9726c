import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeReader, type Instant } from './time.ts';

const two = fc.integer({ min: 0, max: 61 }).map((n) => String(n).padStart(2, '0'));
const time = fc
  .record({
    day: fc.constantFrom('2026-01-10', '2026-02-29', '2024-02-29', '1969-12-31'),
    between: fc.constantFrom('T', 'T', 'T', ' '),
    hours: fc.constantFrom('00', '23', '24'),
    minutes: fc.constantFrom('00', '59', '60'),
    seconds: two,
    fraction: fc.option(fc.stringMatching(/^[.,]\d{0,12}$/), { nil: '' }),
    zone: fc.constantFrom('Z', 'Z', 'Z', 'z', '', '+01:00', '-0030', 'ZZ'),
  })
  .map(
    ({ day, between, hours, minutes, seconds, fraction, zone }) =>
      `${day}${between}${hours}:${minutes}:${seconds}${fraction}${zone}`,
  );
/** With one character that is another. */
const broken = fc
  .tuple(time, fc.nat(), fc.stringMatching(/^[ -~]$/))
  .map(([text, at, other]) => text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1));

describe('times in bytes', () => {
  it('are what they are as texts, whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(time, time, broken), { minLength: 1, maxLength: 20 }), (texts) => {
        const reader = createTimeReader();
        for (const text of texts) {
          const bytes = Buffer.from(`"${text}"`, 'latin1');
          const [found, expected]: [Instant, Instant] = [
            { ms: 0, ns: 0 },
            { ms: 0, ns: 0 },
          ];
          const read = reader.readBytes(bytes, 1, bytes.length - 1, found);
          expect(read, text).toBe(createTimeReader().read(text, expected));
          if (read) expect(found, text).toEqual(expected);
        }
      }),
    );
  });

  it('keep their nanoseconds within a minute, and across it', () => {
    const reader = createTimeReader();
    const read = (text: string) => {
      const instant = { ms: 0, ns: 0 };
      expect(reader.readBytes(Buffer.from(text), 0, text.length, instant)).toBe(true);
      return [instant.ms - Date.UTC(2026, 0, 10, 12), instant.ns];
    };
    expect(read('2026-01-10T12:00:00Z')).toEqual([0, 0]);
    expect(read('2026-01-10T12:00:59.123456789Z')).toEqual([59_123, 456_789]);
    expect(read('2026-01-10T12:00:07.5Z')).toEqual([7500, 0]);
    expect(read('2026-01-10T12:00:60Z')).toEqual([60_000, 0]);
    expect(read('2026-01-10T12:01:00.000000001Z')).toEqual([60_000, 1]);
    expect(read('2026-01-10T12:00:01Z')).toEqual([1000, 0]);
  });
});
