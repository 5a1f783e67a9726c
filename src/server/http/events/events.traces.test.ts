import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from '../../../contract/jobs.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import type { Page } from '../../../contract/shapes.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { contextOf } from '../../../lib/trace-context.ts';
import { openMaster } from '../../master.fixture.ts';
import { simple } from '../../testing/http.fixture.ts';
import { connectWorker, done, type FakeWorker } from '../../testing/worker.fake.ts';

/** A job is part of the trace that its caller names, and so is what it calls; on a real master and a real socket. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CONTEXT = `${TRACE}-b7ad6b7169203331-01`;
const headers = { authorization: 'Bearer ymt_of_the_test', 'content-type': 'application/json' };
const data = temporaryFolder('traces');
let master: RunningMaster;
let worker: FakeWorker;
let key: string;

async function operate<T = Record<string, string>>(path: string, body?: unknown, method = body ? 'POST' : 'GET') {
  const answer = await fetch(`${master.ready.url}${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as T;
}
async function publish(id: string, definition: object): Promise<void> {
  await operate('/api/v1/workflows', { id, name: id });
  const { hash } = await operate(`/api/v1/workflows/${id}/commits`, { definition, message: 'm', parent: null });
  await operate(`/api/v1/workflows/${id}/environments/dev`, { hash }, 'PUT');
}
const call = (workflow: string, traceparent?: string) =>
  fetch(`${master.ready.url}/api/v1/events/${workflow}/dev`, {
    method: 'POST',
    headers: {
      'api-key': key,
      'content-type': 'application/json',
      prefer: 'respond-async',
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body: '[{"content":"a"}]',
  });

beforeAll(async () => {
  master = await openMaster({ data, adminToken: 'ymt_of_the_test' });
  await publish('child', simple);
  const calling = { type: 'workflow', config: { workflowId: 'child', environment: 'dev' } };
  await publish('parent', {
    ...simple,
    nodes: simple.nodes.map((node) => (node.id === 'up' ? { id: 'up', name: 'Call', ...calling } : node)),
  });
  ({ key = '' } = await operate('/api/v1/keys', { name: 'k', workflows: ['*'], environments: ['dev'] }));
  const { token = '' } = await operate('/api/v1/tokens', { name: 'w', role: 'worker' });
  worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token, capacity: 8 });
});
afterAll(async () => {
  await worker.vanish();
  await master.close();
});

it('goes with the job, to its workers, and on to the jobs that it calls', async () => {
  expect((await call('parent', `00-${CONTEXT}`)).status).toBe(202);
  const lease = await worker.lease();
  const jobs = await operate<Page<Job>>(`/api/v1/jobs?traceId=${TRACE}`);
  expect(jobs.items.map(({ workflowId, traceId }) => [workflowId, traceId])).toEqual([
    ['child', TRACE],
    ['parent', TRACE],
  ]);
  // The attempt that called is the parent of what it called.
  const { parentTaskId } = jobs.items[0] as Job;
  expect(lease.trace).toBe(contextOf(CONTEXT, parentTaskId ?? '', 1));
  worker.report(done(lease, 'x'));
});

it('is found again by the trace after a restart of the master', async () => {
  const { id } = (await operate<Page<Job>>(`/api/v1/jobs?traceId=${TRACE}`)).items[0] as Job;
  await worker.vanish();
  await master.close();
  master = await openMaster({ data, adminToken: 'ymt_of_the_test' });
  const { token = '' } = await operate('/api/v1/tokens', { name: 'w', role: 'worker' });
  worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token, capacity: 8 });
  expect((await operate<Job>(`/api/v1/jobs/${id}`)).traceId).toBe(TRACE);
});

it.each([undefined, 'not-a-context', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])(
  'is none where the caller names none (%s)',
  async (traceparent) => {
    const answer = await call('child', traceparent);
    expect(answer.status).toBe(202);
    const lease = await worker.lease();
    expect(lease).not.toHaveProperty('trace');
    expect(await operate<Job>(`/api/v1/jobs/${lease.jobId}`)).not.toHaveProperty('traceId');
    worker.report(done(lease, 'x'));
  },
);
