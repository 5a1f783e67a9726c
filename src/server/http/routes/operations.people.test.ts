import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Environment } from '../../../contract/vocabulary.ts';
import { granted } from '../../testing/person.fixture.ts';
import { oneStep, openTwoProjects, type TwoProjects } from '../../testing/two-projects.fixture.ts';

/** Bulk operations of somebody limited to projects, over the real engine. */
let opened: TwoProjects;
let h: TwoProjects['h'];
let rig: TwoProjects['rig'];
let be: TwoProjects['be'];
beforeAll(async () => {
  opened = await openTwoProjects();
  ({ h, rig, be } = opened);
});
afterAll(() => opened.close());
let own: string;
let foreign: string;
beforeEach(async () => {
  own = await rig.submit(oneStep('orders'), [{}], { environment: 'dev' });
  foreign = await rig.submit(oneStep('accounts'), [{}], { environment: 'dev' });
});

async function call(method: 'GET' | 'POST', url: string, payload?: object, token = 'person') {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await h.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}
const kill = (body: object, token?: string) => call('POST', '/jobs/bulk/kill', body, token);
const statusOf = async (id: string) => (await rig.jobs.get(id)).status;
const over = (id: string) => expect.poll(() => statusOf(id)).toBe('FAILED');

it('hold jobs of their own workflows alone, by filter and by IDs', async () => {
  be([granted('operator', 'shop')]);
  const counted = await kill({ filter: { status: 'RUNNING' }, dryRun: true });
  expect(counted.body).toMatchObject({ count: 1 });
  expect((await kill({ filter: { workflowId: 'accounts' }, dryRun: true })).body).toMatchObject({ count: 0 });
  expect((await kill({ filter: {}, all: true, dryRun: true })).body.count).toBeGreaterThan(0);
  for (const ids of [[own, foreign], ['nothing']])
    expect((await kill({ ids })).body).toMatchObject({ code: 'JOB_NOT_FOUND' });
  expect(await statusOf(own)).toBe('RUNNING');

  const { body } = await kill({ snapshot: counted.body.snapshot });
  await over(own);
  expect(await statusOf(foreign)).toBe('RUNNING');
  const { operationId } = body;
  expect((await call('GET', '/operations')).body.items.map((one: { operationId: string }) => one.operationId)).toEqual([
    operationId,
  ]);
  expect((await call('GET', `/operations/${operationId}`)).body).toMatchObject({
    total: 1,
    filter: { status: ['RUNNING'] },
  });
  expect((await call('GET', `/operations/${operationId}`)).body.filter).not.toHaveProperty('within');
});

it('take no snapshot, and show no operation, that has jobs of others', async () => {
  const admin = h.tokens.admin;
  const all = await kill({ filter: { status: 'RUNNING' }, dryRun: true }, admin);
  be([granted('operator', 'shop')]);
  const { snapshot } = all.body;
  const unknown = await kill({ snapshot: 'unknown' });
  const refused = await kill({ snapshot });
  expect([refused.status, refused.body.code]).toEqual([unknown.status, 'SNAPSHOT_EXPIRED']);
  expect((await call('GET', `/jobs/export?format=json&snapshot=${snapshot}`)).body.code).toBe('SNAPSHOT_EXPIRED');
  const { operationId } = (await kill({ snapshot }, admin)).body;
  await over(foreign);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/results'],
    ['POST', '/abort'],
  ] as const)
    expect((await call(method, `/operations/${operationId}${path}`)).body.code).toBe('OPERATION_NOT_FOUND');
  expect((await call('GET', `/find?q=${operationId}`)).body.items).toEqual([]);
  const listed = await call('GET', '/operations');
  expect(listed.body.items.some((one: { operationId: string }) => one.operationId === operationId)).toBe(false);
  be([granted('operator', 'shop'), granted('viewer', 'bank')]);
  expect((await call('GET', `/operations/${operationId}`)).body.operationId).toBe(operationId);
  expect((await call('POST', `/operations/${operationId}/abort`)).body.code).toBe('FORBIDDEN');
});

it('take the environment of a grant that names some', async () => {
  const other = await rig.submit(oneStep('orders'), [{}], { environment: 'prod' });
  be([granted('operator', 'shop', ['dev'])]);
  const count = async (environment?: Environment) => {
    const filter = { status: 'RUNNING', ...(environment && { environment }) };
    const { body } = await kill({ filter, dryRun: true });
    return body.code ?? body.count;
  };
  expect([await count('dev'), await count('prod'), await count()]).toEqual([1, 'FORBIDDEN', 'FORBIDDEN']);
  expect((await kill({ ids: [other] })).body.code).toBe('FORBIDDEN');
  await kill({ ids: [own] });
  await over(own);
  expect(await statusOf(other)).toBe('RUNNING');
});

it('export the jobs of a snapshot without those of others that called them', async () => {
  be([granted('operator', 'shop')]);
  const { snapshot } = (await kill({ ids: [own], dryRun: true })).body;
  await rig.store.write((db) =>
    db
      .statement("UPDATE job SET parent_task_id = 'calling-task', parent_job_id = ?, kind = 'child' WHERE id = ?")
      .run(foreign, own),
  );
  const exported = await call('GET', `/jobs/export?format=json&snapshot=${snapshot}`);
  expect(exported.body).toEqual([
    expect.objectContaining({ id: own, parentTaskId: null, trigger: { kind: 'workflow' } }),
  ]);
  expect((await call('GET', `/jobs/export?format=json&snapshot=${snapshot}`, undefined, h.tokens.admin)).body).toEqual([
    expect.objectContaining({ parentTaskId: 'calling-task', trigger: { kind: 'workflow', id: foreign } }),
  ]);
});
