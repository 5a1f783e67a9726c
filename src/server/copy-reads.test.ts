import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Job } from '../contract/jobs.ts';
import type { RunningMaster } from '../contract/process.ts';
import type { Page } from '../contract/shapes.ts';
import { createApiClient, fetchTransport, pathTo } from '../lib/api-client.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { openClusterMaster } from './master.fixture.ts';
import { simple } from './testing/http.fixture.ts';
import { freshDatabase, type TestDatabase } from './testing/postgres.fixture.ts';

let database: TestDatabase;
let masters: RunningMaster[];
let ids: { owner: string; standby: string };
const client = (of: number, token = masters[0]?.ready.token ?? '') =>
  createApiClient(fetchTransport({ url: masters[of]?.ready.url ?? '', token }, fetch));
/** Asks the standby; gives the answer and who made it. */
async function ask(path: string, token = masters[0]?.ready.token ?? '') {
  const answer = await fetch(`${masters[1]?.ready.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, by: answer.headers.get('x-served-by'), answer, body: await answer.text() };
}
/** The same until the standby made it: where it is slow, the owner does. Whoever did, `holds` is true of it. */
async function askCopy(path: string, holds: (answer: Awaited<ReturnType<typeof ask>>) => void = () => {}) {
  return vi.waitUntil(async () => {
    const answer = await ask(path);
    holds(answer);
    return answer.by === ids.standby ? answer : null;
  });
}

/** Puts the owner first: a process that a busy machine holds up for long gives the state away. False: there is no standby now. */
async function knowRoles(): Promise<boolean> {
  const roles = await client(0)
    .call('cluster.get')
    .then(
      ({ masters }) => masters,
      () => [],
    );
  const owner = roles.find(({ role }) => role === 'owner')?.id ?? '';
  const standby = roles.find(({ role }) => role === 'standby')?.id ?? '';
  const idOf = async (master?: RunningMaster) =>
    (await fetch(`${master?.ready.url}/healthz`)).headers.get('x-served-by');
  if ((await idOf(masters[0])) === standby) masters.reverse();
  ids = { owner, standby };
  return (await idOf(masters[0])) === owner && (await idOf(masters[1])) === standby;
}

beforeAll(async () => {
  database = await freshDatabase();
  const secretsKey = randomBytes(32).toString('base64');
  const open = () => openClusterMaster({ data: temporaryFolder('copy'), store: database.url, secretsKey });
  masters = [await open()];
  masters.push(await open());
  await vi.waitUntil(knowRoles);
  const { call } = client(0);
  await call('workflows.create', { body: { id: 'upper', name: 'Upper' } });
  const { hash } = await call('commits.create', {
    params: { id: 'upper' },
    json: JSON.stringify({ definition: simple, message: 'First', parent: null }),
  });
  await call('workflows.publish', { params: { id: 'upper', environment: 'dev' }, body: { hash, description: 'x' } });
});
beforeEach(() => vi.waitUntil(knowRoles));
afterAll(async () => {
  for (const master of masters.toReversed()) await master.close();
  await database.drop();
});

const submit = (of: number, labels: Record<string, string> = {}) =>
  client(of).call('jobs.create', {
    body: { workflowId: 'upper', environment: 'dev', inputs: [{ content: 'x' }], labels },
  });

it('a standby reads lists of its working copy, and never fewer than any master has told of', async () => {
  for (let i = 0; i < 20; i++) {
    const { jobId } = await submit(i % 2);
    const { answer } = await askCopy('/api/v1/jobs?size=5', ({ status, body }) => {
      const { totalItems, items } = JSON.parse(body) as Page<Job>;
      expect([status, totalItems, items[0]?.id]).toEqual([200, i + 1, jobId]);
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.headers.get('x-yardmaster-read-there')).toBeNull();
    const tasks = await askCopy(pathTo('tasks.list', { params: { jobId } }));
    expect(JSON.parse(tasks.body).items[0].jobId).toEqual(jobId);
  }
});

it('the answers are those of the owner, to the letter', async () => {
  const { jobId } = await submit(0, { zone: 'b' });
  for (const path of ['/api/v1/jobs?size=3&sort=createdAt,asc', `/api/v1/jobs/${jobId}/tasks`]) {
    const owner = await fetch(`${masters[0]?.ready.url}${path}`, {
      headers: { authorization: `Bearer ${masters[0]?.ready.token}` },
    });
    expect((await askCopy(path)).body).toEqual(await owner.text());
  }
});

it('what only the owner can read, or refuses, is answered by the owner', async () => {
  await submit(0, { zone: 'c' });
  for (const [status, path] of [
    [200, '/api/v1/jobs?label=zone%3Dc'],
    [200, '/api/v1/cluster'],
    [422, '/api/v1/jobs?size=-1'],
    [404, '/api/v1/jobs/01890000-0000-7000-8000-000000000000/tasks'],
  ] as const)
    expect(await ask(path)).toMatchObject({ status, by: ids.owner });
});

it('lets nobody in whose token has just been revoked', async () => {
  const { call } = client(0);
  for (let i = 0; i < 5; i++) {
    const { id, token } = await call('tokens.create', { body: { name: `t${i}`, role: 'viewer' } });
    expect(await ask('/api/v1/jobs', token)).toMatchObject({ status: 200 });
    await call('tokens.revoke', { params: { id } });
    expect(await ask('/api/v1/jobs', token)).toMatchObject({ status: 401, by: ids.owner });
  }
});

it('shows no secret, also one that was set a moment ago', async () => {
  const { call } = client(0);
  for (const value of ['first-very-secret-value', 'second-very-secret-value']) {
    await submit(0, { key: value });
    expect((await ask('/api/v1/jobs?size=1')).body).toContain(value);
    await call('secrets.set', { params: { name: 'KEY' }, body: { value } });
    await askCopy('/api/v1/jobs?size=1', ({ body }) => {
      expect(body).not.toContain(value);
      expect(body).toContain('[secret KEY]');
    });
  }
});

it('a caller cannot make itself a standby', async () => {
  for (const { ready } of masters) {
    const answer = await fetch(`${ready.url}/api/v1/jobs`, {
      headers: { authorization: `Bearer ${ready.token}`, 'x-yardmaster-may-read': '1' },
    });
    expect(Array.isArray(((await answer.json()) as { items: unknown }).items)).toBe(true);
  }
});
