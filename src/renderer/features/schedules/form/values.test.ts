import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../../contract/schedules.ts';
import { faultsFrom, settingsOf, timingOf, valuesOf } from './values.ts';

const fresh = valuesOf(null, 'report', 'Europe/Berlin');

describe('the form of a schedule', () => {
  it('sends a cron expression, an interval or a date, one of them', () => {
    expect(timingOf({ ...fresh, cron: ' @daily ' })).toEqual({ cron: '@daily' });
    expect(timingOf({ ...fresh, kind: 'every', every: '60' })).toEqual({ everySeconds: 60 });
    expect(timingOf({ ...fresh, kind: 'once', at: '2027-01-31T08:30:00Z' })).toEqual({
      at: '2027-01-31T08:30:00.000Z',
    });
    expect(timingOf({ ...fresh, kind: 'every', every: 'x' })).toBeNull();
  });

  it('sends what was filled in, and nothing for what was left empty', () => {
    expect(settingsOf({ ...fresh, labels: 'team=ops, area=a/b', description: ' ' })).toMatchObject({
      settings: {
        inputs: [{}],
        labels: { team: 'ops', area: 'a/b' },
        description: null,
        startAt: null,
        jitterSeconds: 0,
      },
    });
    expect(settingsOf({ ...fresh, source: 'expression', expression: '{"day": dueAt}' })).toMatchObject({
      settings: { inputExpression: '{"day": dueAt}' },
    });
  });

  it('says at each field what is wrong', () => {
    const wrong = { ...fresh, workflowId: '', cron: '', inputs: '{}', jitter: '1.5', labels: '=x' };
    expect(Object.keys('faults' in settingsOf(wrong) ? { ...settingsOf(wrong) } : {})).toEqual(['faults']);
    expect(settingsOf(wrong)).toMatchObject({
      faults: {
        workflowId: 'Required.',
        cron: 'Required.',
        inputs: 'Enter a JSON array.',
        jitter: 'Enter a whole number.',
      },
    });
    expect(faultsFrom([{ pointer: '/everySeconds', message: 'is too small' }])).toEqual({ every: 'is too small' });
  });

  it('shows a schedule as it is', () => {
    const schedule: Schedule = {
      ...{ id: 's', workflowId: 'report', environment: 'prod' as const, cron: null, everySeconds: 60, at: null },
      ...{ timeZone: 'UTC', inputs: [{ n: 1 }], inputExpression: null, overlap: 'skip' as const, catchUpSeconds: 5 },
      ...{ jitterSeconds: 1, startAt: null, endAt: null, paused: false, priority: 2, labels: { a: 'b' } },
      ...{ description: null, nextAt: null, lastAt: null, lastOutcome: null, waitingAt: null },
      ...{ createdAt: '', updatedAt: '', createdBy: '' },
    };
    const { settings } = settingsOf(valuesOf(schedule, '', 'UTC')) as { settings: object };
    expect(settings).toMatchObject({ everySeconds: 60, inputs: [{ n: 1 }], overlap: 'skip', labels: { a: 'b' } });
  });
});
