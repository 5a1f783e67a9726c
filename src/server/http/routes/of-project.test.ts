import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grant } from '../../access/port.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { board, granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

/** API keys, secrets and dashboards belong to a project. */

let h: Harness;
let be: (...grants: readonly Grant[]) => void;
beforeAll(async () => {
  h = await startHarness();
  await makeProject(h, 'shop', 'orders');
  await makeProject(h, 'bank', 'accounts');
  const { be: become } = letPersonIn(h);
  be = (...grants) => become(grants);
});
afterAll(() => h.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const send = async (who: string, method: Method, url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${who}` };
  const answer = await h.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
};
const admin = (method: Method, url: string, payload?: object) => send(h.tokens.admin, method, url, payload);
const ada = (method: Method, url: string, payload?: object) => send('person', method, url, payload);
const code = async (answer: Promise<{ status: number; body: { code?: string } | null }>) => {
  const { status, body } = await answer;
  return body?.code ?? status;
};
const call = async (key: string, workflow: string) =>
  (
    await h.app.inject({
      method: 'POST',
      url: `/api/v1/events/${workflow}/dev`,
      headers: { 'api-key': key },
      payload: [{ content: 'a' }],
    })
  ).json().code ?? 'called';

it('an API key reaches the workflows of its project alone, also after one of them has moved', async () => {
  const made = await admin('POST', '/keys', {
    name: 'shop',
    workflows: ['*'],
    environments: ['dev'],
    project: 'shop',
  });
  expect(made.body.project).toBe('shop');
  const { key, id } = made.body;
  expect([await call(key, 'orders'), await call(key, 'accounts'), await call(key, 'nothing')]).toEqual([
    'called',
    'WORKFLOW_NOT_FOUND',
    'WORKFLOW_NOT_FOUND',
  ]);
  await admin('PATCH', '/workflows/orders', { project: 'bank' });
  expect(await call(key, 'orders')).toBe('WORKFLOW_NOT_FOUND');
  expect((await admin('PATCH', `/keys/${id}`, { project: 'bank' })).body.project).toBe('bank');
  expect(await call(key, 'orders')).toBe('called');
  await admin('PATCH', '/workflows/orders', { project: 'shop' });
});

it('who names no project is in the default one, and names workflows of it', async () => {
  const key = { name: 'k', workflows: ['*'], environments: ['dev'] };
  expect((await admin('POST', '/keys', key)).body.project).toBe('default');
  expect((await admin('PUT', '/secrets/PLAIN', { value: 'battery-staple' })).body.project).toBe('default');
  expect((await admin('POST', '/dashboards', { id: 'plain', definition: board })).body.project).toBe('default');
  expect((await admin('POST', '/keys', { ...key, workflows: ['new-one', 'orders'] })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    detail: 'workflow orders must be a workflow of project default; orders belongs to shop',
    errors: [{ pointer: '/workflows/1' }],
  });
  expect(
    (await admin('PUT', '/secrets/PLAIN', { value: 'battery-staple', scope: { workflows: ['orders'] } })).body,
  ).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/scope/workflows/0' }] });
});

it('a person sees and changes what is of their project and environments', async () => {
  const key = { name: 'k', workflows: ['*'], environments: ['dev'] };
  const ids: Record<string, string> = {};
  for (const project of ['shop', 'bank']) {
    ids[project] = (await admin('POST', '/keys', { ...key, name: project, project })).body.id;
    await admin('PUT', `/secrets/${project.toUpperCase()}`, { value: 'battery-staple', project });
    await admin('POST', '/dashboards', { id: project, definition: board, project });
  }
  await admin('POST', '/keys', { ...key, name: 'live', environments: ['prod'], project: 'shop' });

  be(granted('admin', 'shop'));
  const seen = async () => ({
    keys: (await ada('GET', '/keys')).body.items.map(({ name }: { name: string }) => name),
    secrets: (await ada('GET', '/secrets')).body.items.map(({ name }: { name: string }) => name),
    dashboards: (await ada('GET', '/dashboards')).body.items.flatMap(({ id, builtIn }: Record<string, unknown>) =>
      builtIn ? [] : [id],
    ),
  });
  expect(await seen()).toEqual({ keys: ['live', 'shop'], secrets: ['SHOP'], dashboards: ['shop'] });
  expect((await ada('GET', '/dashboards/job-monitoring')).status).toBe(200);
  expect(await code(ada('POST', `/keys/${ids['bank']}/rotate`))).toBe('KEY_NOT_FOUND');
  expect(await code(ada('PATCH', '/secrets/BANK', { description: 'mine' }))).toBe('SECRET_NOT_FOUND');
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    expect(
      await code(ada(method, '/dashboards/bank', method === 'PUT' ? { definition: board, version: 1 } : undefined)),
    ).toBe('DASHBOARD_NOT_FOUND');
  expect(await code(ada('POST', '/dashboards', { id: 'theirs', definition: board, project: 'bank' }))).toBe(
    'PROJECT_NOT_FOUND',
  );
  // The files for Grafana hold the dashboards and rules of all.
  for (const query of ['', '?dashboard=bank', '?dashboard=shop'])
    expect(await code(ada('GET', `/grafana${query}`))).toBe('FORBIDDEN');
  // Names are those of the whole master: that one is taken shows, and nothing of it changes.
  expect(await code(ada('PUT', '/secrets/BANK', { value: 'stolen', project: 'shop' }))).toBe('SECRET_EXISTS');
  expect(await code(ada('PUT', '/secrets/BANK', { value: 'stolen' }))).toBe('PROJECT_NOT_FOUND');

  // In dev alone.
  be(granted('admin', 'shop', ['dev']));
  expect(await seen()).toEqual({ keys: ['shop'], secrets: ['SHOP'], dashboards: ['shop'] });
  const make = (environments: string[]) => code(ada('POST', '/keys', { ...key, environments, project: 'shop' }));
  expect([await make(['dev']), await make(['dev', 'prod'])]).toEqual([201, 'FORBIDDEN']);
  const set = (scope?: object) => code(ada('PUT', '/secrets/DEV', { value: 'horse-battery', project: 'shop', scope }));
  expect([
    await set(),
    await set({ environments: ['prod'] }),
    await set({ environments: ['dev'], drafts: true }),
    await set({ environments: ['dev'] }),
  ]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 200]);
  expect(await code(ada('PATCH', '/secrets/DEV', { scope: { environments: null } }))).toBe('FORBIDDEN');
  expect(await code(ada('PATCH', '/secrets/SHOP', { description: 'for all environments' }))).toBe('FORBIDDEN');
});

it('moving something to another project takes rights in both', async () => {
  const key = { name: 'm', workflows: ['*'], environments: ['dev'], project: 'shop' };
  const { id } = (await admin('POST', '/keys', key)).body;
  await admin('PUT', '/secrets/MOVED', { value: 'battery-staple', project: 'shop' });
  await admin('POST', '/dashboards', { id: 'moved', definition: board, project: 'shop' });
  const move = (project: string) => [
    ada('PATCH', `/keys/${id}`, { project }),
    ada('PATCH', '/secrets/MOVED', { project }),
    ada('PUT', '/secrets/MOVED', { value: 'battery-staple', project }),
    ada('PUT', '/dashboards/moved', { definition: board, version: 1, project }),
  ];
  const codes = (project: string) => Promise.all(move(project).map(code));
  be(granted('admin', 'shop'));
  expect(await codes('bank')).toEqual(Array(4).fill('PROJECT_NOT_FOUND'));
  be(granted('admin', 'shop'), granted('viewer', 'bank'));
  expect(await codes('bank')).toEqual(Array(4).fill('FORBIDDEN'));
  be(granted('viewer', 'shop'), granted('admin', 'bank'));
  expect(await codes('bank')).toEqual(Array(4).fill('FORBIDDEN'));
  be(granted('admin', 'shop'), granted('admin', 'bank'));
  expect(await codes('bank')).toEqual([200, 200, 200, 200]);
  expect((await admin('GET', '/dashboards/moved')).body.project).toBe('bank');
});

it('a project that something belongs to stays', async () => {
  await admin('POST', '/projects', { id: 'attic', name: 'Attic' });
  const { id } = (
    await admin('POST', '/keys', { name: 'a', workflows: ['*'], environments: ['dev'], project: 'attic' })
  ).body;
  await admin('PUT', '/secrets/ATTIC', { value: 'battery-staple', project: 'attic' });
  await admin('POST', '/dashboards', { id: 'attic', definition: board, project: 'attic' });
  expect((await admin('DELETE', '/projects/attic')).body).toMatchObject({
    code: 'PROJECT_IN_USE',
    detail: 'project attic has 1 API keys, 1 secrets, 1 dashboards: move or delete them first',
  });
  await admin('DELETE', `/keys/${id}`);
  await admin('DELETE', '/secrets/ATTIC');
  await admin('DELETE', '/dashboards/attic');
  expect((await admin('DELETE', '/projects/attic')).status).toBe(204);
});
