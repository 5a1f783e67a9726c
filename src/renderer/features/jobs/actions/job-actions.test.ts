import { describe, expect, it } from 'vitest';
import { jobActions } from './job-actions.ts';

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
    expect(jobActions('kill', open, true)).toEqual({ ok: true });
    expect(jobActions('kill', ended, true)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('has finished'),
    });
    expect(jobActions('kill', { ...ended, killedAt: ended.finishedAt }, true)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('already killed'),
    });
  });
  it('retries what failed or timed out', () => {
    expect(jobActions('retry', { ...ended, taskCounters: { ...counters, failedTasks: 1 } }, true).ok).toBe(true);
    expect(jobActions('retry', { ...ended, taskCounters: { ...counters, runTimeoutTasks: 1 } }, true).ok).toBe(true);
    expect(jobActions('retry', ended, true).ok).toBe(false);
  });
  it('offers a viewer nothing', () => {
    expect(jobActions('kill', open, false)).toMatchObject({ ok: false, reason: expect.stringContaining('operator') });
  });
});
