import { expect, test } from '@playwright/test';
import { sleeper } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';

const JOBS = 1000;
const SENDERS = 25;

test(
  '1,000 accepted jobs survive a SIGKILL of the master: all end COMPLETED, none twice',
  { tag: '@goal' },
  async () => {
    // Few slots: however slowly the jobs are sent, they are not all done when the last one is accepted.
    const before = await startMaster({ capacity: 2 });
    await publish(before, 'sleeper', sleeper(0.1));
    const accepted = await accept(before);
    expect(accepted.size).toBe(JOBS);
    const open = (await page(before, 0)).items.filter((job) => job.status !== 'COMPLETED').length;
    expect(open, 'the master dies in the middle of its work').toBeGreaterThan(0);
    await before.kill();

    const after = await startMaster({ data: before.data });
    try {
      await expect
        .poll(async () => (await after.call('jobs.list', { query: { status: 'COMPLETED', size: 1 } })).totalItems, {
          timeout: 120_000,
          intervals: [500],
        })
        .toBe(JOBS);
      const jobs = [...(await page(after, 0)).items, ...(await page(after, 1)).items];
      expect(new Set(jobs.map((job) => job.id))).toEqual(accepted);
      expect(new Set(jobs.map((job) => job.externalId)).size).toBe(JOBS);
      for (const job of jobs) expect(job.taskCounters).toMatchObject({ completedTasks: 2, failedTasks: 0 });
    } finally {
      await after.stop();
      forget(after.data);
    }
  },
);

/** Sends them all, some at once; returns the ids that were answered with 202. */
async function accept(master: TestMaster): Promise<Set<string>> {
  const ids = new Set<string>();
  let next = 0;
  const send = async () => {
    while (next < JOBS) {
      const number = next++;
      const answer = await master.event('sleeper/dev', [{ number }], {
        prefer: 'respond-async',
        'x-external-id': `order-${number}`,
      });
      expect(answer.status).toBe(202);
      ids.add(((await answer.json()) as { jobId: string }).jobId);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return ids;
}

const page = (master: TestMaster, number: number) =>
  master.call('jobs.list', { query: { page: number, size: 500, sort: 'createdAt,desc' } });
