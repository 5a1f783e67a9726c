import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Definition } from '../../../contract/definition.ts';
import type { DraftRun } from '../../../contract/drafts.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Lease } from '../../../contract/worker-protocol.ts';
import { openMaster } from '../../master.fixture.ts';
import { connectWorker, done, failed, items, type FakeWorker } from '../../testing/worker.fake.ts';
import { simple } from '../../testing/http.fixture.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** Draft runs on a real master; the worker is scripted, so that what it is given can be looked at. */
const data = temporaryFolder('drafts');
let master: RunningMaster;
let worker: FakeWorker;

const open = () =>
  openMaster({ data, limits: { draftRuns: 3, draftRunInputs: 3, draftRunKeepSeconds: 1, retryCheckSeconds: 0.1 } });
const link = async () => {
  const { token } = await call<{ token: string }>('POST', '/tokens', { name: 'w', role: 'worker' });
  const linked = await connectWorker({
    url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`,
    token,
    capacity: 8,
  });
  // On a busy machine these tests last longer than a silent worker is believed in.
  const beating = setInterval(() => linked.beat(), 1000);
  void linked.closed.then(() => clearInterval(beating));
  return linked;
};
async function call<T>(method: string, path: string, body?: unknown, token = master.ready.token): Promise<T> {
  const answer = await fetch(`${master.ready.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

const orders: Definition = {
  schemaVersion: 1,
  name: 'Orders',
  response: 'list',
  input: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'big', type: 'condition', config: { expression: 'total > 100' } },
    { id: 'ask', type: 'http', config: { method: 'POST', url: 'https://shop.test/orders' }, retries: 5 },
    {
      id: 'each',
      type: 'forEach',
      config: { items: '[1, 2]', node: { type: 'handler', config: { handler: 'bill' } } },
    },
    { id: 'out', type: 'output', join: 'value' },
  ],
  edges: [
    { from: 'in', to: 'big' },
    { from: 'big', to: 'ask', port: 'true' },
    { from: 'big', to: 'each', port: 'false' },
    { from: 'ask', to: 'out' },
    { from: 'each', to: 'out' },
  ],
  output: 'out',
};

beforeAll(async () => {
  master = await open();
  worker = await link();
  await call('POST', '/workflows', { id: 'orders', name: 'Orders' });
});
afterAll(() => master.close());

const run = (body: object) =>
  call<DraftRun & { code: string; errors: { pointer: string }[] }>('POST', '/workflows/orders/draft-runs', body);
const configOf = (lease: Lease, node = lease.node): { type: string; config: Record<string, unknown> } => {
  for (const frame of worker.frames)
    if (frame.t === 'commit' && frame.commit === lease.commit)
      return frame.nodes.find(({ id }) => id === node) as never;
  throw new Error(`no plan for ${lease.commit}`);
};

describe('a draft run', () => {
  it('runs what is not saved and tells what each node gave', async () => {
    const answer = run({ definition: orders, inputs: [{ total: 200 }] });
    const big = await worker.lease();
    worker.report(done(big, { total: 200 }, 'true'));
    const ask = await worker.lease();
    expect(configOf(ask)).toMatchObject({ type: 'code', config: { source: expect.stringContaining('stand-in') } });
    worker.report(done(ask, { status: 200 }));
    expect(await answer).toMatchObject({
      workflowId: 'orders',
      status: 'COMPLETED',
      output: [{ status: 200 }],
      error: null,
      leftOut: 0,
      nodes: [
        { node: 'big', state: 'COMPLETED', port: 'true', standIn: false, input: { total: 200 } },
        { node: 'ask', state: 'COMPLETED', standIn: true, output: { status: 200 } },
      ],
    });
    expect(await call('GET', '/workflows/orders/commits')).toMatchObject({ totalItems: 0 });
  });

  it('is in no list, count or group of failures, unless it is asked for by name', async () => {
    const answer = run({ definition: orders, inputs: [{ total: 200 }] });
    worker.report(failed(await worker.lease(), { message: 'no such thing' }));
    const { jobId, ...failedRun } = await answer;
    // The first error is told at once: a draft is not retried.
    expect(failedRun).toMatchObject({
      status: 'FAILED',
      error: { node: 'big', code: 'TASK_ERROR', message: 'no such thing' },
      nodes: [{ node: 'big', state: 'FAILED', error: { message: 'no such thing' } }],
    });
    expect(await call('GET', '/jobs')).toMatchObject({ totalItems: 0, items: [] });
    expect(await call('GET', '/jobs?sort=workflowId,asc&status=FAILED')).toMatchObject({ totalItems: 0, items: [] });
    expect(await call('GET', '/jobs?workflowId=orders')).toMatchObject({ totalItems: 0 });
    expect(await call('POST', '/jobs/bulk/retry', { filter: {}, all: true, dryRun: true })).toMatchObject({ count: 0 });
    expect(await call('GET', '/failures')).toMatchObject({ totalItems: 0 });
    expect(await call('GET', '/overview')).toMatchObject({ jobs: { createdLastHour: 0, failedLastHour: 0 } });
    const job = await call<Job>('GET', `/jobs/${jobId}`);
    expect(job).toMatchObject({ kind: 'draft', workflowId: 'orders', environment: null });
    expect(await call('GET', `/workflows/orders/commits/${job.commit}`)).toMatchObject({
      hash: job.commit,
      message: 'Draft run, not saved',
      definition: { nodes: orders.nodes.map(({ id }) => ({ id })) },
    });
    expect(await call('POST', `/jobs/${jobId}/rerun`, {})).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/commit' }],
    });
    const named = await call<Page<Job>>('GET', '/jobs?workflowId=orders~draft');
    expect(named.items.map(({ id }) => id)).toContain(jobId);
    expect(await call('GET', `/workflows/orders/draft-runs/${jobId}`)).toMatchObject({ jobId, status: 'FAILED' });
    expect(await call('GET', `/workflows/other/draft-runs/${jobId}`)).toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('gathers the items of a forEach, and puts stand-ins in their place', async () => {
    const answer = run({ definition: orders, inputs: [{ total: 1 }] });
    worker.report(done(await worker.lease(), { total: 1 }, 'false'));
    worker.report(items(await worker.lease(), [1, 2]));
    const [first, second] = [await worker.lease(), await worker.lease()];
    expect(configOf(first)).toMatchObject({ config: { node: { type: 'code' } } });
    worker.report(done(second, 'b'), done(first, 'a'));
    expect((await answer).nodes[1]).toMatchObject({
      node: 'each',
      state: 'COMPLETED',
      output: ['a', 'b'],
      items: { total: 2, done: 2, failed: 0, input: 1 },
    });
  });

  it('does what nodes say where that is wanted, and gives what stand-ins were told to give', async () => {
    const real = run({ definition: orders, inputs: [{ total: 200 }], effects: 'run', upTo: 'ask' });
    worker.report(done(await worker.lease(), { total: 200 }, 'true'));
    const ask = await worker.lease();
    expect(configOf(ask)).toMatchObject({ type: 'http', config: orders.nodes[2]?.config });
    worker.report(done(ask, { body: 1 }));
    expect(await real).toMatchObject({ status: 'COMPLETED', output: [{ body: 1 }] });

    const given = run({
      definition: orders,
      inputs: [{ total: 200 }],
      outputs: { ask: { body: { __proto__: 1, '"': "'" } } },
    });
    worker.report(done(await worker.lease(), { total: 200 }, 'true'));
    const stood = await worker.lease();
    expect(new Function(String(configOf(stood).config['source']))()).toEqual({ body: { '"': "'" } });
    worker.report(done(stood, 1));
    await given;
  });

  it('ends after a node, whatever faults lie behind it', async () => {
    const broken = {
      ...orders,
      nodes: orders.nodes.map((node) => (node.id === 'each' ? { ...node, type: 'nonsense' } : node)),
    };
    expect(await run({ definition: broken, inputs: [{ total: 1 }] })).toMatchObject({
      code: 'INVALID_DAG',
      errors: [{ pointer: '/definition/nodes/3/type' }],
    });
    const answer = run({ definition: broken, inputs: [{ total: 1 }], upTo: 'big' });
    worker.report(done(await worker.lease(), { total: 1 }, 'false'));
    expect(await answer).toMatchObject({ status: 'COMPLETED', output: [{ total: 1 }] });
    expect(await run({ definition: broken, inputs: [{ total: 1 }], upTo: 'in' })).toMatchObject({
      status: 'EMPTY',
      output: [{ total: 1 }],
    });
  });

  it('says what is wrong with what came', async () => {
    expect(await run({ definition: orders, inputs: [{ total: 'much' }] })).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/0/total' }],
    });
    expect(await run({ definition: orders, inputs: [1, 2, 3, 4].map((total) => ({ total })) })).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/inputs' }],
    });
    expect(await run({ definition: orders, inputs: [{ total: 1 }], upTo: 'nobody' })).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/upTo' }],
    });
    expect(
      await call('POST', '/workflows/nothing/draft-runs', { definition: orders, inputs: [{ total: 1 }] }),
    ).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    const { token } = await call<{ token: string }>('POST', '/tokens', { name: 'v', role: 'viewer' });
    expect(
      await call('POST', '/workflows/orders/draft-runs', { definition: orders, inputs: [{ total: 1 }] }, token),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is one of a few at once: more are refused until one has ended', async () => {
    const asked = { definition: orders, inputs: [{ total: 200 }], waitSeconds: 0 };
    const [first, ...others] = await Promise.all([run(asked), run(asked), run(asked)]);
    expect(await run(asked)).toMatchObject({ status: 503, code: 'OVERLOADED' });
    await call('DELETE', `/jobs/kill/${first?.jobId}`);
    await vi.waitFor(async () => expect((await run(asked)).code).toBeUndefined());
    for (const { jobId } of [
      ...others,
      ...(await call<Page<Job>>('GET', '/jobs?workflowId=orders~draft&status=RUNNING')).items.map(({ id }) => ({
        jobId: id,
      })),
    ])
      await call('DELETE', `/jobs/kill/${jobId}`);
    for (const _ of Array(4)) await worker.lease();
  });

  it('takes any value where there is no schema, and a large definition by way of the thread', async () => {
    const { input: _, ...free } = simple;
    const large: Definition = {
      ...free,
      nodes: free.nodes.map((node) =>
        node.id === 'up'
          ? { ...node, name: 'x'.repeat(200), config: { expression: `/* ${'long '.repeat(2000)} */ $` } }
          : node,
      ),
    };
    const answer = run({ definition: large, inputs: ['text', [1]] });
    worker.report(done(await worker.lease(), 'a'), done(await worker.lease(), 'b'));
    expect(await answer).toMatchObject({ status: 'COMPLETED', output: ['a', 'b'] });
  });

  it('outlives a restart while it runs, and goes a while after its end with its definition', async () => {
    const running = await run({ definition: orders, inputs: [{ total: 500 }], waitSeconds: 0 });
    expect(running).toMatchObject({ status: 'RUNNING', finishedAt: null });
    const lease = await worker.lease();
    await master.close();
    master = await open();
    worker = await link();
    expect(await call('GET', `/workflows/orders/draft-runs/${running.jobId}`)).toMatchObject({
      jobId: running.jobId,
      nodes: [{ node: 'big' }],
    });
    expect(lease.node).toBe('big');
    await call('DELETE', `/jobs/kill/${running.jobId}`);
    // One job always stays: numbers of jobs go on from it.
    await call('POST', '/workflows/orders/commits', { definition: simple, message: 'm', parent: null });
    const { items: commits } = await call<Page<{ hash: string }>>('GET', '/workflows/orders/commits');
    await call('POST', '/jobs', { workflowId: 'orders', commit: commits[0]?.hash, inputs: [] });
    await expect.poll(() => call('GET', '/jobs?workflowId=orders~draft')).toMatchObject({ totalItems: 0 });
    expect(await call('GET', `/workflows/orders/draft-runs/${running.jobId}`)).toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});
