import { ROLE_ACTIONS } from '../../../contract/actions.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
  await makeProject(h, 'shop', 'orders');
  await makeProject(h, 'bank', 'accounts');
});
afterAll(() => h.close());

const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = { authorization: `Bearer ${h.tokens.admin}` },
) => {
  const answer = await h.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), cookie: answer.cookies[0] };
};

it('a person who signs in sees the projects that they were granted, until the grant is taken back', async () => {
  const login = { login: 'ada', password: 'correct horse battery staple' };
  const user = await call('POST', '/users', login);
  expect(user.status).toBe(201);
  const grant = await call('POST', '/grants', {
    subjectKind: 'user',
    subject: user.body.id,
    role: 'operator',
    project: 'shop',
  });
  const newPassword = 'an even longer pass phrase';
  const host = { host: 'localhost', origin: 'http://localhost' };
  const signedIn = await call('POST', '/session/password', { ...login, newPassword }, host);
  expect(signedIn.status).toBe(204);
  const ada = { ...host, cookie: `${signedIn.cookie?.name}=${signedIn.cookie?.value}` };
  const ids = async (url: string) =>
    ((await call('GET', url, undefined, ada)).body.items ?? []).map(({ id }: { id: string }) => id);
  expect([await ids('/workflows'), await ids('/projects')]).toEqual([['orders'], ['shop']]);
  expect((await call('GET', '/workflows/accounts', undefined, ada)).body.code).toBe('WORKFLOW_NOT_FOUND');
  expect((await call('PATCH', '/workflows/orders', { project: 'bank' }, ada)).body.code).toBe('PROJECT_NOT_FOUND');
  expect((await call('GET', '/grants', undefined, ada)).body.code).toBe('FORBIDDEN');
  const { body: session } = await call('GET', '/session', undefined, ada);
  expect(session.grants).toEqual([
    { role: 'operator', project: 'shop', environments: null, actions: [...ROLE_ACTIONS.operator] },
  ]);
  expect([await ids('/workflows?project=shop'), await ids('/workflows?project=bank')]).toEqual([['orders'], []]);
  expect(await ids('/jobs?project=bank')).toEqual([]);
  await call('DELETE', `/grants/${grant.body.id}`);
  expect((await call('GET', '/workflows/orders', undefined, ada)).body.code).toBe('FORBIDDEN');
});

it('nobody comes to payloads, fields or rights by moving a workflow to another project', async () => {
  await makeProject(h, 'desk', 'letters');
  await makeProject(h, 'open', 'notes');
  await call('PUT', '/roles/blind', { actions: ['workflows.read', 'workflows.write', 'jobs.read'] });
  const be = letPersonIn(h).be;
  const person = { authorization: 'Bearer person' };
  const move = async (headers?: Record<string, string>) =>
    (await call('PATCH', '/workflows/letters', { project: 'open' }, headers)).body;
  be([granted('blind', 'desk'), granted('author', 'open')]);
  expect(await move(person)).toMatchObject({ code: 'FORBIDDEN', action: 'workflows.publish' });
  be([granted('author', 'desk'), granted('author', 'open')]);
  await call('PATCH', '/projects/desk', { masks: ['$.content'] });
  const token = { authorization: `Bearer ${h.tokens.operator}` };
  for (const headers of [person, token])
    expect(await move(headers)).toMatchObject({ code: 'FORBIDDEN', action: 'payload.unmasked' });
  await call('PATCH', '/projects/open', { masks: ['$.content'] });
  expect(await move(person)).toMatchObject({ project: 'open' });
  await call('PATCH', '/projects/open', { masks: [] });
  await call('PATCH', '/projects/desk', { masks: [] });
});

it('projects, roles and grants refuse what would leave something without the other', async () => {
  const code = async (...args: Parameters<typeof call>) => (await call(...args)).body?.code;
  expect(await code('POST', '/projects', { id: 'shop', name: 'Again' })).toBe('PROJECT_EXISTS');
  expect(await code('DELETE', '/projects/shop')).toBe('PROJECT_IN_USE');
  expect(await code('DELETE', '/projects/default')).toBe('PROJECT_IN_USE');
  expect(await code('POST', '/workflows', { id: 'lost', name: 'Lost', project: 'gone' })).toBe('PROJECT_NOT_FOUND');
  expect(await code('PUT', '/roles/viewer', { actions: ['jobs.read'] })).toBe('ROLE_BUILT_IN');
  expect(await code('PUT', '/roles/support', { actions: ['jobs.fly'] })).toBe('VALIDATION_FAILED');
  const subject = { subjectKind: 'group', subject: 'on-call' };
  expect(await code('POST', '/grants', { ...subject, role: 'support' })).toBe('ROLE_NOT_FOUND');
  expect(await code('POST', '/grants', { ...subject, role: 'viewer', project: 'gone' })).toBe('PROJECT_NOT_FOUND');
  expect((await call('PUT', '/roles/support', { actions: ['jobs.read'] })).body).toMatchObject({ grants: 0 });
  const { body: grant } = await call('POST', '/grants', { ...subject, role: 'support' });
  expect(await code('DELETE', '/roles/support')).toBe('ROLE_IN_USE');
  expect((await call('DELETE', `/grants/${grant.id}`)).status).toBe(204);
  expect((await call('DELETE', '/roles/support')).status).toBe(204);
  await call('PATCH', '/workflows/accounts', { project: 'shop' });
  expect((await call('DELETE', '/projects/bank')).status).toBe(204);
});

it('workflows, jobs and bulk operations are found by their project', async () => {
  await makeProject(h, 'north', 'trains');
  const count = async (project: string) => [
    (await call('GET', `/workflows?project=${project}`)).body.totalItems,
    (await call('GET', `/jobs?project=${project}`)).body.totalItems,
    (await call('POST', '/jobs/bulk/kill', { filter: { project }, dryRun: true })).body.count,
  ];
  expect(await count('north')).toEqual([1, 1, 1]);
  expect(await count('default')).toEqual([expect.any(Number), 0, 0]);
  expect(await count('unknown')).toEqual([0, 0, 0]);
  await makeProject(h, 'south', 'ships');
  await call('PATCH', '/workflows/trains', { project: 'south' });
  expect([await count('north'), await count('south')]).toEqual([
    [0, 0, 0],
    [2, 2, 2],
  ]);
});

it('grants are found by whom they are given to, by role, and by where they hold', async () => {
  const { body: user } = await call('POST', '/users', { login: 'gert', password: 'some words in a row' });
  await makeProject(h, 'west', 'boats');
  await call('PUT', '/roles/reader', { actions: ['jobs.read'] });
  const give = async (body: object) => (await call('POST', '/grants', body)).body;
  const here = await give({ subjectKind: 'user', subject: user.id, role: 'reader', project: 'west' });
  const everywhere = await give({ subjectKind: 'group', subject: 'crew', role: 'reader' });
  expect([here.subjectName, everywhere.subjectName]).toEqual(['gert', null]);
  const found = async (query: string) =>
    (await call('GET', `/grants?${query}`)).body.items.map(({ id }: { id: string }) => id);
  expect(await found(`subjectKind=user&subject=${user.id}`)).toEqual([here.id]);
  expect(await found('role=reader')).toEqual([everywhere.id, here.id]);
  expect(await found('role=reader&project=west')).toEqual([everywhere.id, here.id]);
  expect(await found('role=reader&project=default')).toEqual([everywhere.id]);
});

it('grants are listed page by page, each once, however many there are', async () => {
  for (let i = 0; i < 520; i++)
    await h.services.access.grants.create(
      { subjectKind: 'group', subject: `team-${i}`, role: 'viewer', project: 'shop', environments: null },
      { name: 'tester', role: 'admin', address: null },
    );
  const seen: string[] = [];
  let pages = 0;
  for (let page = 0; page === 0 || page < pages; page++) {
    const { body } = await call('GET', `/grants?size=500&page=${page}`);
    pages = body.totalPages;
    expect(body.totalItems).toBeGreaterThan(520);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
  }
  expect(pages).toBe(2);
  expect(new Set(seen).size).toBe(seen.length);
  expect((await call('GET', '/grants?subjectKind=group&subject=team-7')).body.totalItems).toBe(1);
});
