import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Task } from '../../src/contract/tasks.ts';
import {
  CLI,
  EXAMPLES,
  NODE,
  forget,
  publish,
  startMaster,
  temporaryFolder,
  type TestMaster,
} from '../support/master.ts';

/** The examples of workers on a real master that has none of its own for them. */

let master: TestMaster;
let token: string;
let folder: string;
const started: ChildProcess[] = [];

test.beforeAll(async () => {
  master = await startMaster({ workers: 1 });
  ({ token } = await master.call('tokens.create', { body: { name: 'example', role: 'worker' } }));
  folder = installed();
  const { definition } = JSON.parse(readFileSync(join(EXAMPLES, 'worker/reserve-and-pick.workflow.json'), 'utf8')) as {
    definition: Record<string, unknown>;
  };
  await publish(master, 'reserve-and-pick', definition);
});
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
test.afterAll(async () => {
  await master.stop();
  forget(master.data);
  forget(folder);
});

/** The example in a folder of its own, with the package linked as `npm install` links it. */
function installed(): string {
  const copy = temporaryFolder('worker-example');
  cpSync(join(EXAMPLES, 'worker'), copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const built = join(copy, 'package');
  mkdirSync(join(copy, 'node_modules/@types'), { recursive: true });
  mkdirSync(built);
  copyFileSync('package.json', join(built, 'package.json'));
  symlinkSync(dirname(dirname(CLI)), join(built, 'out'));
  symlinkSync(built, join(copy, 'node_modules/yardmaster'));
  symlinkSync(resolve('node_modules/@types/node'), join(copy, 'node_modules/@types/node'));
  return copy;
}

function start(program: string, args: string[], cwd = folder): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, YARDMASTER_URL: master.url, YARDMASTER_WORKER_TOKEN: token },
  });
  started.push(child);
  return child;
}
const workerWith = async (handler: string) =>
  (await master.workers()).find(({ handlers, state }) => handlers.includes(handler) && state === 'Operational');
const tasksNow = (workflowId: string) =>
  master
    .call('jobs.list', { query: { workflowId: workflowId } })
    .then(({ items: [job] }) => (job ? master.tasks(job.id) : []));

async function leaves(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
}

test('the example project runs its handlers: output, progress, log, metric, final failure', async () => {
  const child = start(NODE, ['worker.ts']);
  await expect
    .poll(() => workerWith('reserve'))
    .toMatchObject({ labels: { team: 'stock' }, maxTasks: 4, handlers: ['reserve', 'pick'] });
  const answer = master.event('reserve-and-pick/dev', [{ sku: 'apple', quantity: 10 }]);
  await expect
    .poll(
      async () =>
        ((await tasksNow('reserve-and-pick')).find(({ node }) => node === 'pick') as Task | undefined)?.progress,
      { intervals: [50] },
    )
    .toMatchObject({ fraction: expect.any(Number), message: expect.stringMatching(/of 10 picked/) });
  expect(await (await answer).json()).toEqual({ picked: 10 });
  const jobId = (await answer).headers.get('x-job-id');
  await expect
    .poll(
      async () => (await master.call('logs.search', { query: { job_id: jobId } })).records.map(({ _msg }) => _msg),
      { timeout: 60_000 },
    )
    .toContain('reserved 10 of apple');
  await expect
    .poll(
      async () =>
        (await master.call('metrics.query', { query: { measurement: 'custom_metrics', ...{ job_id: jobId } } }))
          .dataPoints,
    )
    .toMatchObject([{ counter_reserved_articles: 10 }]);
  const refused = await master.event('reserve-and-pick/dev', [{ sku: 'stone', quantity: 1 }]);
  expect(await refused.json()).toMatchObject({
    code: 'WORKFLOW_FAILED',
    taskCode: 'UNKNOWN_ARTICLE',
    taskMessage: 'there is no article stone',
  });
  await leaves(child);
});

test('SIGTERM lets the example finish what it runs', async () => {
  const child = start(NODE, ['worker.ts']);
  await expect.poll(() => workerWith('reserve')).toBeTruthy();
  const answer = master.event('reserve-and-pick/dev', [{ sku: 'apple', quantity: 15 }]);
  await expect
    .poll(async () => (await tasksNow('reserve-and-pick')).find(({ node }) => node === 'pick')?.state, {
      intervals: [50],
    })
    .toBe('RUNNING');
  await leaves(child);
  expect(await (await answer).json()).toEqual({ picked: 15 });
});

test('its handlers file runs under the command as well, and its types hold', async () => {
  const child = start(
    NODE,
    [CLI, 'worker', '--master', master.url, '--handlers', join(folder, 'handlers.ts')],
    process.cwd(),
  );
  await expect.poll(() => workerWith('reserve')).toBeTruthy();
  expect(await (await master.event('reserve-and-pick/dev', [{ sku: 'pear', quantity: 1 }])).json()).toEqual({
    picked: 1,
  });
  await leaves(child);
  const { stdout, status } = spawnSync(NODE, [resolve('node_modules/typescript/bin/tsc')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

test('the worker in Python runs a handler, and fails in its own words', async () => {
  if (spawnSync('python3', ['--version']).status !== 0) {
    console.warn('NOT TESTED: there is no python3 here, so nothing shows that the worker in Python works');
    return;
  }
  await publish(master, 'count-words', {
    schemaVersion: 1,
    name: 'Count words',
    response: 'first',
    nodes: [
      { id: 'input', type: 'input', name: 'i', config: {}, position: { x: 0, y: 0 } },
      {
        id: 'count',
        type: 'handler',
        name: 'Count',
        config: { handler: 'count-words' },
        position: { x: 0, y: 0 },
        retries: 0,
      },
      {
        id: 'double',
        type: 'transform',
        name: 'Double',
        config: { expression: 'words * 2' },
        position: { x: 0, y: 0 },
      },
      { id: 'output', type: 'output', name: 'o', config: {}, position: { x: 0, y: 0 } },
    ],
    edges: [
      { from: 'input', to: 'count' },
      { from: 'count', to: 'double' },
      { from: 'double', to: 'output' },
    ],
    output: 'output',
  });
  const child = start('python3', [join(EXAMPLES, 'python-worker/worker.py'), master.url]);
  await expect
    .poll(() => workerWith('count-words'))
    .toMatchObject({ version: 'python-1', maxTasks: 4, labels: { language: 'python' } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      master.event('count-words/dev', [{ text: 'wörter '.repeat(i * 200) }]).then((answer) => answer.json()),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => i * 400));
  expect(await (await master.event('count-words/dev', [{}])).json()).toMatchObject({
    taskCode: 'TASK_ERROR',
    taskMessage: "KeyError: 'text'",
  });
  await leaves(child);
  await expect.poll(() => workerWith('count-words')).toBeUndefined();
});

test('a rejection that a handler leaves behind ends neither the worker nor the task beside it', async () => {
  const file = join(folder, 'careless.mjs');
  writeFileSync(
    file,
    `export const handlers = { careless: async () => { Promise.reject(new Error('nobody waits')); return 'done'; }, slow: () => new Promise((resolve) => setTimeout(resolve, 1000, 'slow')) };`,
  );
  const line = (handler: string) => {
    const node = (id: string, type: string, config = {}) => ({ id, type, name: id, config, position: { x: 0, y: 0 } });
    return {
      schemaVersion: 1,
      name: 'Line',
      response: 'first',
      nodes: [node('input', 'input'), { ...node('a', 'handler', { handler }), retries: 0 }, node('output', 'output')],
      edges: [
        { from: 'input', to: 'a' },
        { from: 'a', to: 'output' },
      ],
      output: 'output',
    };
  };
  await publish(master, 'careless', line('careless'));
  await publish(master, 'slow', line('slow'));
  const child = start(NODE, [CLI, 'worker', '--master', master.url, '--handlers', file]);
  await expect.poll(() => workerWith('careless')).toBeDefined();
  const slow = master.event('slow/dev', [{}]);
  expect(await (await master.event('careless/dev', [{}])).json()).toBe('done');
  expect(await (await slow).json()).toBe('slow');
  await leaves(child);
});

test('an expression that would take a process down takes no worker with it', async () => {
  const node = (id: string, type: string, config = {}) => ({ id, type, name: id, config, position: { x: 0, y: 0 } });
  const line = (middle: object) => ({
    schemaVersion: 1,
    name: 'Line',
    response: 'first',
    nodes: [node('input', 'input'), middle, node('output', 'output')],
    edges: [
      { from: 'input', to: 'a' },
      { from: 'a', to: 'output' },
    ],
    output: 'output',
  });
  await publish(master, 'bomb', line(node('a', 'transform', { expression: '[1..9999999].[1..9999999]' })));
  await publish(master, 'beside', line(node('a', 'delay', { seconds: 3 })));
  // The master's own one: under the same id for as long as its process lives.
  const local = async () =>
    (await master.workers()).filter(({ labels, state }) => 'local' in labels && state !== 'Down').map(({ id }) => id);
  const before = await local();
  const beside = master.event('beside/dev', [{ safe: true }]);
  const bombs = await Promise.all([0, 1, 2].map(() => master.event('bomb/dev', [{}]).then((answer) => answer.json())));
  for (const bomb of bombs)
    expect(bomb).toMatchObject({
      code: 'WORKFLOW_FAILED',
      taskCode: 'TASK_ERROR',
      taskMessage: expect.stringMatching(
        /needed more than the allowed 256 MiB of memory|exceeded its time limit of 10 s/,
      ),
    });
  expect(await (await beside).json()).toEqual({ safe: true });
  const [task] = await tasksNow('beside');
  expect(task).toMatchObject({ attempt: 1 });
  expect(await local()).toEqual(before);
  expect(before).toHaveLength(1);
});
