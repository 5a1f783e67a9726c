import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Io } from './io.ts';
import { run } from './program.ts';

/** A master that answers everything alike and keeps what it was asked. */
let server: Server;
let url: string;
const asked: { method: string; path: string; body: unknown; priority: string | undefined }[] = [];
let answer: object = {};
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push({ method: request.method ?? '', path: request.url ?? '', body: text === '' ? null : JSON.parse(text), priority: request.headers['x-priority'] as string | undefined });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => void (asked.length = 0));

async function cli(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = { env: {}, out: (line) => void out.push(line), err: (line) => void err.push(line), write: async () => {}, stdin: async () => '[{}]', interactive: false, load: async () => ({}), stopped: new AbortController().signal, onParentGone: () => {}, columns: null };
  return { code: await run([...args, '--url', url, '--token', 't'], io), out: out.join('\n'), err: err.join('\n') };
}

it('changes the limits of a key or a workflow, and takes them away', async () => {
  answer = { id: 'k', name: 'shop', limits: { eventsPerSecond: 5, concurrency: null } };
  const shown = await cli('keys', 'limit', 'k', '--events-per-second', '5', '--concurrency', 'none');
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/events a second +5\ntasks at once +any number/) });
  await cli('workflow', 'limit', 'flow', '--concurrency', '3');
  expect(asked).toMatchObject([
    { method: 'PATCH', path: '/api/v1/keys/k', body: { limits: { eventsPerSecond: 5, concurrency: null } } },
    { method: 'PATCH', path: '/api/v1/workflows/flow', body: { limits: { concurrency: 3 } } },
  ]);
  expect((await cli('keys', 'limit', 'k')).code).toBe(2);
  expect((await cli('keys', 'limit', 'k', '--concurrency', '0')).err).toContain('none');
});

it('sends an event with a priority', async () => {
  answer = [1];
  expect((await cli('event', 'send', 'flow', 'dev', '--api-key', 'k', '--priority', '-20')).code).toBe(0);
  expect(asked[0]).toMatchObject({ path: '/api/v1/events/flow/dev', priority: '-20' });
  expect((await cli('event', 'send', 'flow', 'dev', '--api-key', 'k', '--priority', '101')).code).toBe(2);
});

it('tells why a task is not running', async () => {
  answer = { taskId: 't1', state: 'READY', reason: 'ALL_MAXED', message: 'It is number 5 of 8.', queue: { position: 5, total: 8 }, slots: { used: 2, total: 2, workers: 1, accepting: 1 }, handler: null, limit: { scope: 'key', name: 'shop', most: 2, used: 2 }, childJobId: null, retryAt: null, scheduleTimeoutAt: '2026-01-01T00:00:00.000Z', runTimeoutAt: null };
  const { code, out } = await cli('jobs', 'why', 't1');
  expect(code).toBe(0);
  expect(asked[0]?.path).toBe('/api/v1/tasks/t1/why');
  expect(out).toMatch(/^It is number 5 of 8\.\n\n[\s\S]*queue +5 of 8\n[\s\S]*limit +key shop: 2 of 2\nschedule timeout +2026/);
  expect(JSON.parse((await cli('jobs', 'why', 't1', '--json')).out)).toEqual(answer);
});
