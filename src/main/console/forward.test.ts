import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { forward } from './forward.ts';

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());
afterEach(() => server?.close());

async function master(handler: Parameters<typeof createServer>[1]): Promise<{ url: string; token: string }> {
  server = createServer(handler as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'ymt_secret' };
}
const ask = (path: string, init?: RequestInit) => new Request(`http://console${path}`, init);

test('the token is added, what the page says about itself is left out', async () => {
  let seen: IncomingMessage | undefined;
  let body = '';
  const target = await master(async (request, response) => {
    seen = request;
    for await (const chunk of request) body += chunk;
    response
      .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-job-id': '1' })
      .end('{"a":1}');
  });
  const answer = await forward(
    ask('/api/v1/jobs?page=2', {
      method: 'POST',
      body: '[1]',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer forged',
        'api-key': 'ym_1',
        'sec-fetch-site': 'cross-site',
      },
    }),
    target,
    fetch,
  );
  expect([seen?.method, seen?.url, body]).toEqual(['POST', '/api/v1/jobs?page=2', '[1]']);
  expect(seen?.headers).toMatchObject({
    authorization: 'Bearer ymt_secret',
    'api-key': 'ym_1',
    'content-type': 'application/json',
  });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({ a: 1 });
  expect([answer.headers.get('x-job-id'), answer.headers.get('set-cookie')]).toEqual(['1', null]);
});

test('events arrive as they are sent, and the master sees the end when the page stops reading', async () => {
  let ended: Promise<unknown> | undefined;
  const target = await master((_request, response) => {
    ended = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n');
  });
  const reader = ((await forward(ask('/api/v1/stream'), target, fetch)).body as ReadableStream<Uint8Array>).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('id: 1\n\n');
  await reader.cancel();
  await ended;
});

test('a master that is not there is a problem document that says so', async () => {
  const target = await master(() => {});
  server?.close();
  await once(server as Server, 'close');
  const answer = await forward(ask('/api/v1/jobs'), target, fetch);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ code: 'MASTER_UNREACHABLE', status: 502 });
});

test('an empty answer stays empty', async () => {
  const target = await master((_request, response) => response.writeHead(204).end());
  const answer = await forward(ask('/api/v1/keys/1', { method: 'DELETE' }), target, fetch);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
});

test('to a read-only connection nothing goes that changes anything; what reads does', async () => {
  const asked: string[] = [];
  const target = {
    ...(await master((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })),
    readOnly: true,
  };
  const refused = await forward(ask('/api/v1/jobs/kill/1', { method: 'DELETE' }), target, fetch);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: 'CONNECTION_READ_ONLY',
    detail: expect.stringContaining('Settings'),
  });
  expect(
    (await forward(ask('/api/v1/jobs/bulk/retry', { method: 'POST', body: '{"filter":{},"all":true}' }), target, fetch))
      .status,
  ).toBe(403);
  expect(
    (await forward(ask('/api/v1/events/orders/prod', { method: 'POST', body: '[{}]' }), target, fetch)).status,
  ).toBe(403);
  expect(
    (
      await forward(
        ask('/api/v1/jobs/bulk/retry', { method: 'POST', body: '{"filter":{},"dryRun":true}' }),
        target,
        fetch,
      )
    ).status,
  ).toBe(200);
  expect((await forward(ask('/api/v1/jobs'), target, fetch)).status).toBe(200);
  expect(asked).toEqual(['POST /api/v1/jobs/bulk/retry', 'GET /api/v1/jobs']);
});

test('an answer is data: never a page, whatever it says it is, and nothing in its head steers the window', async () => {
  const target = await master((_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': 'default-src *',
        'x-content-type-options': 'x',
        refresh: '0;url=https://evil.example.com',
        link: '</x>; rel=preload',
        'clear-site-data': '"*"',
        'access-control-allow-origin': '*',
        'service-worker-allowed': '/',
        'x-request-id': 'r1',
        'content-disposition': 'attachment; filename="a"',
      })
      .end('<script>parent.yardmaster</script>'),
  );
  const { headers } = await forward(ask('/api/v1/jobs'), target, fetch);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-request-id': 'r1',
    'content-disposition': 'attachment; filename="a"',
  });
  for (const name of ['refresh', 'link', 'clear-site-data', 'access-control-allow-origin', 'service-worker-allowed'])
    expect(headers.get(name)).toBeNull();
});

test('a redirect is not followed, and not handed on', async () => {
  const target = await master((_request, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  );
  for (const way of [fetch, () => Promise.reject(new Error('Redirect was cancelled'))]) {
    const answer = await forward(ask('/api/v1/jobs'), target, way as typeof fetch);
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toMatchObject([
      502,
      null,
      { code: 'MASTER_REDIRECTS' },
    ]);
  }
});
