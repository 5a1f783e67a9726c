import { findPortHolder } from '../../src/lib/listen-on-port.ts';
import { sleeper } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { publish, type TestMaster } from '../support/master.ts';

test('a worker dies, the operator sees it, and its task ends on another one', async ({ page, master }) => {
  await publish(master, 'sleeper', sleeper(6));
  await page.goto(`${master.url}/workers`);
  await expect(page.getByRole('gridcell', { name: 'Operational' })).toHaveCount(2);

  // The page is there already: however slow the machine, the task still runs when its worker dies.
  const { jobId } = (await (await master.event('sleeper/dev', [{}], { prefer: 'respond-async' })).json()) as {
    jobId: string;
  };
  await expect.poll(async () => (await master.tasks(jobId))[0]?.state).toBe('RUNNING');
  const lost = (await master.tasks(jobId))[0]?.workerId;
  process.kill(await pidOf(master, lost ?? ''), 'SIGKILL');
  // Another one takes its place at once: it is told among those that need nothing done.
  await page.getByText('Stopped and replaced', { exact: true }).click();
  await expect(page.getByRole('gridcell', { name: /^Crashed/ })).toBeVisible();

  await expect.poll(async () => (await master.job(jobId)).status).toBe('COMPLETED');
  const task = (await master.tasks(jobId)).find((one) => one.node === 'wait');
  expect(task).toMatchObject({
    state: 'COMPLETED',
    attempt: 2,
    retryEntries: [{ attempt: 1, workerId: lost, code: 'WORKER_LOST' }],
  });
  expect(task?.workerId).not.toBe(lost);
});

/** The process that listens on the worker's own address. */
async function pidOf(master: TestMaster, id: string): Promise<number> {
  const worker = (await master.workers()).find((one) => one.id === id);
  const pid = /process (\d+)/.exec(findPortHolder(Number(new URL(worker?.url ?? '').port)) ?? '')?.[1];
  if (!pid) throw new Error(`no process listens on the address of worker ${id} (${worker?.url})`);
  return Number(pid);
}
