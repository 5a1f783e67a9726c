import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';

let asked: { method: string; path: string; body: unknown }[] = [];
let answer: object = {};
/** A master that answers everything alike. */
const master = fakeMaster(({ method, path, body }) => {
  asked.push({ method, path, body: body === '' ? null : JSON.parse(body) });
  return answer;
});
beforeEach(() => void (asked = []));
const create = (...args: string[]) => master.yardmaster(['webhooks', 'create', 'orders', 'dev', ...args]);

it('creates a webhook as its service signs, and prints URL and secret', async () => {
  answer = { url: 'http://m/hooks/h1', secret: 's3cret' };
  const { code, out } = await create('--verify', 'github', '--filter', 'body.a', '--output');
  expect({ code, out }).toEqual({ code: 0, out: 'http://m/hooks/h1\nsecret: s3cret' });
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      body: {
        workflowId: 'orders',
        environment: 'dev',
        verify: { type: 'hmac', preset: 'github' },
        filter: 'body.a',
        response: 'output',
      },
    },
  ]);
});

it('says what a kind of verification needs', async () => {
  expect(await create('--verify', 'basic')).toMatchObject({ code: 2 });
  expect(await create('--verify', 'rot13')).toMatchObject({ code: 2 });
  expect(asked).toEqual([]);
});

it('lists deliveries, and replays one', async () => {
  const delivery = {
    id: 'd1',
    receivedAt: '2026-01-01T00:00:00.000Z',
    verdict: 'ACCEPTED',
    status: 202,
    jobId: 'j1',
    deliveryId: 'x',
    size: 2,
    reason: null,
  };
  answer = { items: [delivery], page: 0, size: 20, totalItems: 1, totalPages: 1 };
  expect((await master.yardmaster(['webhooks', 'deliveries', 'h1'])).out).toMatch(/d1 .*ACCEPTED +202 +j1/);
  answer = { deliveryId: 'd2', jobId: 'j2', status: 'RUNNING' };
  expect((await master.yardmaster(['webhooks', 'replay', 'h1', 'd1'])).out).toBe('job j2');
  expect(asked.at(-1)).toMatchObject({ method: 'POST', path: '/api/v1/webhooks/h1/deliveries/d1/replay' });
});
