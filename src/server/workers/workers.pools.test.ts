import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningMaster } from '../../contract/process.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { createApiClient, fetchTransport, type ApiClient } from '../../lib/api-client.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';
import { simple } from '../testing/http.fixture.ts';
import { connectWorker, done } from '../testing/worker.fake.ts';

/** A worker token that is bound to environments, over the real routes of a whole master. */
const TOKEN = 'a'.repeat(40);
let master: RunningMaster;
let api: ApiClient;
const open = async (data: string) => {
  master = await openMaster({ data, adminToken: TOKEN });
  api = createApiClient(fetchTransport({ url: master.ready.url, token: TOKEN }, fetch));
};
let data: string;
beforeEach(() => open((data = temporaryFolder('pools'))));
afterEach(() => master.close());

const newToken = (name: string, pool: { environments?: Environment[]; labels?: Record<string, string> } = {}) =>
  api.call('tokens.create', { body: { name, role: 'worker', ...pool } });
const join = (token: string, more: { id?: string; labels?: Record<string, string> } = {}) =>
  connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token, ...more });

/** A workflow whose only node names a secret, in dev and prod. */
async function publish(id: string): Promise<string> {
  await api.call('secrets.set', {
    params: { name: 'PASSWORD' },
    body: { value: 'of-production', scope: { drafts: true } },
  });
  await api.call('workflows.create', { body: { id, name: id } });
  const call = { method: 'POST', url: 'https://shop.test', body: '{{secrets.PASSWORD}}' };
  const definition = {
    ...simple,
    input: {},
    nodes: simple.nodes.map((node) => (node.id === 'up' ? { id: 'up', type: 'http', config: call } : node)),
  };
  const { hash } = await api.call('commits.create', {
    params: { id },
    json: JSON.stringify({ definition, message: 'First version', parent: null }),
  });
  for (const environment of ['dev', 'prod'] as const)
    await api.call('workflows.publish', { params: { id, environment }, body: { hash, description: 'For the test' } });
  return hash;
}
const start = async (target: { environment: Environment } | { commit: string }) =>
  (await api.call('jobs.create', { body: { workflowId: 'pay', ...target, inputs: [{}] } })).jobId;
const taskOf = async (jobId: string) => {
  const { items } = await api.call('tasks.list', { params: { jobId }, query: {} });
  return items[0]?.id ?? '';
};
const why = async (jobId: string) => api.call('tasks.why', { params: { taskId: await taskOf(jobId) } });

describe('a worker of a token with environments', () => {
  it('is given their tasks and secrets alone; the others say what they wait for', async () => {
    const commit = await publish('pay');
    const dev = await join((await newToken('dev', { environments: ['dev'] })).token);
    const prodJob = await start({ environment: 'prod' });
    const draft = await start({ commit });
    const devJob = await start({ environment: 'dev' });
    expect(await dev.lease()).toMatchObject({ jobId: devJob, environment: 'dev' });
    expect(await why(prodJob)).toMatchObject({ reason: 'ENVIRONMENT_NOT_SERVED' });
    expect(await why(draft)).toMatchObject({ reason: 'ENVIRONMENT_NOT_SERVED' });
    const prod = await join((await newToken('prod', { environments: ['prod'] })).token);
    const lease = await prod.lease();
    expect(lease).toMatchObject({
      jobId: prodJob,
      environment: 'prod',
      secrets: { PASSWORD: { value: 'of-production' } },
    });
    prod.report(done(lease, 1));
    const unbound = await join((await newToken('unbound')).token);
    expect(await unbound.lease()).toMatchObject({ jobId: draft, environment: null });
    expect([dev.untaken, prod.untaken]).toEqual([0, 0]);
    expect(dev.frames.filter(({ t }) => t === 'run')).toHaveLength(1);
  });

  it('is bound after a restart of the master too', async () => {
    await publish('pay');
    const { token } = await newToken('dev', { environments: ['dev'] });
    await join(token);
    await master.close();
    await open(data);
    const dev = await join(token);
    const prodJob = await start({ environment: 'prod' });
    const devJob = await start({ environment: 'dev' });
    expect(await dev.lease()).toMatchObject({ jobId: devJob });
    expect(await why(prodJob)).toMatchObject({ reason: 'ENVIRONMENT_NOT_SERVED' });
  });
});

it('labels of a token are those of its workers, whatever they say of themselves', async () => {
  const { id, token, labels } = await newToken('zone a', { environments: ['dev'], labels: { zone: 'a', tier: 'low' } });
  expect(labels).toEqual({ zone: 'a', tier: 'low' });
  const worker = await join(token, { labels: { zone: 'b', rack: '7' } });
  expect(await api.call('workers.get', { params: { id: worker.id } })).toMatchObject({
    labels: { zone: 'a', tier: 'low', rack: '7' },
    environments: ['dev'],
  });
  expect((await api.call('tokens.list', { query: {} })).items.find((one) => one.id === id)).toMatchObject({
    environments: ['dev'],
    labels: { zone: 'a', tier: 'low' },
  });
});

it.each([
  { role: 'operator', environments: ['dev'] },
  { role: 'viewer', labels: { zone: 'a' } },
  { role: 'worker', environments: [] },
  { role: 'worker', environments: ['test'] },
  { role: 'worker', labels: { 'no blanks': 'a' } },
  { role: 'worker', labels: { zone: 1 } },
])('refuses %j', async (body) => {
  await expect(api.call('tokens.create', { body: { name: 'x', ...body } as never })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});
