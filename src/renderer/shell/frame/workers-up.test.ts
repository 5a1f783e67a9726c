import { expect, it } from 'vitest';
import { noWorkerAccepts, workersUp } from './workers-up.ts';

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
    '2 of 3 workers online',
    '2 of 3 workers online, 1 draining',
    '2 of 3 workers online, all draining',
    '1 of 1 worker online, draining',
    '0 of 3 workers online',
  ]);
  expect([workers(2, 1), workers(2, 2), workers(0, 0)].map(noWorkerAccepts)).toEqual([false, true, true]);
});
