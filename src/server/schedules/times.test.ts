import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronFault, isTimeZone, jitterMs, nextDue, type Timing } from './times.ts';

const base: Timing = {
  ...{ cron: null, everySeconds: null, at: null, timeZone: 'UTC', startAt: null, endAt: null },
  createdAt: Date.UTC(2026, 0, 1),
};
const dues = (timing: Partial<Timing>, from: string, count: number): string[] => {
  const found: string[] = [];
  for (let due = nextDue({ ...base, ...timing }, Date.parse(from)); due !== null && found.length < count;) {
    found.push(new Date(due).toISOString());
    due = nextDue({ ...base, ...timing }, due);
  }
  return found;
};

describe('the next due time', () => {
  it('is one of a cron expression with five or six fields, in the time zone', () => {
    expect(dues({ cron: '30 7 * * MON-FRI', timeZone: 'Europe/Berlin' }, '2026-07-03T12:00:00Z', 2)).toEqual([
      '2026-07-06T05:30:00.000Z',
      '2026-07-07T05:30:00.000Z',
    ]);
    expect(dues({ cron: '*/20 * * * * *' }, '2026-01-01T00:00:19.999Z', 3)).toEqual([
      '2026-01-01T00:00:20.000Z',
      '2026-01-01T00:00:40.000Z',
      '2026-01-01T00:01:00.000Z',
    ]);
  });

  it('is there once on days that change the clocks', () => {
    const nightly = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    // 02:30 does not exist on 29 March, and comes twice on 25 October.
    expect(dues(nightly, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
    expect(dues(nightly, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    const hourly = { cron: '0 * * * *', timeZone: 'Europe/Berlin' };
    expect(dues(hourly, '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it('of an interval is counted from its start, and of a date is that date', () => {
    const startAt = Date.parse('2026-01-01T00:00:07Z');
    expect(dues({ everySeconds: 60, startAt }, '2026-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-01T00:00:07.000Z',
      '2026-01-01T00:01:07.000Z',
    ]);
    expect(dues({ at: Date.parse('2026-05-01T00:00:00Z') }, '2026-01-01T00:00:00Z', 5)).toEqual([
      '2026-05-01T00:00:00.000Z',
    ]);
    expect(dues({ at: Date.parse('2026-05-01T00:00:00Z') }, '2026-05-01T00:00:00Z', 5)).toEqual([]);
  });

  it('lies from the start to before the end', () => {
    const bounds = { startAt: Date.parse('2026-01-02T00:00:00Z'), endAt: Date.parse('2026-01-04T00:00:00Z') };
    expect(dues({ cron: '@daily', ...bounds }, '2026-01-01T00:00:00Z', 9)).toEqual([
      '2026-01-02T00:00:00.000Z',
      '2026-01-03T00:00:00.000Z',
    ]);
  });

  it('is always later, and the same wherever one asks before it', () => {
    const field = (least: number, most: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: least, max: most }).map(String),
        fc.integer({ min: 2, max: 6 }).map((step) => `*/${step}`),
      );
    const cron = fc.tuple(field(0, 59), field(0, 59), field(0, 23), fc.constant('*'), field(1, 12), field(0, 6));
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
    const after = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) });
    fc.assert(
      fc.property(cron, zone, after, fc.double({ min: 0, max: 1, noNaN: true }), (fields, timeZone, from, share) => {
        const timing = { ...base, cron: fields.join(' '), timeZone };
        const due = nextDue(timing, from);
        if (due === null) return;
        expect(due).toBeGreaterThan(from);
        const between = Math.floor(from + (due - from - 1) * share);
        expect(nextDue(timing, between)).toBe(due);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a cron expression', () => {
  it.each([
    ['61 * * * *', 'minute'],
    ['* * *', 'five or six'],
    ['0 0 30 2 *', 'never due'],
    ['0 0 31 4,6 *', 'never due'],
    ['0 0 1 * +MON#2', 'never due'],
    ['0 0 15W * +SUN', 'never due'],
    ['0 0 LW * +SAT', 'never due'],
    ['0 0 L * +MON#1', 'never due'],
    ['2026-01-01T00:00:00', 'got a date'],
    ['every day', 'cannot be read: exactly five or six fields are required'],
    ['99 25 * * FOO', 'the weekday "FOO" is not valid'],
    ['* * * 13 *', 'the month is out of range'],
    ['0 0 32W * *', 'the day is out of range'],
    ['0 0 0 1 1 1 2030', 'five or six fields'],
    ['* * * * 9', 'the weekday is out of range'],
    ['1,,2 * * * *', 'the minute has an empty value'],
  ])('%s is refused, with the reason', (cron, reason) => expect(cronFault(cron)).toContain(reason));
  it.each([
    '* * * * *',
    '0 0 29 2 *',
    '0 0 L * *',
    '0 9 * * MON#1',
    '@hourly',
    '0 0 30 2 MON',
    '0 0 29 2 +TUE',
    '0 0 L * +FRI#L',
    '0 0 8-14 * +MON#2',
    '0 0 LW * +FRI',
  ])('%s is taken', (cron) => expect(cronFault(cron)).toBeNull());
  it('of days of the month that must be weekdays is taken where such a day comes', () => {
    const day = fc.oneof(fc.integer({ min: 1, max: 31 }).map(String), fc.constantFrom('L', 'LW', '1W', '31W', '30W'));
    const weekday = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom('', '#1', '#2', '#4', '#5', '#L'));
    fc.assert(
      fc.property(day, fc.constantFrom('*', '2', '2,4', '11'), weekday, (on, months, [at, which]) => {
        const fields = `${on} ${months} +${at}${which}`;
        const within = new Cron(`0 0 0 ${fields} 2000-2027`, { timezone: 'UTC', mode: '7-part', paused: true });
        const comes = within.nextRun(new Date('1999-12-31T00:00:00Z')) !== null;
        expect(cronFault(`0 0 ${fields}`) === null, fields).toBe(comes);
      }),
      { numRuns: 60 },
    );
  });
});

it('knows time zones by their names', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Base', 'x y'].map(isTimeZone)).toEqual([true, true, false, false]);
});

it('puts a start off within its jitter, alike each time', () => {
  const some = [1, 2, 3, 4].map((due) => jitterMs('a', due, 10));
  expect(some).toEqual([1, 2, 3, 4].map((due) => jitterMs('a', due, 10)));
  expect(new Set(some).size).toBeGreaterThan(1);
  expect(Math.max(...some)).toBeLessThan(10_000);
  expect(jitterMs('a', 1, 0)).toBe(0);
});
