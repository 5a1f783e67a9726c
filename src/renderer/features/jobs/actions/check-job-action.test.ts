import { describe, expect, it } from 'vitest';
import { checkJobAction, whyNoJob } from './check-job-action.ts';

const counters = {
  readyTasks: 0,
  scheduledTasks: 0,
  runningTasks: 0,
  completedTasks: 0,
  failedTasks: 0,
  scheduleTimeout: 0,
  runTimeoutTasks: 0,
};
const open = { finishedAt: null, killedAt: null, taskCounters: { ...counters, runningTasks: 1 } };
const ended = {
  finishedAt: '2026-01-01T00:00:00.000Z',
  killedAt: null,
  taskCounters: { ...counters, completedTasks: 1 },
};

describe('what may be done to a job', () => {
  it('kills what is open, and says why not otherwise', () => {
    expect(checkJobAction('kill', open, undefined)).toEqual({ ok: true });
    expect(checkJobAction('kill', ended, undefined)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('has finished'),
    });
    expect(checkJobAction('kill', { ...ended, killedAt: ended.finishedAt }, undefined)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('already killed'),
    });
  });
  it('retries what failed or timed out', () => {
    expect(checkJobAction('retry', { ...ended, taskCounters: { ...counters, failedTasks: 1 } }, undefined).ok).toBe(
      true,
    );
    expect(checkJobAction('retry', { ...ended, taskCounters: { ...counters, runTimeoutTasks: 1 } }, undefined).ok).toBe(
      true,
    );
    expect(checkJobAction('retry', ended, undefined).ok).toBe(false);
  });
  it('says of several why none can be, and nothing where one can', () => {
    expect(whyNoJob('kill', [ended, open])).toBeNull();
    expect(whyNoJob('kill', [ended, ended])).toContain('has finished');
    expect(whyNoJob('retry', [ended])).toContain('failed or timed out');
    expect(whyNoJob('rerun', [ended])).toBeNull();
  });
  it('offers a viewer nothing', () => {
    expect(checkJobAction('kill', open, 'Requires the role operator')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('operator'),
    });
  });
});
