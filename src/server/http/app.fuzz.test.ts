import { readdirSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, ERRORS } from '../../contract/errors.ts';
import type { RunningMaster } from '../../contract/process.ts';
import { ROUTES, type RouteName } from '../../contract/routes.ts';
import { type Route, routeErrors } from '../../contract/shapes.ts';
import { openMaster } from '../master.fixture.ts';
import { createSeededRandom, type SeededRandom } from '../../lib/seeded-random.ts';
import { junk, junkText, valueFor } from '../testing/fuzz-values.fixture.ts';
import { connectWorker, done, failed, type FakeWorker } from '../testing/worker.fake.ts';
import { simple } from '../testing/http.fixture.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/**
 * Every route of the table under bad paths, queries, headers, methods and bodies, on a real master over real sockets. A
 * new route is covered as soon as it is in the table. YARDMASTER_FUZZ_SEED and _ROUNDS repeat a run or make it longer.
 */
const SEED = Number(process.env['YARDMASTER_FUZZ_SEED'] ?? 20261121);
const ROUNDS = Number(process.env['YARDMASTER_FUZZ_ROUNDS'] ?? 20);
/** At once: more than a browser, so that requests cross. */
const LANES = 6;

const folder = temporaryFolder('fuzz');
const data = join(folder, 'data');
const said: string[] = [];
let master: RunningMaster;
let worker: FakeWorker;
let known: Record<string, string>;
/** Ids by method and noun, where `id` is no workflow. */
let ids: Record<string, string>;
let credentials: { token: string; viewer: string; key: string };

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

beforeAll(async () => {
  master = await openMaster({
    data,
    limits: { eventWaitSeconds: 0.05, preferWaitSeconds: 0.05, passwordCost: 4, passwordPasses: 1 },
    log: (line) => void said.push(line),
  });
  const { token, url } = master.ready;
  const operate = async (method: string, path: string, body?: unknown) => {
    const answer = await send({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? {} : (JSON.parse(answer.text) as Record<string, string>);
  };
  await operate('POST', '/api/v1/workflows', { id: 'fuzz', name: 'Fuzz' });
  const { hash = '' } = await operate('POST', '/api/v1/workflows/fuzz/commits', {
    definition: simple,
    message: 'm',
    parent: null,
  });
  await operate('PUT', '/api/v1/workflows/fuzz/environments/dev', { hash });
  const { key = '', id: keyId = '' } = await operate('POST', '/api/v1/keys', {
    name: 'k',
    workflows: ['*'],
    environments: ['dev'],
  });
  const { token: viewer = '' } = await operate('POST', '/api/v1/tokens', { name: 'v', role: 'viewer' });
  const { jobId = '' } = await operate('POST', '/api/v1/jobs', {
    workflowId: 'fuzz',
    environment: 'dev',
    inputs: [{ content: 'a' }],
  });
  const { jobId: failing = '' } = await operate('POST', '/api/v1/jobs', {
    workflowId: 'fuzz',
    environment: 'dev',
    inputs: [{ content: 'fail' }],
  });
  await operate('POST', '/api/v1/workflows', { id: 'gone', name: 'Gone' });
  const { operationId = '' } = await operate('POST', '/api/v1/jobs/bulk/kill', { ids: [jobId] });
  const { id: tokenId = '' } = await operate('POST', '/api/v1/tokens', { name: 't', role: 'viewer' });
  const { id: lostKey = '' } = await operate('POST', '/api/v1/keys', {
    name: 'l',
    workflows: ['*'],
    environments: ['dev'],
  });
  const tasks = (await operate('GET', `/api/v1/jobs/${jobId}/tasks`)) as unknown as { items: { id: string }[] };
  const { token: workerToken = '' } = await operate('POST', '/api/v1/tokens', { name: 'w', role: 'worker' });
  worker = await connectWorker({ url: `${url.replace('http', 'ws')}/api/v1/worker`, capacity: 1, token: workerToken });
  void echo(worker);
  const group = async () =>
    ((await operate('GET', '/api/v1/failures')) as unknown as { items: { id: string }[] }).items[0]?.id;
  await vi.waitFor(async () => expect(await group()).toBeDefined(), { interval: 50 });
  expect(failing).not.toBe('');
  const failure = (await group()) ?? '';
  ids = {
    'GET failures': failure,
    'POST failures': failure,
    'GET operations': operationId,
    'POST operations': operationId,
    'GET workers': worker.id,
    'POST workers': worker.id,
    'PATCH keys': keyId,
    'POST keys': lostKey,
    'DELETE keys': lostKey,
    'DELETE tokens': tokenId,
    'DELETE workflows': 'gone',
  };
  credentials = { token, viewer, key };
  known = {
    id: 'fuzz',
    workflowId: 'fuzz',
    environment: 'dev',
    hash,
    a: hash.slice(0, 8),
    b: hash,
    commit: hash,
    parent: hash,
    expected: hash,
    jobId,
    taskId: tasks.items[0]?.id ?? '',
    name: 'FUZZ',
    node: 'up',
    output: 'out',
    from: 'in',
    to: 'up',
    type: 'transform',
    sort: 'createdAt,desc',
    query: 'level:ERROR',
    interval: '1m',
    step: '1h',
    format: 'json',
    q: jobId.slice(0, 8),
    keyId,
    worker: worker.id,
  };
});
afterAll(async () => {
  await worker.vanish();
  await master.close();
});

/** Does what it is given. */
async function echo(from: FakeWorker): Promise<void> {
  try {
    for (;;) {
      const lease = await from.lease();
      const { content } = lease.input as { content?: unknown };
      from.report(
        content === 'fail' ? failed(lease, { code: 'NON_RETRYABLE', retryable: false }) : done(lease, lease.input),
      );
    }
  } catch {
    // The link was closed.
  }
}

function send({
  method,
  path,
  headers,
  body,
}: {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(master.ready.url);
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
        agent: false,
        timeout: 60_000,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        // A stream has no end: its head says all.
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          answer.destroy();
          return resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '' });
        }
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
        );
        answer.on('error', reject);
      },
    );
    call.on('timeout', () => call.destroy(new Error(`${method} ${path.slice(0, 100)} was not answered`)));
    call.on('error', reject);
    call.end(body);
  });
}

/** What must hold of any answer. */
function judge(what: string, { status, headers, text }: Answer): void {
  const told = `${what} → ${status} ${text.slice(0, 300)}`;
  expect(status, told).not.toBe(500);
  expect(status, told).toBeGreaterThanOrEqual(200);
  expect(headers['x-request-id'], told).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-injected'], told).toBeUndefined();
  if (status < 400 || what.startsWith('HEAD ')) return;
  // The page of a one-time link is for people.
  if (/^\w+ \w+ \/respond\//.test(what) && headers['content-type']?.startsWith('text/html')) return;
  expect(headers['content-type'], told).toMatch(/^application\/problem\+json/);
  const problem = JSON.parse(text) as Record<string, unknown>;
  expect(problem, told).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code: expect.any(String),
    instance: expect.any(String),
  });
  expect(ERRORS, told).toHaveProperty(problem['code'] as string);
  expect(ERRORS[problem['code'] as keyof typeof ERRORS][0], told).toBe(status);
  expect(text, told).not.toMatch(/\bat .+\.ts:\d+|node_modules|SQLITE_/);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function pathFor(method: string, route: Route, chance: SeededRandom, spoilt: number): string {
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    // Bare, so that the escapes themselves are bad now and then.
    if (chance.percent(spoilt))
      return chance.percent(80)
        ? encoded(junkText(chance))
        : chance.pick(['%zz', '%', '%2e%2e%2f', '..', '%c0%ae', '.', '%00']);
    return (name === 'id' ? ids[`${method} ${/v1\/(\w+)/.exec(route.path)?.[1]}`] : undefined) ?? known[name] ?? 'x';
  });
  const { properties = {} } = (route.query ?? {}) as { properties?: Record<string, object> };
  const query: string[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!chance.percent(30)) continue;
    const value = chance.percent(spoilt) ? junkText(chance) : String(valueFor(schema, chance, spoilt, known, name));
    for (let i = chance.percent(10) ? 3 : 1; i > 0; i--) query.push(`${name}=${encoded(value)}`);
  }
  if (chance.percent(spoilt))
    query.push(chance.pick(['=', '&&&', 'unknown=1', '%zz=1', '__proto__=1', 'page[]=1', `x=${'a'.repeat(5000)}`]));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function headersFor(route: Route, chance: SeededRandom, spoilt: number): Record<string, string> {
  const { token, viewer, key } = credentials;
  const ascii = () => junkText(chance).replace(/[^\x20-\x7e]/g, '?');
  const headers: Record<string, string> = {};
  if (route.access === 'key') headers['api-key'] = chance.percent(spoilt) ? ascii() : key;
  else
    headers['authorization'] = chance.percent(spoilt)
      ? chance.pick(['', 'Bearer', 'Bearer ', `Bearer ${ascii()}`, `Basic ${ascii()}`, `Bearer ${viewer}`])
      : `Bearer ${token}`;
  if (chance.percent(spoilt))
    Object.assign(
      headers,
      chance.pick([
        { accept: 'text/html' },
        { accept: ascii() },
        { cookie: `yardmaster=${ascii()}` },
        { origin: 'http://evil.example' },
        { 'last-event-id': ascii() },
        { 'x-external-id': ascii().slice(0, 600) },
        { range: 'bytes=0-1' },
        { 'if-none-match': '*' },
        { expect: '100-continue' },
      ]),
    );
  if (route.access === 'key')
    Object.assign(
      headers,
      chance.pick([
        {},
        { prefer: 'respond-async' },
        { prefer: ascii() },
        { prefer: 'wait=0' },
        { 'idempotency-key': chance.pick(['k', ascii().slice(0, 300)]) },
      ]),
    );
  return headers;
}

/** The body of a route, spoilt now as a value, now as a text, now as bytes. */
function bodyFor(
  route: Route,
  chance: SeededRandom,
  spoilt: number,
): { body?: Buffer; headers: Record<string, string> } {
  if (!route.body)
    return chance.percent(20)
      ? {
          body: Buffer.from(JSON.stringify(junk(chance)) ?? ''),
          headers: { 'content-type': chance.pick(['application/json', 'text/plain']) },
        }
      : { headers: {} };
  const type = {
    'content-type': chance.percent(spoilt)
      ? chance.pick([
          'text/plain',
          'application/json; charset=latin1',
          'application/json;',
          '',
          'application/x-www-form-urlencoded',
          'APPLICATION/JSON',
        ])
      : 'application/json',
  };
  const value =
    route.path.includes('/events/') && !chance.percent(spoilt)
      ? [{ content: 'a' }]
      : valueFor(route.body, chance, spoilt, known);
  const text = JSON.stringify(value) ?? 'null';
  if (!chance.percent(spoilt)) return { body: Buffer.from(text.toWellFormed()), headers: type };
  return chance.pick<() => { body?: Buffer; headers: Record<string, string> }>([
    () => ({ headers: type }),
    () => ({ body: Buffer.alloc(0), headers: type }),
    () => ({ body: Buffer.from(text.slice(0, chance.below(text.length + 1))), headers: type }),
    () => ({ body: Buffer.from(text.replaceAll(/\d+/g, '123456789012345678901234567890e400')), headers: type }),
    () => ({ body: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]), headers: type }),
    () => ({ body: Buffer.from(`${'['.repeat(5000)}${text}`), headers: type }),
    () => ({ body: Buffer.from(`{"__proto__":${text},"a":1,"a":2}`), headers: type }),
    () => ({ body: Buffer.from(`${text.slice(0, -1)}${' '.repeat(70_000)}${text.slice(-1)}`), headers: type }),
    () => ({ body: gzipSync(text), headers: { ...type, 'content-encoding': 'gzip' } }),
    () => ({ body: gzipSync(text).subarray(0, 12), headers: { ...type, 'content-encoding': 'gzip' } }),
    () => ({
      body: Buffer.from(text),
      headers: { ...type, 'content-encoding': chance.pick(['br', 'deflate', 'gzip', 'zstd', 'gzip, gzip']) },
    }),
  ])();
}

const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Runs the steps in a few lanes. */
async function inLanes(steps: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (next < steps.length) await steps[next++]?.();
    }),
  );
}

/** The master serves, and what the next test needs is there again. */
async function healthy(): Promise<void> {
  const { token } = credentials;
  await send({
    method: 'PUT',
    path: '/api/v1/workflows/fuzz/environments/dev',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ hash: known['hash'] })),
  });
  await send({
    method: 'POST',
    path: `/api/v1/workers/${worker.id}/resume`,
    headers: { authorization: `Bearer ${token}` },
  });
  worker.beat();
  expect((await send({ method: 'GET', path: '/healthz', headers: {} })).status).toBe(200);
  expect((await send({ method: 'GET', path: '/readyz', headers: {} })).status).toBe(200);
  expect(
    (await send({ method: 'GET', path: '/api/v1/jobs', headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(200);
}

describe('every route', () => {
  const patterns = Object.values<Route>(ROUTES).map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]*')}/?$`),
  }));
  /** A refusal carries a code that the route names. A path may meet another route than it was made for. */
  const isNamed = (method: string, path: string, { status, text }: Answer): void => {
    if (status < 400 || method === 'HEAD' || text === '') return;
    // One-time links answer with a page for people.
    if (path.startsWith('/respond/') && text.startsWith('<!doctype html>')) return;
    const { code } = JSON.parse(text) as { code: ErrorCode };
    if (code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED') return;
    const bare = path.split('?')[0] ?? '';
    const met = patterns.filter(({ route, pattern }) => route.method === method && pattern.test(bare));
    if (met.length > 0)
      expect(
        met.flatMap(({ route }) => routeErrors(route)),
        `${method} ${path.slice(0, 200)}: ${text.slice(0, 200)}`,
      ).toContain(code);
  };
  const names = Object.keys(ROUTES) as RouteName[];
  it.each(names)('%s answers whatever comes, and never with 500', async (name) => {
    const route: Route = ROUTES[name];
    const chance = createSeededRandom(SEED + names.indexOf(name) * 7919);
    const steps = Array.from({ length: ROUNDS }, (_, round) => {
      // From nearly right to quite wrong.
      const spoilt = [0, 5, 15, 40][round % 4] as number;
      const method = chance.percent(10) ? chance.pick(OTHER_METHODS) : route.method;
      const path = pathFor(method, route, chance, spoilt);
      const { body, headers } = bodyFor(route, chance, spoilt);
      const ask = {
        method,
        path,
        headers: { ...headersFor(route, chance, spoilt), ...headers },
        ...(body && method !== 'TRACE' ? { body } : {}),
      };
      return async () => {
        const what = `${method} ${path.slice(0, 200)} ${JSON.stringify(ask.headers).slice(0, 200)} ${body?.toString().slice(0, 200) ?? ''} (seed ${SEED}, round ${round})`;
        const answer = await send(ask).catch((error: unknown) => {
          throw new Error(`${what}: ${String(error)}`);
        });
        judge(`${method} ${what}`, answer);
        isNamed(method, path, answer);
      };
    });
    await inLanes(steps);
    if (name === 'settings.update') await takeBackSettings();
    await healthy();
  });

  async function takeBackSettings() {
    const { token } = credentials;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { settings } = JSON.parse((await send({ method: 'GET', path: '/api/v1/settings', headers })).text) as {
      settings: { name: string }[];
    };
    await send({
      method: 'PATCH',
      path: '/api/v1/settings',
      headers,
      body: Buffer.from(JSON.stringify(Object.fromEntries(settings.map(({ name }) => [name, null])))),
    });
  }
});

it('nothing unexpected was reported, and nothing was written outside the data folder', () => {
  expect(said.filter((line) => line.startsWith('unexpected') || line.includes('Error'))).toEqual([]);
  expect(readdirSync(folder)).toEqual(['data']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
