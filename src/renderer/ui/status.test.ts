import { expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import type { TaskCounters } from '../../contract/vocabulary.ts';
import { badgeStatus } from './status.ts';

const COUNTERS: TaskCounters = {
  readyTasks: 0,
  scheduledTasks: 0,
  runningTasks: 0,
  completedTasks: 1,
  failedTasks: 1,
  scheduleTimeout: 0,
  runTimeoutTasks: 0,
};
const job = (
  facts: Partial<Pick<Job, 'status' | 'killedAt' | 'finishedAt'>>,
  counters: Partial<TaskCounters> = {},
) => ({
  status: 'FAILED' as const,
  killedAt: null,
  finishedAt: null,
  ...facts,
  taskCounters: { ...COUNTERS, ...counters },
});
const AT = '2026-01-01T00:00:00.000Z';

it('says of a failed job that has not ended that it is retried', () => {
  expect(badgeStatus(job({}))).toBe('RETRYING');
  expect(badgeStatus(job({ status: 'TIMEOUT' }, { failedTasks: 0, runTimeoutTasks: 1 }))).toBe('RETRYING');
  expect(badgeStatus(job({ finishedAt: AT }))).toBe('FAILED');
});

it('says what a job is as long as any of its tasks is in progress, and after it was killed', () => {
  expect(badgeStatus(job({ status: 'PARTIAL_FAILURE' }, { runningTasks: 1 }))).toBe('PARTIAL_FAILURE');
  expect(badgeStatus(job({ status: 'MIXED' }, { readyTasks: 1, runTimeoutTasks: 1 }))).toBe('MIXED');
  expect(badgeStatus(job({ killedAt: AT, finishedAt: AT }))).toBe('CANCELLED');
  expect(badgeStatus(job({ status: 'RUNNING' }, { failedTasks: 0, completedTasks: 0 }))).toBe('QUEUED');
});
