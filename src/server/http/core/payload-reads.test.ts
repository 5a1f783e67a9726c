import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
let job: string;
beforeAll(async () => {
  h = await startHarness();
  job = await makeProject(h, 'shop', 'orders');
  h.jobs.task = async (id) => ({ id, jobId: job, node: 'up', replica: 0, state: 'COMPLETED', output: null }) as never;
  h.jobs.payload = async () => '{"a":1}';
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

const get = async (path: string, token = 'person') =>
  (await h.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } })).statusCode;
const noted = async (target: string) =>
  (await h.services.access.audit.list({ page: 0, size: 50, action: 'payload.read', target })).items.map(
    ({ actor, after }) => ({ actor, ...(after as object) }),
  );

it('whoever is shown a payload is in the audit log, and nobody else', async () => {
  await h.services.access.roles.set(
    'blind',
    { actions: ['workflows.read', 'jobs.read'] },
    { name: 'root', role: 'admin', address: null },
  );
  be([granted('blind', 'shop')]);
  expect([await get(`/tasks/t1`), await get(`/jobs/${job}/tasks`), await get(`/jobs/${job}/output`)]).toEqual([
    200, 200, 403,
  ]);
  be([granted('viewer', 'shop')]);
  expect([await get('/tasks/t1'), await get('/tasks/t1/input'), await get(`/jobs/${job}/tasks`)]).toEqual([
    200, 200, 200,
  ]);
  await vi.waitFor(async () =>
    expect(await noted(`job:${job}`)).toEqual([{ actor: 'Ada', by: 'tasks.get', taskId: 't1' }]),
  );
  // A program's token is told apart.
  expect(await get(`/jobs/${job}/input`, h.tokens.viewer)).toBe(200);
  await vi.waitFor(async () =>
    expect(await noted(`job:${job}`)).toEqual([
      { actor: 'viewer', by: 'jobs.input' },
      { actor: 'Ada', by: 'tasks.get', taskId: 't1' },
    ]),
  );
});

it('what a standby reads by leave of the owner is noted, too', async () => {
  const { forCopy } = h.jobs;
  const { cluster } = h.services;
  (h.jobs as { forCopy: unknown }).forCopy = { ...forCopy, tasks: async () => ({ method: 'tasks', args: [] }) };
  (cluster as { appended?: () => number }).appended = () => 1;
  const answer = await h.app.inject({
    url: `/api/v1/jobs/${job}/tasks`,
    headers: { authorization: `Bearer ${h.tokens.operator}`, 'x-yardmaster-may-read': '1' },
  });
  expect(answer.headers['x-yardmaster-read-there']).toBe('1');
  await vi.waitFor(async () =>
    expect(await noted(`job:${job}`)).toContainEqual({ actor: 'operator', by: 'tasks.list' }),
  );
});
