import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeadLetter } from '../../../contract/logs.ts';
import { fakePipelines } from '../../testing/pipelines.fake.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

const letter: DeadLetter = {
  id: '0:a',
  at: '2026-01-01T00:00:00.000Z',
  status: 400,
  reason: 'too long',
  bytes: 12,
  line: '{"_msg":"x"}',
};
const asked: unknown[] = [];
let h: Harness;
beforeAll(async () => {
  const pipelines = fakePipelines();
  h = await startHarness({
    services: {
      pipelines: {
        ...pipelines,
        deadLetters: {
          list: async ({ page, size }) => ({ items: [letter], page, size, totalItems: 1, totalPages: 1 }),
          replay: async (ids) => (asked.push(['replay', ids]), { replayed: 1 }),
          discard: async (ids) => (asked.push(['discard', ids]), { discarded: 2 }),
        },
      },
    },
  });
});
afterAll(() => h.close());

const call = async (method: 'GET' | 'POST', path: string, role: 'viewer' | 'operator', body?: object) => {
  const answer = await h.app.inject({
    method,
    url: `/api/v1/logs/${path}`,
    headers: { authorization: `Bearer ${h.tokens[role]}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
};

it('shows viewers what the pipeline holds and what the store refused', async () => {
  expect(await call('GET', 'pipeline', 'viewer')).toMatchObject({
    status: 200,
    body: { queueLines: 0, refusing: null },
  });
  expect(await call('GET', 'dead-letters?size=5', 'viewer')).toEqual({
    status: 200,
    body: { items: [letter], page: 0, size: 5, totalItems: 1, totalPages: 1 },
  });
});

it('lets operators send dead letters again, or delete them: those named, or all when that is said', async () => {
  expect(await call('POST', 'dead-letters/replay', 'operator', { ids: ['0:a'] })).toEqual({
    status: 200,
    body: { replayed: 1 },
  });
  expect(await call('POST', 'dead-letters/discard', 'operator', { all: true })).toEqual({
    status: 200,
    body: { discarded: 2 },
  });
  expect(asked).toEqual([
    ['replay', ['0:a']],
    ['discard', null],
  ]);
  for (const body of [{}, { ids: [] }, { all: false }, { ids: ['a'], all: true }, { id: 'a' }])
    expect(await call('POST', 'dead-letters/discard', 'operator', body)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED' },
    });
  expect(await call('POST', 'dead-letters/replay', 'viewer', { all: true })).toMatchObject({ status: 403 });
  expect(asked).toHaveLength(2);
});
