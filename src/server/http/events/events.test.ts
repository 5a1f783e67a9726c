import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let key: string;
let commit: string;
beforeAll(async () => {
  h = await startHarness();
  commit = await h.publish('upper');
});
beforeEach(async () => {
  h.jobs.clear();
  h.workers.anyAlive = true;
  key = (await h.key()).key;
});
afterAll(() => h.close());

const good = '[{"content":"a"}]';
const call = (over: { path?: string; headers?: Record<string, string>; body?: string | Buffer; app?: Harness } = {}) =>
  (over.app ?? h).app.inject({
    method: 'POST',
    url: over.path ?? '/api/v1/events/upper/dev',
    headers: { 'api-key': key, 'content-type': 'application/json', ...over.headers },
    payload: over.body ?? good,
  });
const code = async (answer: ReturnType<typeof call>) => {
  const { statusCode, body, headers } = await answer;
  const problem = JSON.parse(body) as { code: string; status: number; instance: string };
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(problem.status).toBe(statusCode);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return `${statusCode} ${problem.code}`;
};

describe('an event call', () => {
  it('answers 200 with the output, the job and the commit', async () => {
    const answer = await call();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([{ content: 'a' }]);
    expect(answer.headers).toMatchObject({ 'x-commit': commit, 'content-type': 'application/json; charset=utf-8' });
    expect(answer.headers['x-job-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('hands numbers on that a double cannot hold', async () => {
    expect((await call({ body: '[{"content":"a","n":12345678901234567890}]' })).body).toBe(
      '[{"content":"a","n":12345678901234567890}]',
    );
  });

  it('takes an external id, as UTF-8', async () => {
    await call({ headers: { 'x-external-id': Buffer.from('Bestellung-ü').toString('latin1') } });
    expect(h.jobs.submitted[0]).toMatchObject({ externalId: 'Bestellung-ü', kind: 'event', environment: 'dev' });
  });

  it.each([
    ['gzip', gzipSync(good)],
    ['deflate', deflateSync(good)],
    ['deflate', deflateRawSync(good)],
    ['br', brotliCompressSync(good)],
    ['identity', Buffer.from(good)],
  ])('takes a body in %s', async (encoding, body) => {
    expect((await call({ headers: { 'content-encoding': encoding }, body })).statusCode).toBe(200);
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'takes %s',
    async (type) => {
      expect((await call({ headers: { 'content-type': type } })).statusCode).toBe(200);
    },
  );

  it('gives own properties named __proto__ to the workflow and nothing to anybody else', async () => {
    const answer = await call({
      body: '[{"content":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]',
    });
    expect(answer.statusCode).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('errors come in the order of the contract', () => {
  // Each call has every fault of those after it as well.
  const bad = { 'content-type': 'text/plain' };
  it('401 API_KEY_MISSING, 401 API_KEY_INVALID, 422 ENVIRONMENT_UNKNOWN, 403 API_KEY_SCOPE', async () => {
    const elsewhere = (await h.key({ workflows: ['other'] })).key;
    const devOnly = (await h.key({ environments: ['staging'] })).key;
    const expired = (await h.key({ expiresAt: new Date(Date.now() + 500).toISOString() })).key;
    const revoked = await h.key();
    await h.services.access.keys.revoke(revoked.id, tester);
    await expect.poll(() => h.services.access.key(expired)).toBeNull();
    expect(await code(call({ path: '/api/v1/events/none/nowhere?x=1', headers: { ...bad, 'api-key': '' } }))).toBe(
      '401 API_KEY_MISSING',
    );
    for (const wrong of ['ym_wrong', expired, revoked.key, 'ü'])
      expect(await code(call({ path: '/api/v1/events/none/nowhere', headers: { ...bad, 'api-key': wrong } }))).toBe(
        '401 API_KEY_INVALID',
      );
    expect(await code(call({ path: '/api/v1/events/none/nowhere', headers: { ...bad, 'api-key': elsewhere } }))).toBe(
      '422 ENVIRONMENT_UNKNOWN',
    );
    expect(await code(call({ path: '/api/v1/events/none/dev', headers: { ...bad, 'api-key': elsewhere } }))).toBe(
      '403 API_KEY_SCOPE',
    );
    expect(await code(call({ headers: { ...bad, 'api-key': devOnly } }))).toBe('403 API_KEY_SCOPE');
  });

  it('404 WORKFLOW_NOT_FOUND, 404 NOT_PUBLISHED, 415, 413, 400 INVALID_JSON, 422 INPUT_INVALID', async () => {
    expect(await code(call({ path: '/api/v1/events/none/prod', headers: bad }))).toBe('404 WORKFLOW_NOT_FOUND');
    expect(await code(call({ path: '/api/v1/events/upper/prod', headers: bad }))).toBe('404 NOT_PUBLISHED');
    const large = Buffer.alloc(6 * 1024 * 1024, 'x');
    expect(await code(call({ headers: bad, body: large }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await code(call({ body: large }))).toBe('413 BODY_TOO_LARGE');
    expect(await code(call({ body: '[{"content"' }))).toBe('400 INVALID_JSON');
    expect(await code(call({ body: '[]', headers: { 'idempotency-key': 'k' } }))).toBe('422 INPUT_INVALID');
  });

  it('404 WORKFLOW_NOT_FOUND for one in the archive', async () => {
    await h.publish('old');
    await h.services.workflows.archive('old', tester);
    expect(await code(call({ path: '/api/v1/events/old/dev' }))).toBe('404 WORKFLOW_NOT_FOUND');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonx',
    'json',
    ';',
  ])('415 for %s', async (type) => {
    expect(await code(call({ headers: { 'content-type': type } }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });
  it('415 for a missing type, an unknown encoding', async () => {
    expect(
      await code(h.app.inject({ method: 'POST', url: '/api/v1/events/upper/dev', headers: { 'api-key': key } })),
    ).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await code(call({ headers: { 'content-encoding': 'zstd' } }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await code(call({ headers: { 'content-encoding': 'gzip, br' } }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });

  it('413 counts what the body decompresses to, and says so at once', async () => {
    expect(
      await code(call({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(64 * 1024 * 1024)) })),
    ).toBe('413 BODY_TOO_LARGE');
  });
  it('413 for more values than can be parsed in good time', async () => {
    expect(await code(call({ body: `[${'{},'.repeat(300_000)}{}]` }))).toBe('413 BODY_TOO_LARGE');
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['half an array', '[{"content":"a"}'],
    ['depth', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ])('400 for %s', async (_name, body) => {
    expect(await code(call({ body }))).toBe('400 INVALID_JSON');
  });
  it('400 for bytes that are no UTF-8, and for what is no gzip', async () => {
    expect(await code(call({ body: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]) }))).toBe('400 INVALID_JSON');
    expect(await code(call({ headers: { 'content-encoding': 'gzip' } }))).toBe('400 INVALID_JSON');
    expect(await code(call({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(good).subarray(0, 15) }))).toBe(
      '400 INVALID_JSON',
    );
  });

  it.each<[string, string[]]>([
    ['{}', ['']],
    ['[]', ['']],
    ['"x"', ['']],
    ['[1,{"content":"a"},null,[]]', ['/0', '/2', '/3']],
    ['[{"content":1},{},{"content":"a"}]', ['/0/content', '/1/content']],
    ['[12345678901234567890]', ['/0']],
    [JSON.stringify(Array.from({ length: 1001 }, () => ({ content: 'a' }))), ['']],
  ])('422 INPUT_INVALID for %.40s', async (body, pointers) => {
    const answer = await call({ body });
    expect(answer.json()).toMatchObject({ code: 'INPUT_INVALID', status: 422 });
    expect((answer.json() as { errors: { pointer: string }[] }).errors.map((e) => e.pointer)).toEqual(pointers);
  });

  it('429 RATE_LIMITED, 503 OVERLOADED, 503 NO_WORKERS', async () => {
    h.workers.anyAlive = false;
    expect(await code(call())).toBe('503 NO_WORKERS');
    expect((await call({ headers: { prefer: 'respond-async' } })).statusCode).toBe(202);
    h.jobs.queueDepth = 100_000;
    const overloaded = await call();
    expect(overloaded.json()).toMatchObject({ code: 'OVERLOADED', status: 503 });
    expect(Number(overloaded.headers['retry-after'])).toBeGreaterThan(0);
    const limited = await startHarness({ limits: { eventsPerSecondPerKey: 2 } });
    key = (await limited.key()).key;
    await limited.publish('upper');
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await call({ app: limited })).statusCode);
    expect(codes).toEqual([200, 200, 429]);
    await limited.close();
  });

  it('a workflow without tasks needs no worker', async () => {
    h.workers.anyAlive = false;
    await h.publish('echo', {
      nodes: [
        { id: 'in', type: 'input' },
        { id: 'out', type: 'output' },
      ],
      edges: [{ from: 'in', to: 'out' }],
    });
    expect((await call({ path: '/api/v1/events/echo/dev' })).statusCode).toBe(200);
  });

  it('422 for query parameters', async () => {
    expect(await code(call({ path: '/api/v1/events/upper/dev?a=1' }))).toBe('422 VALIDATION_FAILED');
  });
});

describe('Prefer', () => {
  it('respond-async answers 202 with where to look', async () => {
    const answer = await call({ headers: { prefer: 'respond-async' } });
    const { jobId, status, statusUrl } = answer.json() as { jobId: string; status: string; statusUrl: string };
    expect([answer.statusCode, status, statusUrl]).toEqual([202, 'RUNNING', `/api/v1/events/upper/dev/jobs/${jobId}`]);
    expect(answer.headers).toMatchObject({
      location: statusUrl,
      'preference-applied': 'respond-async',
      'x-job-id': jobId,
      'x-commit': commit,
    });
    const state = async () => (await h.app.inject({ url: statusUrl, headers: { 'api-key': key } })).json() as unknown;
    await expect
      .poll(state)
      .toEqual({ jobId, status: 'COMPLETED', finishedAt: expect.any(String), output: null, error: null });
  });

  it('wait=N answers 200 in time and 202 after it', async () => {
    const quick = await call({ headers: { prefer: 'wait=5' } });
    expect([quick.statusCode, quick.headers['preference-applied']]).toEqual([200, 'wait=5']);
    h.jobs.hold = true;
    const slow = await call({ headers: { prefer: 'respond-async, wait=1' } });
    expect([slow.statusCode, slow.headers['preference-applied']]).toEqual([202, 'respond-async, wait=1']);
    expect((await call({ headers: { prefer: 'wait=0' } })).statusCode).toBe(202);
  });

  it('unknown ones are ignored', async () => {
    const answer = await call({ headers: { prefer: 'handling=lenient; x="a,b", return=minimal, wait=soon' } });
    expect([answer.statusCode, answer.headers['preference-applied']]).toEqual([200, undefined]);
  });
});

describe('the end of a job', () => {
  it('502 WORKFLOW_FAILED names the task that failed', async () => {
    h.jobs.hold = true;
    const running = call();
    await expect.poll(() => h.jobs.submitted.length).toBe(1);
    const { items } = await h.jobs.list({ page: 0, size: 1, sort: '' });
    h.jobs.finish(items[0]?.id as string, {
      status: 'FAILED',
      failure: { taskId: 't', node: 'up', taskCode: 'TASK_ERROR', taskMessage: 'no' },
    });
    const answer = await running;
    expect(answer.json()).toMatchObject({
      status: 502,
      code: 'WORKFLOW_FAILED',
      jobId: items[0]?.id,
      taskId: 't',
      node: 'up',
      taskCode: 'TASK_ERROR',
      taskMessage: 'no',
    });
    expect(answer.headers).toMatchObject({ 'x-job-id': items[0]?.id, 'x-commit': commit });
  });

  it('504 WORKFLOW_TIMEOUT tells where to look', async () => {
    const short = await startHarness({ limits: { eventWaitSeconds: 0.05 } });
    key = (await short.key()).key;
    await short.publish('upper');
    short.jobs.hold = true;
    const answer = await call({ app: short });
    const problem = answer.json() as { jobId: string };
    expect(problem).toMatchObject({
      status: 504,
      code: 'WORKFLOW_TIMEOUT',
      statusUrl: `/api/v1/events/upper/dev/jobs/${problem.jobId}`,
    });
    expect(answer.headers['x-job-id']).toBe(problem.jobId);
    await short.close();
  });
});

describe('Idempotency-Key', () => {
  const twice = { 'idempotency-key': 'order-1' };
  const rest = ({ statusCode, body, headers }: Awaited<ReturnType<typeof call>>) => ({
    statusCode,
    body,
    job: headers['x-job-id'],
    type: headers['content-type'],
  });

  it('runs once and repeats the answer: 200, 202, 502', async () => {
    expect(rest(await call({ headers: twice }))).toEqual(rest(await call({ headers: twice })));
    const later = { 'idempotency-key': 'order-2', prefer: 'respond-async' };
    expect(rest(await call({ headers: later }))).toEqual(rest(await call({ headers: later })));
    expect(h.jobs.submitted).toHaveLength(2);
    h.jobs.hold = true;
    const failing = { 'idempotency-key': 'order-3' };
    const first = call({ headers: failing });
    await expect.poll(() => h.jobs.submitted.length).toBe(3);
    const { items } = await h.jobs.list({ page: 0, size: 9, sort: '' });
    h.jobs.finish(items[2]?.id as string, {
      status: 'FAILED',
      failure: { taskId: 't', node: 'up', taskCode: 'KILLED', taskMessage: 'no' },
    });
    expect(rest(await call({ headers: failing }))).toEqual(rest(await first));
  });

  it('says 202 again after the job ended, where the first call was told so', async () => {
    h.jobs.hold = true;
    const headers = { ...twice, prefer: 'wait=1' };
    const first = await call({ headers });
    h.jobs.finish(first.headers['x-job-id'] as string, { status: 'COMPLETED', outputText: '[]' });
    expect(rest(await call({ headers }))).toEqual(rest(first));
  });

  it('409 while the first call waits, 422 before that for another body', async () => {
    h.jobs.hold = true;
    const first = call({ headers: twice });
    await expect.poll(() => h.jobs.submitted.length).toBe(1);
    expect(await code(call({ headers: twice, body: '[{"content":"b"}]' }))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(await code(call({ headers: twice }))).toBe('409 IDEMPOTENCY_IN_FLIGHT');
    h.jobs.finish((await h.jobs.list({ page: 0, size: 1, sort: '' })).items[0]?.id as string, {
      status: 'COMPLETED',
      outputText: '["done"]',
    });
    expect(rest(await call({ headers: twice }))).toEqual(rest(await first));
  });

  it('calls in the same turn make one job', async () => {
    h.jobs.hold = true;
    const calls = [call({ headers: twice }), call({ headers: twice })];
    await expect.poll(() => h.jobs.submitted.length).toBe(1);
    expect(await code(Promise.race(calls) as never)).toBe('409 IDEMPOTENCY_IN_FLIGHT');
    h.jobs.finish((await h.jobs.list({ page: 0, size: 1, sort: '' })).items[0]?.id as string, {
      status: 'COMPLETED',
      outputText: '[]',
    });
    expect((await Promise.all(calls)).map((a) => a.statusCode).sort()).toEqual([200, 409]);
  });

  it('after a 504 waits for the same job', async () => {
    const short = await startHarness({ limits: { eventWaitSeconds: 0.05 } });
    key = (await short.key()).key;
    await short.publish('upper');
    short.jobs.hold = true;
    const first = await call({ app: short, headers: twice });
    const jobId = first.headers['x-job-id'] as string;
    expect(first.statusCode).toBe(504);
    const second = call({ app: short, headers: { ...twice } });
    short.jobs.finish(jobId, { status: 'COMPLETED', outputText: '["late"]' });
    expect(rest(await second)).toMatchObject({ statusCode: 200, body: '["late"]', job: jobId });
    expect(short.jobs.submitted).toHaveLength(1);
    await short.close();
  });

  it('is per key, and must not be too long', async () => {
    const other = (await h.key()).key;
    await call({ headers: twice });
    await call({ headers: { ...twice, 'api-key': other }, body: '[{"content":"b"}]' });
    expect(h.jobs.submitted).toHaveLength(2);
    expect(await code(call({ headers: { 'idempotency-key': 'x'.repeat(300) } }))).toBe('422 VALIDATION_FAILED');
  });
});

describe('the status URL', () => {
  it('is for keys of that scope and jobs of that endpoint', async () => {
    const { jobId } = (await call({ headers: { prefer: 'respond-async' } })).json() as { jobId: string };
    const get = (path: string, apiKey?: string) =>
      h.app.inject({ url: path, headers: apiKey === undefined ? {} : { 'api-key': apiKey } });
    const elsewhere = (await h.key({ workflows: ['other'] })).key;
    expect(await code(get(`/api/v1/events/upper/dev/jobs/${jobId}`))).toBe('401 API_KEY_MISSING');
    expect(await code(get(`/api/v1/events/upper/dev/jobs/${jobId}`, elsewhere))).toBe('403 API_KEY_SCOPE');
    expect(await code(get(`/api/v1/events/upper/nowhere/jobs/${jobId}`, key))).toBe('422 ENVIRONMENT_UNKNOWN');
    expect(await code(get(`/api/v1/events/upper/prod/jobs/${jobId}`, key))).toBe('404 JOB_NOT_FOUND');
    expect(await code(get(`/api/v1/events/upper/dev/jobs/none`, key))).toBe('404 JOB_NOT_FOUND');
  });
});
