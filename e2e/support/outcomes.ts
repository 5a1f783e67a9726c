import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../src/contract/jobs.ts';
import type { Task } from '../../src/contract/tasks.ts';
import type { ApiClient } from '../../src/lib/api-client.ts';
import type { Call, Reader } from '../../src/server/testing/outcome-checker.fixture.ts';

const END_MS = 120_000;
/** The clocks of masters and tests on one machine are one; what was asked for a moment before is looked at too. */
const CLOCKS_MS = 10_000;

/** Waits until no job runs any more; where one does not end, says what its tasks wait for. */
export async function everyJobEnds(call: ApiClient['call']): Promise<void> {
  for (const until = Date.now() + END_MS; ; await pause(200)) {
    const { jobs } = await call('master.overview');
    if (jobs.running === 0) return;
    if (Date.now() < until) continue;
    const open = await call('jobs.list', { query: { status: ['RUNNING', 'PARTIAL_FAILURE'], size: 3 } });
    const tasks = await Promise.all(open.items.map(({ id }) => call('tasks.list', { params: { jobId: id } })));
    throw new Error(`${jobs.running} jobs do not end: ${JSON.stringify({ open, tasks }, null, 1)}`);
  }
}

/**
 * What masters tell of the calls and of the jobs that these made; `since`: of those that were created from then on, where all
 * would be too many to read again each time.
 */
export function readerOf(call: ApiClient['call'], calls: readonly Call[], since?: Date): Reader {
  const keys = new Set(calls.map(({ key }) => key));
  const createdFrom = since && new Date(since.getTime() - CLOCKS_MS).toISOString();
  return {
    async jobs() {
      const all: Job[] = [];
      for (let page = 0; ; page++) {
        const { items, totalPages } = await call('jobs.list', {
          query: { page, size: 500, sort: 'createdAt,desc', ...(createdFrom ? { createdFrom } : {}) },
        });
        all.push(...items);
        if (page + 1 >= totalPages) break;
      }
      const own = all.filter(({ externalId }) => externalId !== null && keys.has(externalId));
      const ids = new Set(own.map(({ id }) => id));
      const children: Job[] = [];
      for (const { id, workflowId } of own)
        if (workflowId === 'parent')
          children.push(...(await call('jobs.list', { query: { parentJobId: id, size: 500 } })).items);
      return [...own, ...children.filter(({ id }) => !ids.has(id))];
    },
    tasks: async (jobId): Promise<Task[]> =>
      (await call('tasks.list', { params: { jobId }, query: { size: 500 } })).items,
    output: async (jobId) => ((await call('jobs.output', { params: { jobId } })) as { output: unknown[] }).output,
  };
}
