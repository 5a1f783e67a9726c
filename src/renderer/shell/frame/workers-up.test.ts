import { expect, it } from 'vitest';
import { noneTakesTasks, workersUp } from './workers-up.ts';

const workers = (operational: number, drained: number, total = 3) => ({
  total,
  operational,
  maxed: 0,
  unstable: 0,
  down: total - operational,
  drained,
  currentTasks: 0,
  maxTasks: 8,
});

it('says how many are up, and how many of these take no tasks', () => {
  expect([workers(2, 0), workers(2, 1), workers(2, 2), workers(1, 1, 1), workers(0, 0)].map(workersUp)).toEqual([
    '2 of 3 workers up',
    '2 of 3 workers up, 1 drained',
    '2 of 3 workers up, all drained',
    '1 of 1 worker up, drained',
    '0 of 3 workers up',
  ]);
  expect([workers(2, 1), workers(2, 2), workers(0, 0)].map(noneTakesTasks)).toEqual([false, true, true]);
});
