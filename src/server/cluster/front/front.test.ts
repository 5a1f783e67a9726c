import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { portOf } from '../../../lib/listen-on-port.ts';
import { createFront, type Destination, type Front, type FrontOptions } from './front.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

async function startFront(
  masterId: string,
  holdMs = 2000,
  time?: FrontOptions['time'],
): Promise<Front & { url: string }> {
  const front = createFront({
    connectMs: 1000,
    masterId,
    credential: 'shared',
    tls: null,
    holdMs,
    prove: (nonce) => `proof of ${nonce}`,
    ...(time ? { time } : {}),
  });
  const url = await listening(front.server);
  closing.push(() => front.close());
  return Object.assign(front, { url });
}

/** A master's own server; `proved` is what its ownership says. */
function own(answer: (request: IncomingMessage, response: ServerResponse) => void, proved = () => true): Destination {
  const server = createServer(answer);
  return {
    kind: 'own',
    server,
    fresh: proved,
    whenProved: (told) => told(proved() ? null : new Error('not the owner')),
  };
}
const echoOf = (masterId: string) =>
  own((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () =>
      response
        .setHeader('x-served-by', masterId)
        .end(JSON.stringify({ from: request.socket.remoteAddress, headers: request.headers, body })),
    );
  });
const echo = echoOf('m1');

function call(
  url: string,
  {
    method = 'GET',
    body = '',
    headers = {},
  }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>((resolve, reject) => {
    const asked = httpRequest(url, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

it('answers by itself as the owner, and forwards to the owner as any other, with body and the address of the client', async () => {
  const [owner, standby] = [await startFront('m1'), await startFront('m2')];
  owner.serveBy(echo);
  standby.serveBy({ kind: 'other', url: owner.url, epoch: 1 });
  for (const { url } of [owner, standby]) {
    const { status, headers, text } = await call(`${url}/x?y`, { method: 'POST', body: 'hello' });
    expect([status, headers['x-served-by']]).toEqual([200, 'm1']);
    const seen = JSON.parse(text);
    expect([seen.body, seen.from]).toEqual(['hello', '127.0.0.1']);
    expect(Object.keys(seen.headers).filter((name) => name.startsWith('x-yardmaster'))).toEqual([]);
  }
});

it('believes nobody but its own masters from where a request came', async () => {
  const owner = await startFront('m1');
  owner.serveBy(echo);
  const forged = await call(owner.url, {
    headers: { 'x-yardmaster-forwarded': 'guessed 1', 'x-yardmaster-client': '203.0.113.7' },
  });
  expect(JSON.parse(forged.text).from).toBe('127.0.0.1');
  const told = await call(owner.url, {
    headers: { 'x-yardmaster-forwarded': 'shared 1', 'x-yardmaster-client': '203.0.113.7' },
  });
  expect(JSON.parse(told.text).from).toBe('203.0.113.7');
});

it('holds requests while there is no owner, and refuses them with NO_OWNER when there is none for long', async () => {
  const front = await startFront('m1', 300);
  const refused = await call(`${front.url}/api/v1/jobs`);
  expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text).code]).toEqual([
    503,
    '1',
    'NO_OWNER',
  ]);
  expect(refused.headers['x-served-by']).toBe('m1');
  const held = call(front.url, { method: 'POST', body: 'kept' });
  const upgraded = new WebSocket(front.url.replace('http', 'ws'));
  const [error] = (await once(upgraded, 'error')) as [Error];
  expect(error.message).toContain('503');
  await expect(held).resolves.toMatchObject({ status: 503 });
  const waiting = call(front.url, { method: 'POST', body: 'kept' });
  front.serveBy(echo);
  expect(JSON.parse((await waiting).text).body).toBe('kept');
});

it('hands on what waited at a master that handed over, once', async () => {
  const [first, second, third] = [await startFront('m1', 1000), await startFront('m2'), await startFront('m3')];
  second.serveBy(echoOf('m2'));
  third.serveBy({ kind: 'other', url: first.url, epoch: 1 });
  const waiting = call(third.url, { method: 'POST', body: 'moved' });
  setTimeout(() => first.serveBy({ kind: 'other', url: second.url, epoch: 2 }), 50);
  const { headers, text } = await waiting;
  expect([headers['x-served-by'], JSON.parse(text).body]).toEqual(['m2', 'moved']);
  // Masters that take each other for the owner do not send it round for ever.
  second.serveBy({ kind: 'other', url: first.url, epoch: 1 });
  expect((await call(first.url)).status).toBe(503);
});

it('does not cut what waits at a master that handed over, however long the next owner takes to answer', async () => {
  const [first, second, third] = [
    await startFront('m1', 5000),
    await startFront('m2', 5000),
    await startFront('m3', 600),
  ];
  const arrived = once(first.server, 'request');
  third.serveBy({ kind: 'other', url: first.url, epoch: 1 });
  first.serveBy({ kind: 'none', isHandover: true });
  const waiting = call(third.url, { method: 'POST', body: 'moved' });
  await arrived;
  third.serveBy({ kind: 'other', url: second.url, epoch: 2 });
  await expect(Promise.race([waiting, delay(700).then(() => 'waits')])).resolves.toBe('waits');
  second.serveBy(echoOf('m2'));
  first.serveBy({ kind: 'other', url: second.url, epoch: 2 });
  const { headers, text } = await waiting;
  expect([headers['x-served-by'], JSON.parse(text).body]).toEqual(['m2', 'moved']);
});

it('tells nothing from memory that is not proved to be of the owner', async () => {
  let proved = false;
  const front = await startFront('m1', 200);
  front.serveBy(
    own(
      (_request, response) => response.end('stale'),
      () => proved,
    ),
  );
  expect((await call(front.url)).status).toBe(503);
  proved = true;
  expect((await call(front.url)).text).toBe('stale');
});

it('sends nothing twice that may have had an effect, and reads again', async () => {
  const seen: string[] = [];
  // Takes the request and dies with it.
  const dying = createServer((request) => {
    seen.push(request.method ?? '');
    request.socket.destroy();
  });
  const url = await listening(dying);
  closing.push(() => dying.close());
  const front = await startFront('m2', 300);
  front.serveBy({ kind: 'other', url, epoch: 1 });
  expect((await call(front.url, { method: 'POST', body: 'once' })).status).toBe(503);
  expect(seen).toEqual(['POST']);
  expect((await call(front.url)).status).toBe(503);
  expect(seen.length).toBeGreaterThan(2);
});

it('waits no longer for an owner that was replaced without a word', async () => {
  // As a machine that is gone: it takes what comes and never answers.
  const seen: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const silent = createServer((request) => {
    seen.push(request.method ?? '');
    if (seen.length === 2) arrived.resolve();
  });
  const url = await listening(silent);
  closing.push(
    () => silent.closeAllConnections(),
    () => silent.close(),
  );
  const [next, standby] = [await startFront('m1'), await startFront('m2', 2000)];
  next.serveBy(own((_request, response) => response.end('of the next owner')));
  standby.serveBy({ kind: 'other', url, epoch: 1 });
  const answers = [call(standby.url), call(standby.url, { method: 'POST', body: 'once' })];
  await arrived.promise;
  standby.serveBy({ kind: 'other', url: next.url, epoch: 2 });
  const [read, written] = await Promise.all(answers);
  expect(read?.text).toBe('of the next owner');
  // It may have had an effect.
  expect(written?.status).toBe(503);
  expect(seen.toSorted()).toEqual(['GET', 'POST']);
});

it('lets requests wait longer for the end of a handover than for an owner that may have died', async () => {
  let now = 0;
  const due = new Set<() => void>();
  const time = {
    steady: () => now,
    after(_ms: number, run: () => void) {
      due.add(run);
      return () => void due.delete(run);
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const run of [...due]) if (due.delete(run)) run();
  };
  const front = await startFront('m2', 1000, time);
  const come = async () => {
    const arrived = once(front.server, 'request');
    const answered = call(front.url);
    await arrived;
    return answered.then(({ status }) => status);
  };
  front.serveBy({ kind: 'none', isHandover: false });
  const left = come();
  await expect.poll(() => due.size).toBe(1);
  pass(1500);
  expect(await left).toBe(503);
  front.serveBy({ kind: 'none', isHandover: true });
  const kept = come();
  await expect.poll(() => due.size).toBe(1);
  pass(1500);
  front.serveBy(echo);
  expect(await kept).toBe(200);
});

it('goes on waiting for an owner that was only not heard of for a moment', async () => {
  const answer = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const slow = createServer((_request, response) => {
    arrived.resolve();
    void answer.promise.then(() => response.end('late'));
  });
  const url = await listening(slow);
  closing.push(() => slow.close());
  const standby = await startFront('m2', 50);
  standby.serveBy({ kind: 'other', url, epoch: 1 });
  const asked = call(standby.url);
  await arrived.promise;
  standby.serveBy({ kind: 'none', isHandover: false });
  standby.serveBy({ kind: 'other', url, epoch: 1 });
  await call(`${standby.url}/healthz`);
  answer.resolve();
  expect((await asked).text).toBe('late');
});

it('forwards links, both ways', async () => {
  const [owner, standby] = [await startFront('m1'), await startFront('m2')];
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (link) =>
      link.on('message', (data) => link.send(`echo ${String(data)}`)),
    ),
  );
  owner.serveBy({ kind: 'own', server, fresh: () => true, whenProved: (told) => told(null) });
  standby.serveBy({ kind: 'other', url: owner.url, epoch: 1 });
  const link = new WebSocket(standby.url.replace('http', 'ws'));
  await once(link, 'open');
  link.send('hello');
  const [said] = await once(link, 'message');
  expect(String(said)).toBe('echo hello');
  owner.cutOwn();
  await once(link, 'close');
});

it('is alive and ready as a standby, and proves itself, whoever owns the state', async () => {
  const front = await startFront('m2', 100);
  expect(await call(`${front.url}/healthz`)).toMatchObject({ status: 200, headers: { 'x-served-by': 'm2' } });
  expect((await call(`${front.url}/readyz`)).status).toBe(503);
  front.serveBy({ kind: 'other', url: 'http://127.0.0.1:1', epoch: 1 });
  expect((await call(`${front.url}/readyz`)).status).toBe(200);
  front.serveBy({ kind: 'none', isHandover: false });
  expect((await call(`${front.url}/readyz`)).status).toBe(200);
  const nonce = 'a'.repeat(32);
  expect(JSON.parse((await call(`${front.url}/api/v1/master/proof?nonce=${nonce}`)).text)).toEqual({
    proof: `proof of ${nonce}`,
  });
});

it('refuses what waits when it closes', async () => {
  const front = await startFront('m1', 3_600_000);
  const arrived = once(front.server, 'request');
  const waiting = call(front.url).then(
    ({ status }) => status,
    () => 'cut',
  );
  await arrived;
  await front.close();
  expect([503, 'cut']).toContain(await waiting);
});
