import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Task } from '../../../contract/tasks.ts';
import type { Grant } from '../../access/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let jobId: string;
let be: (grants: readonly Grant[]) => void;
const IBAN = 'DE02120300000000202051';

beforeAll(async () => {
  h = await startHarness();
  await h.services.access.roles.set('support', { actions: ['workflows.read', 'jobs.read', 'jobs.operate'] }, tester);
  jobId = await makeProject(h, 'shop', 'orders');
  ({ be } = letPersonIn(h));
  const task = {
    id: 'task-1',
    jobId,
    state: 'FAILED',
    input: { iban: IBAN },
    output: { iban: IBAN },
  } as unknown as Task;
  const page = { items: [task], page: 0, size: 20, totalItems: 1, totalPages: 1 };
  Object.assign(h.jobs, {
    task: async () => task,
    retryTask: async () => task,
    tasks: async () => page,
    tasksText: async () => JSON.stringify(page),
    payload: async () => JSON.stringify({ iban: IBAN }),
  } satisfies Partial<typeof h.jobs>);
});
afterAll(() => h.close());

const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
  h.app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: 'Bearer person' },
    ...(payload && { payload }),
  });

it('who may not read payloads is told that they are hidden, and can neither fetch nor search them', async () => {
  be([granted('support', 'shop')]);
  for (const [method, url] of [
    ['GET', `/jobs/${jobId}/tasks`],
    ['GET', '/tasks/task-1'],
    ['POST', '/tasks/task-1/retry'],
  ] as const) {
    const answer = await call(method, url);
    expect([url, answer.statusCode, answer.body.includes(IBAN)]).toEqual([url, 200, false]);
    expect(answer.json().items?.[0] ?? answer.json()).toMatchObject({
      input: { hidden: true },
      output: { hidden: true },
    });
  }
  for (const url of [
    `/jobs/${jobId}/input`,
    `/jobs/${jobId}/output`,
    `/jobs/${jobId}/incident-bundle`,
    `/jobs/${jobId}/compare/${jobId}`,
    '/tasks/task-1/input',
    '/tasks/task-1/output',
    '/jobs?text=DE02',
    '/jobs?input=iban=x',
    '/jobs/export?format=ndjson&text=DE02',
  ])
    expect([url, (await call('GET', url)).json().code]).toEqual([url, 'FORBIDDEN']);
  // Likely causes of a failure name values of inputs.
  const causes = [{ kind: 'worker' }, { kind: 'input', path: 'iban', value: IBAN }];
  h.jobs.failures.get = async () => ({ id: 'f', workflowId: 'orders', causes }) as never;
  expect((await call('GET', '/failures/f')).json().causes).toMatchObject([{ kind: 'worker' }]);
  // A count by content would answer the same question.
  be([granted('support', null)]);
  const counted = await call('POST', '/jobs/bulk/kill', { filter: { text: 'DE02' }, dryRun: true });
  expect(counted.json()).toMatchObject({ code: 'FORBIDDEN' });
  expect((await call('POST', '/jobs/bulk/kill', { filter: { q: 'x' }, dryRun: true })).statusCode).toBe(200);
});

it('an incident bundle takes the right to read logs, too', async () => {
  await h.services.access.roles.set('reader', { actions: ['jobs.read', 'payload.read'] }, tester);
  be([granted('reader', 'shop')]);
  const answer = await call('GET', `/jobs/${jobId}/incident-bundle`);
  expect(answer.json()).toMatchObject({ code: 'FORBIDDEN', action: 'logs.read' });
});

it('who may read them there, does; in other environments they stay hidden', async () => {
  be([granted('viewer', 'shop')]);
  expect((await call('GET', '/tasks/task-1')).json()).toMatchObject({ input: { iban: IBAN } });
  expect((await call('GET', `/jobs/${jobId}/tasks`)).body).toContain(IBAN);
  expect((await call('GET', '/jobs?text=DE02')).statusCode).toBe(200);
  be([granted('viewer', 'shop', ['prod'])]);
  expect((await call('GET', '/tasks/task-1')).json()).toMatchObject({ input: { hidden: true } });
  expect((await call('GET', `/jobs/${jobId}/input`)).json()).toMatchObject({ code: 'FORBIDDEN' });
});

it('masks fields of a project for all but those who may see them, tokens included', async () => {
  const { projects } = h.services.access;
  await projects.update('shop', { masks: ['$.iban'] }, tester);
  const as = (token: string) => async (url: string) =>
    h.app.inject({ method: 'GET', url: `/api/v1${url}`, headers: { authorization: `Bearer ${token}` } });
  be([granted('operator', 'shop')]);
  for (const get of [as(h.tokens.operator), as('person')]) {
    for (const url of [
      `/jobs/${jobId}/input`,
      `/jobs/${jobId}/tasks`,
      '/tasks/task-1',
      '/tasks/task-1/input',
      '/tasks/task-1/output',
    ]) {
      const { statusCode, body } = await get(url);
      expect([url, statusCode, body.includes(IBAN), body.includes('"iban":"[masked]"')]).toEqual([
        url,
        200,
        false,
        true,
      ]);
    }
    for (const url of [`/jobs/${jobId}/incident-bundle`, `/jobs/${jobId}/compare/${jobId}`])
      expect([url, (await get(url)).json().code]).toEqual([url, 'FORBIDDEN']);
  }
  be([granted('admin', 'shop')]);
  for (const get of [as(h.tokens.admin), as('person')])
    expect((await get('/tasks/task-1')).json()).toMatchObject({ input: { iban: IBAN }, output: { iban: IBAN } });
  // A search would tell what is masked: such projects are left out of it.
  const within: unknown[] = [];
  const { listText } = h.jobs;
  h.jobs.listText = (query) => (within.push(query.within), listText(query));
  be([granted('operator', 'shop')]);
  for (const token of ['person', h.tokens.operator, h.tokens.admin]) await as(token)('/jobs?text=DE02');
  expect(within).toEqual([[], [], undefined]);
  const bulk = { filter: { text: 'DE02' }, dryRun: true };
  const headers = { authorization: `Bearer ${h.tokens.operator}` };
  const counted = await h.app.inject({ method: 'POST', url: '/api/v1/jobs/bulk/kill', headers, payload: bulk });
  expect(counted.json()).toMatchObject({ code: 'FORBIDDEN' });
  await projects.update('shop', { masks: [] }, tester);
  expect((await as(h.tokens.operator)('/tasks/task-1')).json()).toMatchObject({ input: { iban: IBAN } });
});

it.each(['', '$', 'a..b', 'a b', '$[0]', 'a['])('refuses %j as a path to mask', async (path) => {
  const answer = await h.app.inject({
    method: 'PATCH',
    url: '/api/v1/projects/shop',
    headers: { authorization: `Bearer ${h.tokens.admin}` },
    payload: { masks: [path] },
  });
  expect(answer.json()).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
});
