import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { startCluster } from '../support/cluster.ts';
import { CLI, NODE, publish } from '../support/master.ts';
import { sleeper } from '../support/workflow-definitions.ts';

test('a worker whose master is killed goes on at another by itself, and finishes what it runs', async () => {
  const cluster = await startCluster(2, {});
  const { call } = cluster;
  const { token } = await call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  await publish(cluster, 'sleeper', sleeper(5));
  const owner = await cluster.owner();
  // No balancer: it knows this one address.
  const worker = spawn(NODE, [CLI, 'worker', '--master', owner.url, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, YARDMASTER_WORKER_TOKEN: token },
  });
  let said = '';
  worker.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    await expect.poll(() => said).toContain('"event":"ready"');
    const { jobId } = await call('jobs.create', {
      body: { workflowId: 'sleeper', environment: 'dev', inputs: [{}] },
    });
    const task = async () =>
      (await call('tasks.list', { params: { jobId }, query: { size: 100 } })).items.find(({ node }) => node === 'wait');
    await expect.poll(async () => (await task())?.state).toBe('RUNNING');

    await owner.kill();
    // While the other master takes over, a call may find no answer in time.
    await expect(async () => {
      expect((await call('workers.list')).items.map(({ state }) => state)).toEqual(['Operational']);
      expect((await call('jobs.get', { params: { jobId } })).status).toBe('COMPLETED');
    }).toPass({ timeout: 60_000 });
    // The same attempt: it was not lost with its master.
    expect(await task()).toMatchObject({ attempt: 1, retryEntries: [] });
  } finally {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    await cluster.close();
  }
});
