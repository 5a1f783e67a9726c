import { describe, expect, it } from 'vitest';
import { countByMinute } from './minutes.ts';

const now = Date.UTC(2026, 0, 1, 12, 30, 20);

describe('the last minutes of a chart', () => {
  it('ends in the minute of now and has one row a minute', () => {
    const { times } = countByMinute([], 3, now);
    expect(times.map((time) => new Date(time * 1000).toISOString())).toEqual([
      '2026-01-01T12:28:00.000Z',
      '2026-01-01T12:29:00.000Z',
      '2026-01-01T12:30:00.000Z',
    ]);
  });

  it('shows windows that are left out as nothing happening, and leaves out what is older', () => {
    const points = [
      { timestamp: '2026-01-01T12:00:00.000Z', counter_input_event_count: 99 },
      { timestamp: '2026-01-01T12:29:00.000Z', counter_input_event_count: 4, counter_error_count: 1 },
    ];
    expect(countByMinute(points, 3, now)).toMatchObject({ events: [0, 4, 0], errors: [0, 1, 0] });
  });
});
