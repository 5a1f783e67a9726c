import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let key: string;
let port: number;
beforeAll(async () => {
  h = await startHarness({ limits: { bodyBytes: 1000 } });
  await h.publish('upper');
  key = (await h.key()).key;
  port = Number(new URL(await h.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => h.close());

const good = '[{"content":"a"}]';
const head = (path: string, length: number, headers: Record<string, string> = {}) =>
  [
    `POST ${path} HTTP/1.1`,
    ...Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      'api-key': key,
      'content-length': String(length),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** What comes back until the server closes, or until `answers` answers have ended. */
async function raw(text: string, answers = 1): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let seen = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    seen += chunk;
    const ended = seen
      .split('HTTP/1.1 ')
      .slice(1)
      .filter((one) => {
        const [top = '', body = ''] = one.split('\r\n\r\n');
        return Buffer.byteLength(body) >= Number(/content-length: (\d+)/i.exec(top)?.[1] ?? Infinity);
      });
    if (ended.length >= answers) socket.end();
  });
  await once(socket, 'close');
  return seen;
}

/** Sends each piece once the one before has surely been read by itself. */
async function inPieces(text: string, cuts: readonly number[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8');
  let seen = '';
  socket.on('data', (chunk) => (seen += chunk));
  const bounds = [0, ...cuts.map((cut) => (cut < 0 ? text.length + cut : cut)).sort((a, b) => a - b), text.length];
  for (let i = 1; i < bounds.length; i++) {
    await new Promise((written) => socket.write(text.slice(bounds[i - 1], bounds[i]), written));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  await expect.poll(() => seen).toContain(good);
  socket.end();
  await once(socket, 'close');
  return seen;
}

it('an event call over a connection has the headers and the body that any other way gives', async () => {
  const answer = await raw(head('/api/v1/events/upper/dev', good.length) + good);
  const inject = await h.app.inject({
    method: 'POST',
    url: '/api/v1/events/upper/dev',
    headers: { 'api-key': key, 'content-type': 'application/json' },
    payload: good,
  });
  const [top = '', body] = answer.split('\r\n\r\n');
  expect(top).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(body).toBe(inject.body);
  const names = top
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(':')[0]?.toLowerCase());
  expect(names.filter((name) => name !== 'keep-alive').sort()).toEqual(Object.keys(inject.headers).sort());
});

it('several calls follow one another on a connection, also after one that is refused before its body is read', async () => {
  const call = head('/api/v1/events/upper/dev', good.length) + good;
  const answer = await raw(
    head('/api/v1/events/upper/dev', good.length, { 'api-key': 'ym_none' }) + good + call + call,
    3,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(answer).toContain('www-authenticate: ApiKey realm="yardmaster"');
});

it('a call whose body comes later, or byte by byte, is answered like one in a piece', async () => {
  const text = head('/api/v1/events/upper/dev', good.length) + good;
  for (const cuts of [[-good.length], [-good.length, -3], [7], [-1], [100, -5], [...text].map((_, i) => i)])
    expect(await inPieces(text, cuts)).toMatch(/^HTTP\/1\.1 200 OK[^]*\[\{"content":"a"\}\]$/);
});

it('calls and other requests take turns on a connection', async () => {
  const call = head('/api/v1/events/upper/dev', good.length) + good;
  const other = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const answer = await raw(
    call + other + call + head('/api/v1/events/upper/dev', good.length, { connection: 'close' }) + good,
    4,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(answer.match(/Connection: [a-z-]+/gi)?.at(-1)).toMatch(/close/);
});

it('hundreds of calls sent before the first answer are answered in their order', async () => {
  const calls = Array.from(
    { length: 400 },
    (_, i) => head('/api/v1/events/upper/dev', good.length, i % 2 === 0 ? { 'api-key': 'ym_none' } : {}) + good,
  );
  const answer = await raw(calls.join(''), 400);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(calls.map((_, i) => (i % 2 === 0 ? 'HTTP/1.1 401' : 'HTTP/1.1 200')));
});

it('a connection that ends within a call is told so', async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let seen = '';
  socket.on('data', (chunk) => (seen += chunk));
  socket.end(head('/api/v1/events/upper/dev', good.length + 1) + good);
  await once(socket, 'close');
  expect(seen).toMatch(/^HTTP\/1\.1 400[^]*BAD_REQUEST/);
});

it('a caller that leaves ends the wait for its job', async () => {
  h.jobs.hold = true;
  const socket = connect(port, '127.0.0.1');
  socket.write(head('/api/v1/events/upper/dev', good.length) + good);
  await expect.poll(() => h.jobs.open()).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => h.jobs.open()).toHaveLength(0);
  h.jobs.hold = false;
});

it('idle connections do not hold up the end of the server', async () => {
  const other = await startHarness();
  const at = Number(new URL(await other.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const socket = connect(at, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await other.close();
  await closed;
});

it('foreign and missing hosts are refused', async () => {
  expect(await raw(head('/api/v1/events/upper/dev', good.length, { host: 'evil.example' }) + good)).toContain(
    'HOST_REFUSED',
  );
  expect(await raw(`POST /api/v1/events/upper/dev HTTP/1.1\r\ncontent-length: 0\r\n\r\n`)).toContain(
    'the host header is missing',
  );
});

it('a health check of HTTP/1.0 names no host; CONNECT is answered and refused', async () => {
  expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw('CONNECT other.example:443 HTTP/1.1\r\nhost: other.example:443\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 405 [^]*x-request-id: [0-9a-f-]{36}\r\n[^]*allow: GET[^]*METHOD_NOT_ALLOWED/,
  );
});

it('a path with an escape, a query or an unknown name is answered as well', async () => {
  expect(await raw(head('/api/v1/events/%75pper/dev', good.length) + good)).toMatch(/^HTTP\/1\.1 200/);
  expect(await raw(head('/api/v1/events/upper/dev?a=1', good.length) + good)).toContain(
    'an event call takes no query parameters',
  );
  expect(await raw(head('/api/v1/events/Upper/dev', good.length) + good)).toContain('WORKFLOW_NOT_FOUND');
});

it('a body that is too large is a 413; where more of it is to come, the connection ends', async () => {
  expect(await raw(head('/api/v1/events/upper/dev', 1500) + 'x'.repeat(1500))).toMatch(
    /^HTTP\/1\.1 413[^]*BODY_TOO_LARGE/,
  );
  const endless = await raw(head('/api/v1/events/upper/dev', 1_000_000) + 'x'.repeat(3000));
  expect(endless).toMatch(/^HTTP\/1\.1 413/);
  expect(endless.toLowerCase()).toContain('connection: close');
});
