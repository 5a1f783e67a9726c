import { expect, it } from 'vitest';
import { daysOfMonth } from './month.ts';

it('shows a month in whole weeks, from Monday on', () => {
  for (let offset = -14; offset < 15; offset++) {
    const days = daysOfMonth(new Date(2027, 0, 31, 12).getTime(), offset);
    expect(days.length % 7).toBe(0);
    expect(new Date(days[0]?.from ?? 0).getDay()).toBe(1);
    const own = days.filter(({ isOfMonth }) => isOfMonth);
    expect(own.map(({ date }) => date)).toEqual(own.map((_, i) => i + 1));
    expect(own.length).toBeGreaterThanOrEqual(28);
    for (const [i, day] of days.entries()) if (i > 0) expect(day.from).toBe(days[i - 1]?.to);
  }
});
