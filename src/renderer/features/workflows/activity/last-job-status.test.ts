import { expect, it } from 'vitest';
import type { JobStatus } from '../../../../contract/vocabulary.ts';
import { lastJobStatus } from './last-job-status.ts';

const AT = '2026-01-01T00:00:00.000Z';
const counters = {
  ...{ readyTasks: 0, scheduledTasks: 0, runningTasks: 0, completedTasks: 1, failedTasks: 1 },
  ...{ scheduleTimeout: 0, runTimeoutTasks: 0 },
};
const job = (status: Exclude<JobStatus, 'RUNNING'>) => ({ id: 'j', status, displayStatus: status, createdAt: AT });
const waiting = { finishedAt: null, killedAt: null, taskCounters: counters };

it('says of a job between two attempts that it is retried', () => {
  expect(lastJobStatus({ ...job('FAILED'), ...waiting })).toBe('RETRYING');
  expect(lastJobStatus({ ...job('TIMEOUT'), ...waiting })).toBe('RETRYING');
  expect(lastJobStatus({ ...job('FAILED'), ...waiting, finishedAt: AT })).toBe('FAILED');
});

it('says partial failure as long as other tasks are in progress, and cancelled after a kill', () => {
  const active = { ...waiting, taskCounters: { ...counters, runningTasks: 1 } };
  expect(lastJobStatus({ ...job('PARTIAL_FAILURE'), ...active })).toBe('PARTIAL_FAILURE');
  expect(lastJobStatus({ ...job('FAILED'), ...waiting, finishedAt: AT, killedAt: AT })).toBe('CANCELLED');
});

it('says what a master of an earlier release says', () => expect(lastJobStatus(job('FAILED'))).toBe('FAILED'));
