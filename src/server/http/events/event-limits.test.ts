import { afterEach, expect, it } from 'vitest';
import { handClock } from '../../testing/engine.fixture.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
afterEach(() => h.close());

const call = (key: string, path = '/api/v1/events/upper/dev', headers: Record<string, string> = {}) =>
  h.app.inject({
    method: 'POST',
    url: path,
    headers: { 'api-key': key, 'content-type': 'application/json', ...headers },
    payload: '[{"content":"a"}]',
  });
const asAdmin = (method: 'PATCH' | 'GET' | 'POST', url: string, payload?: object) =>
  h.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${h.tokens.admin}` },
    ...(payload ? { payload } : {}),
  });
const statuses = async (key: string, count: number, path?: string) => {
  const seen: number[] = [];
  for (let i = 0; i < count; i++) seen.push((await call(key, path)).statusCode);
  return seen;
};

it('a key takes as many calls a second as it may, the next ones 429 with the seconds to wait', async () => {
  const clock = handClock();
  h = await startHarness({ services: { clock } });
  await h.publish('upper');
  const { key, id } = await h.key();
  expect(await statuses(key, 5)).toEqual([200, 200, 200, 200, 200]);
  const patched = await asAdmin('PATCH', `/api/v1/keys/${id}`, { limits: { eventsPerSecond: 2 } });
  expect(patched.json()).toMatchObject({ id, limits: { eventsPerSecond: 2, concurrency: null } });
  expect(await statuses(key, 3)).toEqual([200, 200, 429]);
  const refused = await call(key);
  expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  expect(refused.headers['retry-after']).toBe('1');
  clock.advance(500);
  expect(await statuses(key, 2)).toEqual([200, 429]);
  // Another key is not held back.
  expect((await call((await h.key()).key)).statusCode).toBe(200);
  await asAdmin('PATCH', `/api/v1/keys/${id}`, { name: 'shop', limits: null });
  expect(await statuses(key, 4)).toEqual([200, 200, 200, 200]);
  const audit = (await asAdmin('GET', `/api/v1/audit?action=key.update&target=key:${id}`)).json();
  expect(audit.items).toMatchObject([
    { before: { limits: { eventsPerSecond: 2 } }, after: { name: 'shop', limits: { eventsPerSecond: null } } },
    { actor: 'admin' },
  ]);
});

it('a workflow has limits of its own, whichever key calls', async () => {
  h = await startHarness({ services: { clock: handClock() } });
  await h.publish('upper');
  await h.publish('other');
  const [a, b] = [await h.key(), await h.key()];
  const patched = await asAdmin('PATCH', '/api/v1/workflows/upper', { limits: { eventsPerSecond: 3, concurrency: 4 } });
  expect(patched.json().limits).toEqual({ eventsPerSecond: 3, concurrency: 4 });
  expect((await asAdmin('PATCH', '/api/v1/workflows/upper', { limits: { concurrency: null } })).json().limits).toEqual({
    eventsPerSecond: 3,
    concurrency: null,
  });
  expect([...(await statuses(a.key, 2)), ...(await statuses(b.key, 2))]).toEqual([200, 200, 200, 429]);
  expect((await call(a.key)).json().detail).toContain('workflow upper has reached');
  expect(await statuses(a.key, 2, '/api/v1/events/other/dev')).toEqual([200, 200]);
});

it('limits that are none are refused, and a refused call takes from no bucket', async () => {
  h = await startHarness({ services: { clock: handClock() } });
  await h.publish('upper');
  const { key, id } = await h.key();
  for (const limits of [{ eventsPerSecond: 0 }, { concurrency: 1.5 }, { other: 1 }])
    expect((await asAdmin('PATCH', `/api/v1/keys/${id}`, { limits })).statusCode).toBe(422);
  await asAdmin('PATCH', `/api/v1/keys/${id}`, { limits: { eventsPerSecond: 10 } });
  await asAdmin('PATCH', '/api/v1/workflows/upper', { limits: { eventsPerSecond: 1 } });
  expect(await statuses(key, 9)).toEqual([200, 429, 429, 429, 429, 429, 429, 429, 429]);
  await asAdmin('PATCH', '/api/v1/workflows/upper', { limits: null });
  expect(await statuses(key, 10)).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
  const made = await h.services.access.keys.create(
    { name: 'made', workflows: ['*'], environments: ['dev'], limits: { eventsPerSecond: 1 } },
    tester,
  );
  expect(await statuses(made.key, 2)).toEqual([200, 429]);
});

it('is OVERLOADED before the bodies of waiting calls fill the memory', async () => {
  h = await startHarness({ limits: { eventWaitingBytes: 50, eventWaitingCalls: 3 } });
  await h.publish('upper');
  const { key } = await h.key();
  h.jobs.hold = true;
  const waiting = [call(key), call(key)];
  await expect.poll(() => h.jobs.submitted.length).toBe(2);
  const refused = await call(key);
  expect(refused.json()).toMatchObject({ code: 'OVERLOADED', status: 503 });
  expect(refused.json().detail).toContain('eventWaitingBytes');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  h.jobs.hold = false;
  for (const { statusCode } of [await call(key, undefined, { prefer: 'respond-async' })]) expect(statusCode).toBe(503);
  for (const id of h.jobs.open()) h.jobs.finish(id, { status: 'COMPLETED', outputText: '[]' });
  for (const answer of await Promise.all(waiting)) expect(answer.statusCode).toBe(200);
  expect((await call(key)).statusCode).toBe(200);
});

it('takes a priority from the header, or says what it may be', async () => {
  h = await startHarness();
  await h.publish('upper');
  const { key } = await h.key();
  expect((await call(key, undefined, { 'x-priority': '-7' })).statusCode).toBe(200);
  expect(h.jobs.submitted[0]).toMatchObject({ priority: -7, keySeq: expect.any(Number) });
  const batch = await asAdmin('POST', '/api/v1/jobs', {
    workflowId: 'upper',
    environment: 'dev',
    inputs: [{ content: 'a' }],
    priority: 100,
  });
  expect((await asAdmin('GET', `/api/v1/jobs/${batch.json().jobId}`)).json().priority).toBe(100);
  expect(
    (await asAdmin('POST', '/api/v1/jobs', { workflowId: 'upper', environment: 'dev', inputs: [], priority: 101 }))
      .statusCode,
  ).toBe(422);
  for (const bad of ['101', 'high', '1.5'])
    expect((await call(key, undefined, { 'x-priority': bad })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/headers/x-priority' }],
    });
});
