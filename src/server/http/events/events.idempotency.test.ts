import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningMaster } from '../../../contract/process.ts';
import { openMaster } from '../../master.fixture.ts';
import { connectWorker, done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { simple } from '../../testing/http.fixture.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** The event endpoint's promises over restarts, on a real master, its database and a real socket. */
let data: string;
let master: RunningMaster;
let worker: FakeWorker;
let key: string;
let workerToken: string;

const start = async (eventWaitSeconds = 0.2) => {
  master = await openMaster({ data, adminToken: 'ymt_of_the_test', limits: { eventWaitSeconds } });
};
const operate = async (path: string, body: unknown, method = 'POST') => {
  const answer = await fetch(`${master.ready.url}${path}`, {
    method,
    headers: { authorization: 'Bearer ymt_of_the_test', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
};
const link = async (how: { id?: string; running?: { id: string; attempt: number }[] } = {}) =>
  (worker = await connectWorker({
    url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`,
    token: workerToken,
    capacity: 8,
    ...how,
  }));

beforeEach(async () => {
  data = temporaryFolder('idempotency');
  await start();
  await operate('/api/v1/workflows', { id: 'upper', name: 'Upper' });
  const { hash } = await operate('/api/v1/workflows/upper/commits', {
    definition: { ...simple, nodes: simple.nodes.map((node) => (node.id === 'up' ? { ...node, retries: 0 } : node)) },
    message: 'm',
    parent: null,
  });
  await operate('/api/v1/workflows/upper/environments/dev', { hash }, 'PUT');
  ({ key = '' } = await operate('/api/v1/keys', { name: 'k', workflows: ['*'], environments: ['dev'] }));
  ({ token: workerToken = '' } = await operate('/api/v1/tokens', { name: 'w', role: 'worker' }));
  await link();
});
afterEach(async () => {
  await worker.vanish();
  await master.close();
});

async function restart(): Promise<void> {
  await worker.vanish();
  await master.close();
  await start();
  await link();
}

async function call(
  idempotencyKey: string,
  { content = 'a', headers = {} }: { content?: string; headers?: Record<string, string> } = {},
) {
  const answer = await fetch(`${master.ready.url}/api/v1/events/upper/dev`, {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
    body: JSON.stringify([{ content }]),
  });
  const body = (await answer.json()) as Record<string, unknown> & unknown[];
  return { status: answer.status, jobId: answer.headers.get('x-job-id') ?? body['jobId'], body, code: body['code'] };
}
const status = async (url: string) =>
  (await (await fetch(`${master.ready.url}${url}`, { headers: { 'api-key': key } })).json()) as Record<string, unknown>;

describe('a call that took too long', () => {
  it('is a 504 with its job; the status URL and, under its key, a later call tell the end, also after a restart', async () => {
    const first = await call('k');
    expect(first).toMatchObject({
      status: 504,
      code: 'WORKFLOW_TIMEOUT',
      body: { jobId: first.jobId, statusUrl: `/api/v1/events/upper/dev/jobs/${first.jobId}` },
    });
    expect(await status(String(first.body['statusUrl']))).toEqual({
      jobId: first.jobId,
      status: 'RUNNING',
      finishedAt: null,
      output: null,
      error: null,
    });
    const again = call('k', { headers: { prefer: 'wait=10' } });
    const lease = await worker.lease();
    worker.report(done(lease, 'A'));
    expect(await again).toMatchObject({ status: 200, jobId: first.jobId, body: ['A'] });
    expect(await call('k')).toMatchObject({ status: 200, jobId: first.jobId, body: ['A'] });
    await restart();
    expect(await call('k')).toMatchObject({ status: 200, jobId: first.jobId, body: ['A'] });
    expect(await status(String(first.body['statusUrl']))).toMatchObject({
      status: 'COMPLETED',
      output: ['A'],
      error: null,
    });
    expect(worker.untaken).toBe(0);
  });

  it('goes on over a restart in the middle, and its key waits for the same job', async () => {
    const first = await call('k');
    expect(first.status).toBe(504);
    const lease = await worker.lease();
    await worker.vanish();
    await master.close();
    await start(10);
    const again = call('k');
    await expect
      .poll(async () => (await call('k', { headers: { prefer: 'respond-async' } })).code)
      .toBe('IDEMPOTENCY_IN_FLIGHT');
    expect((await call('k', { content: 'b' })).code).toBe('IDEMPOTENCY_KEY_REUSED');
    // The worker outlived the master, and comes back with what it did meanwhile.
    await link({ id: worker.id, running: [lease] });
    worker.report(done(lease, 'A'));
    expect(await again).toMatchObject({ status: 200, jobId: first.jobId, body: ['A'] });
  });
});

describe('a repeated call', () => {
  it('that failed is answered with the very bytes of the first, also after a restart', async () => {
    const first = call('k', { headers: { prefer: 'wait=10' } });
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false, message: 'no' }));
    const { status: code, body } = await first;
    expect(code).toBe(502);
    expect(body).toMatchObject({ code: 'WORKFLOW_FAILED', taskCode: 'NON_RETRYABLE', taskMessage: 'no', node: 'up' });
    expect((await call('k')).body).toEqual(body);
    await restart();
    expect((await call('k')).body).toEqual(body);
  });

  it('that was accepted is answered with the same 202, also after a restart', async () => {
    const headers = { prefer: 'respond-async' };
    const first = await call('k', { headers });
    expect(first.status).toBe(202);
    expect((await call('k', { headers })).body).toEqual(first.body);
    await restart();
    expect((await call('k', { headers })).body).toEqual(first.body);
  });

  it('is answered as the first was, whatever it prefers itself, also after a restart', async () => {
    const accepted = await call('async', { headers: { prefer: 'respond-async' } });
    const late = await call('late', { headers: { prefer: 'wait=1' } });
    expect([accepted.status, late.status]).toEqual([202, 202]);
    const whole = call('whole', { headers: { prefer: 'wait=10' } });
    for (let i = 0; i < 3; i++) worker.report(done(await worker.lease(), 'A'));
    expect((await whole).status).toBe(200);
    const again = async () =>
      [
        await call('async'),
        await call('late', { headers: { prefer: 'wait=10' } }),
        await call('whole', { headers: { prefer: 'respond-async' } }),
      ].map(({ status: code, jobId }) => [code, jobId]);
    const answers = [
      [202, accepted.jobId],
      [202, late.jobId],
      [200, (await whole).jobId],
    ];
    expect(await again()).toEqual(answers);
    await restart();
    expect(await again()).toEqual(answers);
  });

  it('with another body is refused, before it is told that the first one still runs', async () => {
    const first = call('k', { headers: { prefer: 'wait=10' } });
    const lease = await worker.lease();
    expect((await call('k', { content: 'other' })).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await call('k')).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_FLIGHT' });
    worker.report(done(lease, 'A'));
    expect((await first).status).toBe(200);
    await restart();
    expect((await call('k', { content: 'other' })).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

it('the errors of an event call come in the order of the contract', async () => {
  const ask = async (path: string, headers: Record<string, string>, body = '{') => {
    const answer = await fetch(`${master.ready.url}/api/v1/events/${path}`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  const scoped =
    (await operate('/api/v1/keys', { name: 's', workflows: ['upper'], environments: ['dev'] }))['key'] ?? '';
  const all = { 'api-key': key };
  // Each call has all the faults of those after it.
  expect(await ask('nowhere/moon', { 'content-type': 'text/plain' })).toEqual([401, 'API_KEY_MISSING']);
  expect(await ask('nowhere/moon', { 'api-key': 'ym_wrong', 'content-type': 'text/plain' })).toEqual([
    401,
    'API_KEY_INVALID',
  ]);
  expect(await ask('nowhere/moon', { 'api-key': scoped, 'content-type': 'text/plain' })).toEqual([
    422,
    'ENVIRONMENT_UNKNOWN',
  ]);
  expect(await ask('nowhere/prod', { 'api-key': scoped, 'content-type': 'text/plain' })).toEqual([
    403,
    'API_KEY_SCOPE',
  ]);
  expect(await ask('nowhere/dev', { ...all, 'content-type': 'text/plain' })).toEqual([404, 'WORKFLOW_NOT_FOUND']);
  await operate('/api/v1/workflows', { id: 'draft', name: 'Draft' });
  expect(await ask('draft/dev', { ...all, 'content-type': 'text/plain' })).toEqual([404, 'NOT_PUBLISHED']);
  expect(await ask('upper/dev', { ...all, 'content-type': 'text/plain' }, 'x'.repeat(6_000_000))).toEqual([
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ]);
  const json = { ...all, 'content-type': 'application/json', 'idempotency-key': 'k' };
  expect(await ask('upper/dev', json, 'x'.repeat(6_000_000))).toEqual([413, 'BODY_TOO_LARGE']);
  expect(await ask('upper/dev', json)).toEqual([400, 'INVALID_JSON']);
  await call('k', { headers: { prefer: 'respond-async' } });
  expect(await ask('upper/dev', json, '[{}]')).toEqual([422, 'INPUT_INVALID']);
  await worker.vanish();
  await operate(`/api/v1/workers/${worker.id}/drain`, {});
  expect(await ask('upper/dev', json, '[{"content":"b"}]')).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});
