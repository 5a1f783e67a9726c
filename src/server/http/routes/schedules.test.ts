import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
  await h.publish('report');
});
afterAll(() => h.close());

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const answer = await h.app.inject({
    method,
    url: `/api/v1/schedules${url}`,
    headers: { authorization: `Bearer ${h.tokens.admin}` },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), headers: answer.headers };
}
const report = { workflowId: 'report', environment: 'dev', cron: '0 6 * * *', timeZone: 'Europe/Berlin' };

describe('a schedule', () => {
  it('is created, listed, changed, paused, resumed and deleted', async () => {
    const made = await call('POST', '', { ...report, inputs: [{ content: 'a' }] });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.headers['location']).toBe(`/api/v1/schedules/${id}`);
    expect(made.body).toMatchObject({
      cron: '0 6 * * *',
      everySeconds: null,
      lastAt: null,
      endAt: null,
      overlap: 'allow',
    });
    expect(Date.parse(made.body.nextAt)).toBeGreaterThan(Date.now());
    expect((await call('GET', '?workflowId=report')).body).toMatchObject({ totalItems: 1, items: [{ id }] });
    expect((await call('GET', '?workflowId=other')).body).toMatchObject({ totalItems: 0 });
    expect((await call('PATCH', `/${id}`, { everySeconds: 60 })).body).toMatchObject({ cron: null, everySeconds: 60 });
    expect((await call('POST', `/${id}/pause`)).body).toMatchObject({ paused: true, nextAt: null });
    expect((await call('POST', `/${id}/resume`)).body.nextAt).not.toBeNull();
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await call('GET', `/${id}`)).toMatchObject({ status: 404, body: { code: 'SCHEDULE_NOT_FOUND' } });
    const actions = (await h.services.access.audit.list({ page: 0, size: 20 })).items.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['create', 'update', 'pause', 'resume', 'delete'].map((one) => `schedule.${one}`)),
    );
  });

  it('starts a job now, and says so in its history', async () => {
    const { id } = (await call('POST', '', report)).body;
    const started = await call('POST', `/${id}/run`);
    expect(started).toMatchObject({ status: 202, body: { status: 'RUNNING' } });
    expect((await call('GET', `/${id}/runs`)).body.items).toMatchObject([
      { jobId: started.body.jobId, outcome: 'STARTED', kind: 'manual' },
    ]);
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z' };
    expect(await call('POST', `/${id}/backfill`, { ...range, dryRun: true })).toMatchObject({
      status: 200,
      body: { count: 7 },
    });
  });

  it('shows its due times before there is one', async () => {
    const query = new URLSearchParams({
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      from: '2027-03-27T12:00:00Z',
      count: '2',
    });
    expect((await call('GET', `/preview?${query}`)).body).toEqual({
      times: ['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z'],
    });
    expect((await call('GET', '/preview?everySeconds=60')).body.times).toHaveLength(10);
  });

  it.each([
    ['POST', '', { ...report, cron: '99 * * * *' }, '/cron'],
    ['POST', '', { ...report, timeZone: 'Nowhere/Land' }, '/timeZone'],
    ['POST', '', { ...report, at: '2020-01-01T00:00:00Z' }, '/at'],
    ['POST', '', { ...report, overlap: 'maybe' }, '/overlap'],
    ['POST', '', { ...report, environment: 'moon' }, '/environment'],
    ['GET', '/preview?cron=never', undefined, '/cron'],
    ['GET', '/preview', undefined, '/cron'],
  ] as const)('%s %s: refuses what is not valid, with the reason at the field', async (method, url, body, pointer) => {
    const answer = await call(method, url, body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
  });

  it('is for who may publish there', async () => {
    const asked = async (role: 'viewer' | 'operator', environment: string) =>
      (
        await h.app.inject({
          method: 'POST',
          url: '/api/v1/schedules',
          headers: { authorization: `Bearer ${h.tokens[role]}` },
          payload: { ...report, environment },
        })
      ).statusCode;
    expect([await asked('viewer', 'dev'), await asked('operator', 'dev'), await asked('operator', 'prod')]).toEqual([
      403, 201, 403,
    ]);
    expect(await call('POST', '', { ...report, workflowId: 'none' })).toMatchObject({
      status: 404,
      body: { code: 'WORKFLOW_NOT_FOUND' },
    });
  });
});
