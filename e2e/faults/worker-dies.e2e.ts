import { expect, test } from '@playwright/test';
import { findPortHolder } from '../../src/lib/listen-on-port.ts';
import { sleeper } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster } from '../support/master.ts';

const JOBS = 8;

test('the running tasks of a worker that dies are retried elsewhere, and every job ends COMPLETED', async () => {
  const master = await startMaster();
  try {
    await publish(master, 'sleeper', sleeper(4));
    const ids = await Promise.all(
      Array.from(
        { length: JOBS },
        async () =>
          ((await (await master.event('sleeper/dev', [{}], { prefer: 'respond-async' })).json()) as { jobId: string })
            .jobId,
      ),
    );
    const firstTasks = async () =>
      (await Promise.all(ids.map((id) => master.tasks(id)))).flatMap((tasks) =>
        tasks.filter((task) => task.node === 'wait'),
      );
    await expect.poll(async () => (await firstTasks()).every((task) => task.state === 'RUNNING')).toBe(true);
    const running = await firstTasks();
    const lost = running[0]?.workerId ?? '';
    const theirs = running.filter((task) => task.workerId === lost).map((task) => task.id);
    const { url } = (await master.workers()).find((worker) => worker.id === lost) ?? { url: '' };
    const pid = Number(/process (\d+)/.exec(findPortHolder(Number(new URL(url).port)) ?? '')?.[1]);
    process.kill(pid, 'SIGKILL');

    await expect
      .poll(async () => (await Promise.all(ids.map((id) => master.job(id)))).map((job) => job.status), {
        timeout: 60_000,
        intervals: [500],
      })
      .toEqual(Array(JOBS).fill('COMPLETED'));
    for (const task of await firstTasks()) {
      if (!theirs.includes(task.id)) expect(task).toMatchObject({ attempt: 1, retryEntries: [] });
      else
        expect(task).toMatchObject({ attempt: 2, retryEntries: [{ attempt: 1, workerId: lost, code: 'WORKER_LOST' }] });
    }
    // Its place was taken by a new process.
    await expect
      .poll(async () => (await master.workers()).filter((worker) => worker.state === 'Operational').length)
      .toBe(2);
  } finally {
    await master.stop();
    forget(master.data);
  }
});
