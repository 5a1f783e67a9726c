import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createFleet } from './fleet.ts';
import type { Target } from './connections.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: Parameters<typeof createServer>[1]): Promise<Target> {
  const server = createServer(handler as never).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'ymt_secret' };
}

const BODIES: Record<string, unknown> = {
  '/api/v1/session': { actor: 'me', role: 'viewer', expiresAt: null },
  '/api/v1/overview': {
    jobs: { running: 2, failedLastHour: 1 },
    tasks: { ready: 7, running: 3 },
    workers: { total: 4, operational: 2, maxed: 1 },
  },
  '/api/v1/settings': { version: '1.2.3' },
  '/api/v1/alerts': { totalItems: 5 },
  '/api/v1/cluster': {
    masters: [
      { id: 'a', lastSeenAt: '2026-01-01T00:01:00.000Z' },
      { id: 'b', lastSeenAt: '2026-01-01T00:00:59.000Z' },
      { id: 'c', lastSeenAt: '2026-01-01T00:00:10.000Z' },
    ],
  },
  '/api/v1/find': {
    items: [
      { kind: 'job', id: '1', label: 'A-1', detail: '', path: '/jobs/1' },
      { kind: 'job', id: '2', label: 'evil', detail: '', path: '//elsewhere.example' },
    ],
  },
};
const alive = () =>
  serve((request, response) => {
    const body = BODIES[new URL(request.url ?? '/', 'http://x').pathname];
    if (request.headers.authorization !== 'Bearer ymt_secret') return response.writeHead(401).end('{"status":401}');
    return response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });
const fleetOf = (targets: Record<string, Target | { unavailable: string }>, patienceMs = 10_000) =>
  createFleet({
    fetch: (_to, url, init) => fetch(url, init),
    target: (id) => targets[id] ?? null,
    since: () => performance.now(),
    patienceMs,
  });

test('a look brings health, version, queue, failures, workers and alerts, and never the token', async () => {
  const look = await fleetOf({ a: await alive() }).look('a');
  expect(look).toMatchObject({
    state: 'up',
    version: '1.2.3',
    role: 'viewer',
    facts: { queued: 7, runningTasks: 3, runningJobs: 2, failedLastHour: 1, workersUp: 3, workers: 4, alertsFiring: 5 },
  });
  expect(look.facts).toMatchObject({ mastersUp: 2, masters: 3 });
  expect(JSON.stringify(look)).not.toContain('ymt_secret');
});

test('one that is silent, one that is gone and one that is unknown each say so, and hold up no other', async () => {
  const silent = await serve(() => undefined);
  const gone = await serve(() => undefined);
  const last = servers.pop() as Server;
  last.close();
  await once(last, 'close');
  const fleet = fleetOf({ a: await alive(), silent, gone, off: { unavailable: 'the local master is off' } }, 2500);
  const order: string[] = [];
  const [a, ...others] = await Promise.all(
    ['a', 'silent', 'gone', 'off', 'none'].map((id) => fleet.look(id).finally(() => order.push(id))),
  );
  expect(a?.state).toBe('up');
  expect(order.at(-1)).toBe('silent');
  expect(others.map((look) => [look?.state, look?.message])).toEqual([
    ['down', 'no response within 2.5 s'],
    ['down', expect.stringContaining('connection refused')],
    ['down', 'the local master is off'],
    ['down', expect.stringContaining('connection "none" not found')],
  ]);
});

test('a refused token, an old master and a stranger are told apart', async () => {
  const refusing = { ...(await alive()), token: 'ymt_wrong' };
  const stranger = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
  );
  const old = await serve((_request, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
  );
  const fleet = fleetOf({ refusing, stranger, old });
  expect(await fleet.look('refusing')).toMatchObject({ state: 'refused', facts: null });
  expect(await fleet.look('stranger')).toMatchObject({
    state: 'down',
    message: expect.stringContaining('not a Yardmaster master'),
  });
  expect(await fleet.search('old', 'x')).toEqual({
    hits: [],
    problem: 'this master is too old for cross-cluster search',
  });
});

test('a search keeps only places inside the console, and a newer one ends the one before', async () => {
  const fleet = fleetOf({ a: await alive(), silent: await serve(() => undefined) }, 5000);
  expect(await fleet.search('a', 'A-1')).toEqual({
    hits: [BODIES['/api/v1/find'] && expect.objectContaining({ id: '1' })],
    problem: null,
  });
  const first = fleet.search('silent', 'one');
  const second = fleet.search('silent', 'two');
  expect(await first).toMatchObject({ hits: [], problem: 'replaced by a newer request' });
  void fleet.search('silent', 'three');
  expect(await second).toMatchObject({ problem: 'replaced by a newer request' });
});

test('an answer without end is cut off', async () => {
  const endless = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => response.write('x'.repeat(65_536)) && setImmediate(more);
    response.on('drain', more);
    more();
  });
  expect(await fleetOf({ endless }, 5000).look('endless')).toMatchObject({
    state: 'down',
    message: expect.stringContaining('not a Yardmaster master'),
  });
});
