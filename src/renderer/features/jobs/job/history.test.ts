import { expect, it } from 'vitest';
import type { Job } from '../../../../contract/jobs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import { jobHistory } from './history.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

it('merges what happened to the job and to its tasks, newest first', () => {
  const job = { createdAt: at(0), killedAt: null, retriedAt: null, finishedAt: at(3) } as Job;
  const task = {
    id: 't',
    node: 'shout',
    replica: 0,
    history: [
      { from: null, to: 'READY', at: at(0), attempt: 1, workerId: null, reason: null },
      { from: 'READY', to: 'SCHEDULED', at: at(1), attempt: 1, workerId: 'w', reason: 'assigned' },
      { from: 'RUNNING', to: 'COMPLETED', at: at(3), attempt: 1, workerId: 'w', reason: null },
    ],
  } as unknown as Task;
  expect(jobHistory(job, [task]).map((row) => row.to ?? row.what)).toEqual([
    'Job finished',
    'COMPLETED',
    'SCHEDULED',
    'READY',
    'Job created',
  ]);
});
