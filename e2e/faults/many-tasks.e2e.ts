import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Task } from '../../src/contract/tasks.ts';
import { CLI, forget, NODE, publish, startMaster, type TestMaster } from '../support/master.ts';

const flow = (type: string, config: object, node: object = {}) => ({
  schemaVersion: 1,
  name: type,
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'node', type, config, ...node },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'node' },
    { from: 'node', to: 'out' },
  ],
  output: 'out',
});
const ITEMS = 4000;

test('a list of 4,000 items, each a workflow of its own or a node, goes on after a SIGKILL of the master in the middle', async () => {
  const before = await startMaster();
  await publish(before, 'double', flow('transform', { expression: 'n * 2' }));
  await publish(
    before,
    'long',
    flow('forEach', {
      items: '[1..count]',
      node: { type: 'transform', config: { expression: '$ * 2' } },
      concurrency: 16,
    }),
  );
  await publish(
    before,
    'calls',
    flow('forEach', {
      items: '[1..count].{ "n": $ }',
      node: { type: 'workflow', config: { workflowId: 'double', environment: 'dev' } },
      concurrency: 8,
    }),
  );
  const send = async (id: string, count: number) =>
    ((await (await before.event(`${id}/dev`, [{ count }], { prefer: 'respond-async' })).json()) as { jobId: string })
      .jobId;
  const [long, calls] = [await send('long', ITEMS), await send('calls', 200)];
  await expect
    .poll(async () => (await before.job(long)).taskCounters.completedTasks, { timeout: 60_000, intervals: [20] })
    .toBeGreaterThan(50);
  expect((await before.job(long)).finishedAt, 'the master dies in the middle').toBeNull();
  await before.kill();

  const after = await startMaster({ data: before.data });
  try {
    await expect
      .poll(async () => [(await after.job(long)).status, (await after.job(calls)).status], {
        timeout: 150_000,
        intervals: [300],
      })
      .toEqual(['COMPLETED', 'COMPLETED']);
    const output = async (id: string) => (await after.output(id))[0];
    expect(await output(long)).toEqual(Array.from({ length: ITEMS }, (_, i) => (i + 1) * 2));
    expect(await output(calls)).toEqual(Array.from({ length: 200 }, (_, i) => [(i + 1) * 2]));
    expect((await after.job(long)).taskCounters).toMatchObject({ completedTasks: ITEMS, failedTasks: 0 });
    const children = await after.call('jobs.list', { query: { parentJobId: calls, size: 500, status: 'COMPLETED' } });
    expect(children.totalItems).toBe(200);
  } finally {
    await after.stop();
    forget(after.data);
  }
});

test('a task that kills its worker each time is stopped after its retries, and the others go on', async () => {
  // So that a death is noticed soon.
  const env = {
    YARDMASTER_HEARTBEAT_SECONDS: '1',
    YARDMASTER_WORKER_UNSTABLE_SECONDS: '2',
    YARDMASTER_WORKER_DOWN_SECONDS: '3',
  };
  const master = await startMaster({ workers: 0, env });
  const workers = await keepWorker(master);
  try {
    await publish(master, 'poison', flow('handler', { handler: 'poison' }, { retries: 2, retryBackoffSeconds: 0.1 }));
    await publish(master, 'fine', flow('handler', { handler: 'fine' }));
    const { jobId } = (await (await master.event('poison/dev', [{}], { prefer: 'respond-async' })).json()) as {
      jobId: string;
    };
    await expect
      .poll(async () => (await master.job(jobId)).finishedAt, { timeout: 120_000, intervals: [200] })
      .not.toBeNull();
    const [task] = (await master.tasks(jobId)) as [Task];
    expect(task).toMatchObject({
      state: 'FAILED',
      attempt: 3,
      error: { code: 'WORKER_LOST' },
      retryEntries: [{ code: 'WORKER_LOST' }, { code: 'WORKER_LOST' }],
    });
    expect(new Set([task.workerId, ...task.retryEntries.map(({ workerId }) => workerId)]).size).toBe(3);
    expect(workers.deaths).toBe(3);
    await expect.poll(async () => (await master.event('fine/dev', [{ n: 1 }])).status).toBe(200);
  } finally {
    await workers.stop();
    await master.stop();
    forget(master.data);
  }
});

/** One worker with two handlers, started anew whenever it dies. */
async function keepWorker(master: TestMaster): Promise<{ readonly deaths: number; stop(): Promise<void> }> {
  const file = join(mkdtempSync(join(tmpdir(), 'yardmaster-handlers-')), 'handlers.mjs');
  writeFileSync(
    file,
    `export const handlers = { poison: () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); }, fine: (input) => input };\n`,
  );
  const { token } = await master.call('tokens.create', { body: { name: 'handlers', role: 'worker' } });
  let deaths = 0;
  let over = false;
  let child = start();
  function start() {
    const worker = spawn(NODE, [CLI, 'worker', '--master', master.url, '--capacity', '1', '--handlers', file], {
      stdio: 'ignore',
      env: { ...process.env, YARDMASTER_WORKER_TOKEN: token },
    });
    process.once('exit', () => worker.kill('SIGKILL'));
    worker.on('exit', () => {
      if (over) return;
      deaths++;
      child = start();
    });
    return worker;
  }
  return {
    get deaths() {
      return deaths;
    },
    async stop() {
      over = true;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
