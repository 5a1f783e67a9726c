import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../contract/access.ts';
import type { Definition } from '../../../contract/definition.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { TestCase, TestReport } from '../../../contract/workflow-tests.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';
import { connectWorker, done } from '../../testing/worker.fake.ts';

/** Tests of workflows on a real master: cases run in its own process, without a worker. */
const data = temporaryFolder('tests-of-workflows');
let master: RunningMaster;
let hash = '';
const tokens = { operator: '', admin: '' };

async function call<T = { code: string; errors: { pointer: string }[] }>(
  method: string,
  path: string,
  body?: unknown,
  token = master.ready.token,
): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${master.ready.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}

const orders: Definition = {
  schemaVersion: 1,
  name: 'Orders',
  response: 'list',
  input: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'big', type: 'condition', config: { expression: 'total > 100' } },
    { id: 'ask', type: 'wait', config: { for: 'approval' } },
    { id: 'small', type: 'transform', config: { expression: '{"approved": true, "total": total}' } },
    { id: 'large', type: 'transform', config: { expression: '{"approved": approval.decision = "approve"}' } },
    { id: 'out', type: 'output', join: 'value' },
  ],
  edges: [
    { from: 'in', to: 'big' },
    { from: 'big', to: 'ask', port: 'true' },
    { from: 'ask', to: 'large' },
    { from: 'big', to: 'small', port: 'false' },
    { from: 'large', to: 'out' },
    { from: 'small', to: 'out' },
  ],
  output: 'out',
};
const small: TestCase = { name: 'small', input: { total: 5 }, expect: { output: { approved: true, total: 5 } } };
const large: TestCase = {
  name: 'large',
  input: { total: 500 },
  outputs: { ask: { approval: { decision: 'reject' } } },
  expect: { expression: 'approved = false' },
};

beforeAll(async () => {
  master = await openMaster({ data });
  for (const role of ['operator', 'admin'] as const)
    tokens[role] = (await call<{ token: string }>('POST', '/tokens', { name: role, role })).body.token;
  await call('POST', '/workflows', { id: 'orders', name: 'Orders' });
  const saved = await call<{ hash: string; faults: unknown[] }>('POST', '/workflows/orders/commits', {
    ...{ definition: orders, message: 'Orders', parent: null },
  });
  expect(saved.body.faults).toEqual([]);
  ({ hash } = saved.body);
});
afterAll(() => master.close());

const run = (body: object) => call<TestReport & { code: string }>('POST', '/workflows/orders/tests/run', body);
const save = (cases: unknown[]) => call('PUT', '/workflows/orders/tests', { cases });
const publish = (body: object = {}, token = tokens.operator) =>
  call('PUT', '/workflows/orders/environments/staging', { hash, ...body }, token);

describe('test cases', () => {
  it('are kept with the workflow, and run on a version', async () => {
    expect((await call('GET', '/workflows/orders/tests')).body).toEqual({
      cases: [],
      updatedAt: null,
      updatedBy: null,
    });
    expect((await save([small, large])).body).toMatchObject({ cases: [small, large], updatedBy: 'local' });
    expect(await run({ commit: hash })).toEqual({
      status: 200,
      body: {
        passed: 2,
        failed: 0,
        cases: [
          { name: 'small', ok: true },
          { name: 'large', ok: true },
        ],
        coverage: {
          nodes: ['in', 'big', 'ask', 'small', 'large', 'out'],
          missed: [],
          edges: orders.edges,
          missedEdges: [],
        },
      },
    });
    // One branch alone.
    const { body } = await run({ commit: hash, cases: [small] });
    expect(body.coverage.missed).toEqual(['ask', 'large']);
    expect(body.coverage.missedEdges).toEqual([
      { from: 'big', to: 'ask', port: 'true' },
      { from: 'ask', to: 'large' },
      { from: 'large', to: 'out' },
    ]);
  });

  it.each<[TestCase['expect'], string, object?]>([
    [{ output: { approved: true, total: 6 } }, '/total: expected 6, got 5'],
    [{ schema: { type: 'object', required: ['price'] } }, 'the output does not match the schema'],
    [{ expression: 'total > 6' }, 'total > 6 is not true of the output'],
    [{ expression: '$number("x")' }, 'the expression failed'],
    [{ failure: 'TASK_ERROR' }, 'expected failure TASK_ERROR, the workflow completed'],
    [{ output: 1 }, 'failed with INPUT_INVALID', { total: 'much' }],
    [{ output: 1 }, 'give the case a stand-in', { total: 500 }],
  ])('that expect %j say what came instead', async (expect_, difference, input = { total: 5 }) => {
    const { body } = await run({ commit: hash, cases: [{ name: 'x', input, expect: expect_ }] });
    expect(body).toMatchObject({ passed: 0, failed: 1 });
    expect(body.cases[0]?.difference).toContain(difference);
  });

  it('run on what is not saved, and name its faults', async () => {
    const definition = {
      ...orders,
      nodes: orders.nodes.map((node) => (node.id === 'small' ? { ...node, config: { expression: '1' } } : node)),
    };
    expect((await run({ definition })).body).toMatchObject({ passed: 1, failed: 1 });
    const faulty = { ...orders, edges: orders.edges.slice(1) };
    expect(await run({ definition: faulty })).toMatchObject({ status: 422, body: { code: 'INVALID_DAG' } });
    expect(await run({})).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
  });

  it('are refused where two have one name, or one expects nothing or two things', async () => {
    for (const [cases, pointer] of [
      [[small, small], '/cases/1/name'],
      [[{ ...small, expect: {} }], '/cases/0/expect'],
      [[{ ...small, expect: { output: 1, failure: 'X' } }], '/cases/0/expect'],
    ] as const)
      expect(await save([...cases])).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it('are made of a job, with what was outside', async () => {
    const { token } = (await call<{ token: string }>('POST', '/tokens', { name: 'w', role: 'worker' })).body;
    const worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token });
    await call('PUT', '/workflows/orders/environments/dev', { hash });
    const { body } = await call<{ jobId: string }>('POST', '/jobs', {
      ...{ workflowId: 'orders', environment: 'dev', inputs: [{ total: 5 }] },
    });
    worker.report(done(await worker.lease(), { total: 5 }, 'false'));
    worker.report(done(await worker.lease(), { approved: true, total: 5 }));
    await expect
      .poll(async () => (await call<{ finishedAt: string | null }>('GET', `/jobs/${body.jobId}`)).body.finishedAt)
      .not.toBeNull();
    const made = await call('POST', '/workflows/orders/tests/record', { jobId: body.jobId, name: 'seen' });
    expect(made.body).toEqual({
      name: 'seen',
      input: { total: 5 },
      outputs: {},
      expect: { output: { approved: true, total: 5 } },
    });
    expect((await run({ commit: hash, cases: [made.body] })).body).toMatchObject({ passed: 1 });
  });

  it('count as payloads that somebody read', async () => {
    const { items } = (await call<Page<{ id: string }>>('GET', '/jobs')).body;
    const jobId = items[0]?.id;
    await call('POST', '/workflows/orders/tests/record', { jobId }, tokens.operator);
    await call('GET', '/workflows/orders/tests', undefined, tokens.operator);
    const noted = async (target: string) =>
      (await call<Page<AuditEntry>>('GET', `/audit?action=payload.read&target=${target}`)).body.items.map(
        ({ actor, after }) => ({ actor, by: (after as { by: string }).by }),
      );
    await expect.poll(() => noted(`job:${jobId}`)).toEqual([{ actor: 'operator', by: 'workflowTests.record' }]);
    await expect.poll(() => noted('workflow:orders')).toEqual([{ actor: 'operator', by: 'workflowTests.get' }]);
  });

  it('of one project do not keep those of others from running', async () => {
    const slow = '($f := function($n){ $f($n + 1) }; $f(0))';
    const cases = [{ name: 'slow', input: { total: 5 }, expect: { expression: slow } }];
    // Less of a processor each than ten seconds, and far more than the third needs to come.
    expect((await call('PATCH', '/settings', { expressionSeconds: 5 })).status).toBe(200);
    const under = [run({ commit: hash, cases }), run({ commit: hash, cases }), run({ commit: hash, cases })];
    const answers = await Promise.all(under).finally(() => call('PATCH', '/settings', { expressionSeconds: null }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    expect(answers.find(({ status }) => status === 503)?.body).toMatchObject({ code: 'OVERLOADED' });
  });
});

describe('a run of test cases', () => {
  it('ends after its time, with what did not run', async () => {
    // A case that never ends is ended by its own limit, after the time of all.
    expect((await call('PATCH', '/settings', { workflowTestSeconds: 1, expressionSeconds: 2 })).status).toBe(200);
    try {
      const cases = ['a', 'b', 'c', 'd'].map((name) => ({
        ...{ name, input: { total: 5 }, expect: { expression: '($f := function($n){ $f($n + 1) }; $f(0))' } },
      }));
      const { body } = await run({ commit: hash, cases });
      expect(body.cases.at(-1)).toMatchObject({
        ok: false,
        difference: expect.stringContaining('workflowTestSeconds'),
      });
    } finally {
      await call('PATCH', '/settings', { workflowTestSeconds: null, expressionSeconds: null });
    }
  });
});

describe('an environment that requires tests', () => {
  it('takes no version whose cases fail, unless an admin overrides that', async () => {
    await save([{ ...small, expect: { output: 1 } }]);
    expect((await call('PATCH', '/settings', { requireTests: ['everywhere'] })).status).toBe(422);
    expect((await call('PATCH', '/settings', { requireTests: ['staging'] })).status).toBe(200);
    expect(await publish()).toMatchObject({ status: 409, body: { code: 'TESTS_FAILED', failed: 1 } });
    expect(await publish({ override: true })).toMatchObject({ status: 403 });
    expect((await publish({ override: true }, tokens.admin)).status).toBe(200);
    const { items } = (await call<Page<AuditEntry>>('GET', '/audit?action=workflow.overrideTests')).body;
    expect(items[0]).toMatchObject({ actor: 'admin', after: { environment: 'staging', failed: ['small'] } });
    await save([small]);
    expect((await publish()).status).toBe(200);
  });
});

describe('test cases of a project with masked fields', () => {
  it('are made, run and quoted for nobody who may not see these fields', async () => {
    await save([{ ...small, expect: { output: { total: 'secret' } } }]);
    await call('PATCH', '/projects/default', { masks: ['$.total'] });
    const asOperator = (path: string, body: object) =>
      call('POST', `/workflows/orders/tests/${path}`, body, tokens.operator);
    try {
      const [job] = (await call<Page<{ id: string }>>('GET', '/jobs')).body.items;
      for (const answer of [await asOperator('record', { jobId: job?.id }), await asOperator('run', { commit: hash })])
        expect(answer).toMatchObject({ status: 403, body: { action: 'payload.unmasked' } });
      const refused = await publish();
      expect(refused).toMatchObject({ status: 409, body: { cases: [{ name: 'small', ok: false }] } });
      expect(JSON.stringify(refused)).not.toContain('secret');
    } finally {
      await call('PATCH', '/projects/default', { masks: [] });
    }
  });
});
