import { expect, it } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import { findRelatedJobs } from './related-jobs.ts';

const job = (id: string, parentTaskId: string | null = null) => ({ id, parentTaskId });
const known = [job('top'), job('mid', 'task-of-top'), job('low', 'task-of-mid'), job('lower', 'task-of-low')];
const childrenOf = (id: string) => known.filter(({ parentTaskId }) => parentTaskId === `task-of-${id}`);

async function related(id: string, unseen: readonly string[]) {
  const leftOut = new Set<string>();
  const jobs = {
    task: async (taskId: string) => ({ jobId: taskId.slice('task-of-'.length) }),
    get: async (jobId: string) => known.find((one) => one.id === jobId),
    list: async ({ parentJobId }: { parentJobId: string }) => ({ items: childrenOf(parentJobId), totalPages: 1 }),
  };
  const found = await findRelatedJobs({
    services: { jobs, limits: LIMITS },
    request: { job: known.find((one) => one.id === id), shows: async (one: string) => !unseen.includes(one) },
    leftOut,
    signal: new AbortController().signal,
  } as never);
  return { ids: found.map((one) => one.id), leftOut: [...leftOut] };
}

it('takes along who called a job and whom it called', async () => {
  expect(await related('mid', [])).toEqual({ ids: ['mid', 'top', 'low', 'lower'], leftOut: [] });
});

it('leaves out, and says so, what must not be seen, with all that is behind it', async () => {
  const leftOut = [expect.stringContaining('may not see')];
  expect(await related('mid', ['low'])).toEqual({ ids: ['mid', 'top'], leftOut });
  expect(await related('low', ['mid'])).toEqual({ ids: ['low', 'lower'], leftOut });
});
