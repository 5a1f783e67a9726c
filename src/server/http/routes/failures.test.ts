import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FailureDetail } from '../../../contract/failures.ts';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { AuditNote } from '../../access/port.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
const asked: unknown[] = [];
const ID = '0123456789abcdef';
const TIME = '2026-01-01T00:00:00.000Z';
const group: FailureDetail = {
  id: ID,
  status: 'OPEN',
  workflowId: 'pay',
  node: 'a',
  code: 'TASK_ERROR',
  message: 'card <n>',
  sample: 'card 1',
  count: 2,
  firstSeenAt: TIME,
  lastSeenAt: TIME,
  lastJobId: 'j',
  lastTaskId: 't',
  environments: [{ environment: null, count: 2 }],
  commits: [],
  workers: [],
  decidedAt: null,
  decidedBy: null,
  reopenedAt: null,
  causes: [{ kind: 'input', path: 'country', value: 'FR', failures: 1, successes: 0.1 }],
  jobs: [],
  standing: { jobs: 2, succeeded: 0, running: 0, failed: 2 },
};
const { causes: _causes, jobs: _jobs, standing: _standing, ...summary } = group;

beforeAll(async () => {
  h = await startHarness();
  h.jobs.failures.list = async (query) => (
    asked.push(query),
    { items: [summary], page: query.page, size: query.size, totalItems: 1, totalPages: 1 }
  );
  const unknown = h.jobs.failures.get;
  h.jobs.failures.get = async (id) => (id === ID ? group : unknown(id));
  h.jobs.failures.decide = async (id, decision, actor, audit?: AuditNote) => {
    asked.push([id, decision, actor, audit !== undefined]);
    return { ...summary, status: ({ resolve: 'RESOLVED', ignore: 'IGNORED', reopen: 'OPEN' } as const)[decision] };
  };
  h.jobs.operations.submit = async (request, actor) => {
    asked.push([request, actor]);
    return {
      operationId: 'op',
      kind: 'retry',
      status: 'RUNNING',
      total: 1,
      done: 0,
      failed: 0,
      createdAt: TIME,
      finishedAt: null,
      createdBy: actor,
      filter: null,
    };
  };
});
afterAll(() => h.close());
beforeEach(() => void (asked.length = 0));

const call = async (method: 'GET' | 'POST', url: string, role: 'viewer' | 'operator' = 'operator') => {
  const answer = await h.app.inject({ method, url, headers: { authorization: `Bearer ${h.tokens[role]}` } });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers };
};

it('lists and shows groups whole', async () => {
  expect(
    await call(
      'GET',
      '/api/v1/failures?status=OPEN&status=RESOLVED&workflowId=pay&environment=dev&q=card&sort=count,desc&page=1&size=5',
      'viewer',
    ),
  ).toMatchObject({ status: 200, body: { items: [summary], page: 1 } });
  expect(asked).toEqual([
    {
      page: 1,
      size: 5,
      sort: 'count,desc',
      status: ['OPEN', 'RESOLVED'],
      workflowId: 'pay',
      environment: 'dev',
      q: 'card',
    },
  ]);
  expect((await call('GET', `/api/v1/failures/${ID}`, 'viewer')).body).toEqual(group);
  expect(await call('GET', '/api/v1/failures/none')).toMatchObject({
    status: 404,
    body: { code: 'FAILURE_NOT_FOUND' },
  });
  for (const query of ['sort=message', 'status=NEW', 'what=1', 'size=0'])
    expect(await call('GET', `/api/v1/failures?${query}`)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED' },
    });
});

it.each([
  ['resolve', 'RESOLVED'],
  ['ignore', 'IGNORED'],
  ['reopen', 'OPEN'],
])('an operator may %s a group, which is audited', async (decision, status) => {
  expect(await call('POST', `/api/v1/failures/${ID}/${decision}`)).toMatchObject({
    status: 200,
    body: { id: ID, status },
  });
  expect(asked).toEqual([[ID, decision, 'operator', true]]);
  expect(await call('POST', `/api/v1/failures/${ID}/${decision}`, 'viewer')).toMatchObject({ status: 403 });
});

it('retries all jobs of a group as a bulk operation', async () => {
  expect(await call('POST', `/api/v1/failures/${ID}/retry`)).toMatchObject({
    status: 202,
    body: { operationId: 'op' },
    headers: { location: '/api/v1/operations/op' },
  });
  expect(asked).toEqual([
    [{ kind: 'retry', target: { filter: { failureGroup: ID } satisfies JobFilter }, nonRetryable: true }, 'operator'],
  ]);
  expect(await call('POST', '/api/v1/failures/none/retry')).toMatchObject({ status: 404 });
});

it('is not sent again where it is as it was when it was read before', async () => {
  const read = (headers = {}) =>
    h.app.inject({ url: '/api/v1/failures', headers: { authorization: `Bearer ${h.tokens.operator}`, ...headers } });
  const first = await read();
  const known = { 'if-none-match': String(first.headers.etag) };
  const again = await read(known);
  expect([again.statusCode, again.body]).toEqual([304, '']);
  summary.count = 3;
  expect((await read(known)).statusCode).toBe(200);
});
