import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../../contract/jobs.ts';
import type { Operation } from '../../../contract/operations.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

/** The routes over the real engine. */
let h: Harness;
let rig: Rig;
let port: number;
beforeAll(async () => {
  rig = await openRig({ limits: { jobExports: 1 } });
  h = await startHarness({ limits: { bulkIds: 5, exportStallSeconds: 2 }, services: { jobs: rig.jobs } });
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  port = (h.app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await h.close();
  await rig.close();
});

const flow = (workflowId: string) => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });
const call = (method: 'GET' | 'POST' | 'HEAD', url: string, body?: unknown, role: 'viewer' | 'operator' = 'operator') =>
  h.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${h.tokens[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });

describe('POST /api/v1/jobs/bulk/{kill|retry|rerun}', () => {
  it('answers a dry run with counts, and else accepts an operation', async () => {
    const ids = [await rig.submit(flow('bulk')), await rig.submit(flow('bulk'))];
    const dry = await call('POST', '/api/v1/jobs/bulk/kill', {
      filter: { workflowId: 'bulk', status: 'RUNNING' },
      dryRun: true,
    });
    expect([dry.statusCode, dry.json()]).toEqual([
      200,
      { count: 2, eligible: 2, ineligible: [], snapshot: expect.any(String) },
    ]);
    const accepted = await call('POST', '/api/v1/jobs/bulk/kill', {
      filter: { workflowId: 'bulk', status: ['RUNNING'] },
    });
    expect([accepted.statusCode, accepted.json()]).toEqual([202, { operationId: expect.any(String) }]);
    const { operationId } = accepted.json<{ operationId: string }>();
    expect(accepted.headers.location).toBe(`/api/v1/operations/${operationId}`);
    await expect
      .poll(
        async () =>
          (await call('GET', `/api/v1/operations/${operationId}`, undefined, 'viewer')).json<Operation>().status,
      )
      .toBe('DONE');
    expect((await call('GET', `/api/v1/operations/${operationId}`)).json()).toEqual({
      operationId,
      kind: 'kill',
      status: 'DONE',
      total: 2,
      done: 2,
      failed: 0,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      createdBy: 'operator',
      filter: { workflowId: 'bulk', status: ['RUNNING'] },
    });
    expect((await call('GET', `/api/v1/operations/${operationId}/results?size=1`)).json()).toEqual({
      items: [{ jobId: ids[0], ok: true, code: null, message: '1 task killed' }],
      page: 0,
      size: 1,
      totalItems: 2,
      totalPages: 2,
    });
    expect((await call('GET', `/api/v1/operations/${operationId}/results?ok=false`)).json()).toMatchObject({
      items: [],
      totalItems: 0,
    });
    expect((await call('GET', '/api/v1/operations?size=1')).json()).toMatchObject({
      items: [{ operationId }],
      page: 0,
      size: 1,
    });
    expect((await call('POST', `/api/v1/operations/${operationId}/abort`)).json()).toMatchObject({
      operationId,
      status: 'DONE',
    });
  });

  it('takes exactly one of ids and filter, and an empty filter only for all', async () => {
    const codes = async (body: unknown) => {
      const answer = await call('POST', '/api/v1/jobs/bulk/retry', body);
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    };
    for (const body of [
      {},
      { ids: ['a'], filter: { q: 'a' } },
      { ids: [] },
      { ids: ['1', '2', '3', '4', '5', '6'] },
      { filter: { nonsense: 1 } },
      { filter: { status: 'LOST' } },
      { ids: 'a' },
      { ids: ['a'], more: 1 },
      { all: true },
    ])
      expect([body, ...(await codes(body))]).toEqual([body, 422, 'VALIDATION_FAILED']);
    for (const body of [
      { filter: {} },
      { filter: { status: [] } },
      { filter: { q: '' } },
      { filter: {}, all: false },
      { filter: {}, dryRun: true },
    ])
      expect([body, ...(await codes(body))]).toEqual([body, 422, 'FILTER_EMPTY']);
    expect(await codes({ filter: {}, all: true, dryRun: true })).toEqual([200, undefined]);
    // What is named twice is one.
    expect(await codes({ ids: ['1', '1', '2', '2', '3', '3'], dryRun: true })).toEqual([200, undefined]);
    // Only a retry can be told to take what a retry does not mend.
    expect((await call('POST', '/api/v1/jobs/bulk/kill', { ids: ['1'], includeNonRetryable: true })).statusCode).toBe(
      422,
    );
    // And only a rerun of a version.
    expect((await call('POST', '/api/v1/jobs/bulk/retry', { ids: ['1'], commit: 'published' })).statusCode).toBe(422);
    for (const [body, status] of [
      [{ commit: 'no such' }, 422],
      [{ includeNonRetryable: true }, 422],
      [{ commit: 'abcd', includeRerun: true, includeCompleted: true }, 200],
    ] as const)
      expect([
        body,
        (await call('POST', '/api/v1/jobs/bulk/rerun', { ids: ['1'], dryRun: true, ...body })).statusCode,
      ]).toEqual([body, status]);
  });

  it('needs an operator; a viewer may look', async () => {
    expect((await call('POST', '/api/v1/jobs/bulk/kill', { ids: ['1'] }, 'viewer')).statusCode).toBe(403);
    expect((await call('POST', '/api/v1/operations/x/abort', undefined, 'viewer')).statusCode).toBe(403);
    expect((await call('GET', '/api/v1/operations', undefined, 'viewer')).statusCode).toBe(200);
    for (const [method, url] of [
      ['GET', '/api/v1/operations/x'],
      ['GET', '/api/v1/operations/x/results'],
      ['POST', '/api/v1/operations/x/abort'],
    ] as const)
      expect((await call(method, url)).json()).toMatchObject({ status: 404, code: 'OPERATION_NOT_FOUND' });
    expect((await call('GET', '/api/v1/operations?sort=x')).statusCode).toBe(422);
  });

  it('is told of by the live stream', async () => {
    const { operationId } = (await call('POST', '/api/v1/jobs/bulk/kill', { ids: ['a'] })).json<{
      operationId: string;
    }>();
    const closed = new AbortController();
    const stream = await fetch(`http://127.0.0.1:${port}/api/v1/stream`, {
      headers: { authorization: `Bearer ${h.tokens.viewer}` },
      signal: closed.signal,
    });
    h.services.feed.publish('operation', operationId);
    let text = '';
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream()))
      if (/event: operation\n[^]*\n\n/.test((text += chunk))) break;
    closed.abort();
    expect(JSON.parse(/event: operation\n(?:id: \d+\n)?data: (.*)\n/.exec(text)?.[1] ?? '')).toMatchObject({
      id: operationId,
      operationId,
      kind: 'kill',
      total: 1,
    });
  });

  it('writes an entry of the audit log with the operation', async () => {
    const { operationId } = (await call('POST', '/api/v1/jobs/bulk/kill', { ids: ['a'] })).json<{
      operationId: string;
    }>();
    const entries = rig.store.read
      .query<{ action: string; actor: string; after: string }>(
        'SELECT action, actor, after FROM audit WHERE target = ?',
      )
      .all(`operation:${operationId}`);
    expect(entries).toEqual([{ action: 'job.bulk-kill', actor: 'operator', after: '{"ids":1,"total":1}' }]);
  });
});

describe('changes of single jobs', () => {
  it('write their entry of the audit log in their own transaction', async () => {
    const jobId = await rig.submit(
      flow('single'),
      Array.from({ length: 450 }, () => ({})),
    );
    await h.app.inject({
      method: 'DELETE',
      url: `/api/v1/jobs/kill/${jobId}`,
      headers: { authorization: `Bearer ${h.tokens.operator}` },
    });
    await call('POST', `/api/v1/jobs/${jobId}/retry`);
    await h.app.inject({
      method: 'DELETE',
      url: `/api/v1/jobs/kill/${jobId}`,
      headers: { authorization: `Bearer ${h.tokens.operator}` },
    });
    await h.app.inject({
      method: 'DELETE',
      url: `/api/v1/jobs/kill/${jobId}`,
      headers: { authorization: `Bearer ${h.tokens.operator}` },
    });
    const entries = rig.store.read
      .query<{ action: string; before: string; after: string }>(
        'SELECT action, before, after FROM audit WHERE target = ? ORDER BY id',
      )
      .all(`job:${jobId}`);
    expect(entries.map(({ action, before, after }) => [action, JSON.parse(before), JSON.parse(after)])).toEqual([
      ['job.kill', { status: 'RUNNING' }, { status: 'FAILED', killedTasks: 450 }],
      ['job.retry', { status: 'FAILED' }, { status: 'RUNNING', retriedTasks: 450 }],
      ['job.kill', { status: 'RUNNING' }, { status: 'FAILED', killedTasks: 450 }],
    ]);
  });
});

describe('GET /api/v1/jobs/export', () => {
  it('hands the jobs that match over as a file', async () => {
    const id = await rig.submit(flow('exported'), [], { externalId: '=1+1' });
    const csv = await call('GET', '/api/v1/jobs/export?format=csv&workflowId=exported', undefined, 'viewer');
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="jobs-\d{8}T\d{6}Z\.csv"$/),
    });
    expect(csv.body.split('\r\n')[1]).toMatch(new RegExp(`^${id},'=1\\+1,EMPTY,exported,dev,`));
    const json = await call('GET', '/api/v1/jobs/export?format=json&workflowId=exported&status=EMPTY&status=FAILED');
    expect([json.headers['content-type'], json.json<Job[]>().map((job) => job.id)]).toEqual([
      'application/json; charset=utf-8',
      [id],
    ]);
    const ndjson = await call('GET', '/api/v1/jobs/export?format=ndjson&workflowId=exported');
    expect([
      ndjson.headers['content-type'],
      ndjson.body
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Job).id),
    ]).toEqual(['application/x-ndjson; charset=utf-8', [id]]);
  });

  it('refuses what is no format and no filter', async () => {
    for (const query of ['', '?format=xml', '?format=csv&page=1', '?format=csv&status=LOST'])
      expect((await call('GET', `/api/v1/jobs/export${query}`)).json()).toMatchObject({
        status: 422,
        code: 'VALIDATION_FAILED',
      });
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await call('HEAD', '/api/v1/jobs/export?format=csv');
    expect([answer.statusCode, answer.body, answer.headers['content-disposition']]).toEqual([
      200,
      '',
      expect.stringContaining('attachment'),
    ]);
    expect((await call('HEAD', '/api/v1/jobs/export')).statusCode).toBe(422);
  });

  it('stops reading where its client goes away', async () => {
    await Promise.all(Array.from({ length: 15_000 }, () => rig.submit(flow('many'), [])));
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /api/v1/jobs/export?format=json HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${h.tokens.viewer}\r\n\r\n`,
    );
    // It reads the head of the answer and nothing after it: back-pressure holds the export.
    await new Promise((resolve) => socket.once('readable', resolve));
    const another = async () => (await call('GET', '/api/v1/jobs/export?format=csv&workflowId=exported')).statusCode;
    expect(await another()).toBe(503);
    socket.destroy();
    await expect.poll(another).toBe(200);

    // One that stalls is cut.
    const stalled = connect(port, '127.0.0.1');
    stalled.write(
      `GET /api/v1/jobs/export?format=json HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${h.tokens.viewer}\r\n\r\n`,
    );
    await new Promise((resolve) => stalled.once('readable', resolve));
    expect(await another()).toBe(503);
    await expect.poll(another).toBe(200);
    stalled.destroy();
  });
});

describe('a query of jobs', () => {
  it('filters lists, exports and bulk operations alike, and is kept with the operation', async () => {
    const [first] = [await rig.submit(flow('asked'), [{ country: 'DE' }]), await rig.submit(flow('asked'), [{}])];
    const query = encodeURIComponent('workflow:asked input.country:* -attempts:>1');
    const list = await call('GET', `/api/v1/jobs?query=${query}`, undefined, 'viewer');
    expect([list.statusCode, list.json<{ items: Job[] }>().items.map(({ id }) => id)]).toEqual([200, [first]]);
    const file = await call('GET', `/api/v1/jobs/export?format=json&query=${query}`, undefined, 'viewer');
    expect(file.json<Job[]>().map(({ id }) => id)).toEqual([first]);
    const filter = { query: 'workflow:asked input.country:*' };
    const dry = await call('POST', '/api/v1/jobs/bulk/kill', { filter, dryRun: true });
    expect(dry.json()).toMatchObject({ count: 1, eligible: 1 });
    const { operationId } = (await call('POST', '/api/v1/jobs/bulk/kill', { filter })).json<{ operationId: string }>();
    const operation = (await call('GET', `/api/v1/operations/${operationId}`)).json<Operation>();
    expect([operation.total, operation.filter]).toEqual([1, { workflowId: 'asked', query: 'input.country:*' }]);
  });

  it('names the place of what is wrong, and is none when it is empty', async () => {
    const bad = await call('GET', `/api/v1/jobs?query=${encodeURIComponent('status:failed duration:>5')}`);
    expect([bad.statusCode, bad.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'QUERY_INVALID',
        position: 24,
        errors: [{ pointer: '/query', message: expect.stringContaining('needs a duration') }],
      }),
    ]);
    const empty = await call('POST', '/api/v1/jobs/bulk/kill', { filter: { query: '  ' }, dryRun: true });
    expect([empty.statusCode, empty.json<{ code: string }>().code]).toEqual([422, 'FILTER_EMPTY']);
  });
});
