import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

/** What only a real socket shows: streams, upgrades, bodies that are too large, bytes that are no HTTP. */
let h: Harness;
let port: number;
let key: string;
beforeAll(async () => {
  h = await startHarness({ limits: { bodyBytes: 100_000 } });
  key = (await h.key()).key;
  await h.publish('upper');
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  port = (h.app.server.address() as AddressInfo).port;
});
afterAll(() => h.close());

interface Event {
  event?: string;
  id?: string;
  data?: string;
}

/** Reads server-sent events until `until` holds. */
async function follow(path: string, headers: Record<string, string> = {}) {
  const events: Event[] = [];
  const closed = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${h.tokens.viewer}`, ...headers },
    signal: closed.signal,
  });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  void (async () => {
    let rest = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts)
        events.push(
          Object.fromEntries(
            part
              .split('\n')
              .filter((line) => !line.startsWith(':'))
              .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
          ),
        );
    }
  })().catch(() => undefined);
  return { events, named: (name: string) => events.filter((e) => e.event === name), close: () => closed.abort() };
}

function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('the live stream', () => {
  it('tells of publications and workers, with ids to resume from', async () => {
    const stream = await follow('/api/v1/stream');
    await h.publish('streamed');
    await expect.poll(() => stream.named('publication')).toHaveLength(1);
    const [event] = stream.named('publication');
    expect(JSON.parse(event?.data ?? '')).toMatchObject({
      workflowId: 'streamed',
      environment: 'dev',
      previousHash: null,
      id: expect.any(String),
    });
    expect(Number(event?.id)).toBe(h.services.feed.sequence);
    stream.close();

    const missed = (await h.services.workers.list({ page: 0, size: 1, sort: '' })).items[0]?.id as string;
    h.services.feed.publish('worker', missed);
    const resumed = await follow('/api/v1/stream', { 'last-event-id': event?.id as string });
    await expect.poll(() => resumed.named('worker').map((e) => JSON.parse(e.data ?? '').id)).toEqual([missed]);
    resumed.close();
  });

  it('starts over after an id that is unknown, too old, or none', async () => {
    for (const id of ['1', '99999999999999999', 'x']) {
      const stream = await follow('/api/v1/stream', { 'last-event-id': id });
      await expect.poll(() => stream.named('reset').map((e) => e.data)).toEqual(['{}']);
      stream.close();
    }
  });

  it('begins where a reader that can send no headers says, and tells one that comes anew where that is', async () => {
    const begun = await follow('/api/v1/stream?after=now');
    await expect.poll(() => begun.named('cursor').map((e) => Number(e.id))).toEqual([h.services.feed.sequence]);
    const worker = (await h.services.workers.list({ page: 0, size: 1, sort: '' })).items[0]?.id as string;
    const before = h.services.feed.sequence;
    h.services.feed.publish('worker', worker);
    const resumed = await follow(`/api/v1/stream?after=${before}`);
    await expect.poll(() => resumed.named('worker').map((e) => Number(e.id))).toEqual([before + 1]);
    // The header is of later than the address, which a browser that reconnects sends as it was.
    const again = await follow(`/api/v1/stream?after=${before}`, { 'last-event-id': String(before + 1) });
    h.services.feed.publish('worker', worker);
    await expect.poll(() => again.named('worker').map((e) => Number(e.id))).toEqual([before + 2]);
    expect([...resumed.named('cursor'), ...again.named('cursor'), ...again.named('reset')]).toEqual([]);
    for (const stream of [begun, resumed, again]) stream.close();
    const unknown = await follow('/api/v1/stream?after=1');
    await expect.poll(() => unknown.named('reset')).toHaveLength(1);
    unknown.close();
    expect(
      (
        await h.app.inject({
          method: 'GET',
          url: '/api/v1/stream?after=then',
          headers: { authorization: `Bearer ${h.tokens.viewer}` },
        })
      ).statusCode,
    ).toBe(422);
  });

  it('tells of one entity at most four times a second, and of its last state', async () => {
    const { jobId } = (
      await h.app.inject({
        method: 'POST',
        url: '/api/v1/events/upper/dev',
        headers: { 'api-key': key, 'content-type': 'application/json', prefer: 'respond-async' },
        payload: '[{"content":"a"}]',
      })
    ).json() as { jobId: string };
    const stream = await follow('/api/v1/stream');
    const began = Date.now();
    const timer = setInterval(() => h.services.feed.publish('job', jobId), 5);
    await expect.poll(() => stream.named('job').length).toBeGreaterThanOrEqual(4);
    clearInterval(timer);
    expect(stream.named('job').length).toBeLessThanOrEqual(Math.ceil((Date.now() - began) / 250) + 1);
    stream.close();
  });

  it('tells a reader of a flood to start over', async () => {
    const stream = await follow('/api/v1/stream');
    for (let i = 0; i < 5000; i++) h.services.feed.publish('job', `job-${i}`);
    await expect.poll(() => stream.named('reset')).toHaveLength(1);
    stream.close();
  });
});

describe('the log tail', () => {
  it('follows records, and refuses a bad query with a problem', async () => {
    const bad = await fetch(`http://127.0.0.1:${port}/api/v1/logs/tail?query=(`, {
      headers: { authorization: `Bearer ${h.tokens.viewer}` },
    });
    expect(await bad.json()).toMatchObject({ status: 422, code: 'QUERY_INVALID', position: 0 });
    const tail = await follow('/api/v1/logs/tail?level=ERROR');
    h.logs.deliver({ _time: 't', _msg: 'first' });
    await expect
      .poll(() => tail.events.filter((e) => e.data).map((e) => JSON.parse(e.data ?? '')._msg))
      .toEqual(['first']);
    tail.close();
  });

  it('hands records that come together over as one list where that is asked for', async () => {
    const tail = await follow('/api/v1/logs/tail?batch=true');
    h.logs.deliver({ _time: 't', _msg: 'first' });
    await expect
      .poll(() => tail.events.filter((e) => e.data).map((e) => JSON.parse(e.data ?? '')))
      .toEqual([[{ _time: 't', _msg: 'first' }]]);
    tail.close();
  });
});

describe('HEAD of what streams', () => {
  it.each(['/api/v1/stream', '/api/v1/logs/tail', '/api/v1/jobs/export?format=ndjson'])(
    '%s answers with its headers, and no stream stays open',
    async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${h.tokens.viewer}` },
      });
      expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
        200,
        '',
        path.includes('export') ? 'application/x-ndjson; charset=utf-8' : 'text/event-stream; charset=utf-8',
      ]);
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' })).status).toBe(401);
    },
  );
});

describe('the worker link', () => {
  const upgrade = (token: string | null, path = '/api/v1/worker', more = '') =>
    raw(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${token === null ? '' : `authorization: Bearer ${token}\r\n`}${more}\r\n`,
    );
  it('opens to tokens of role worker alone', async () => {
    expect(await upgrade(null)).toMatch(/^HTTP\/1.1 401 .*"code":"TOKEN_MISSING"/s);
    expect(await upgrade('wrong')).toMatch(/^HTTP\/1.1 401 .*"code":"TOKEN_INVALID"/s);
    expect(await upgrade(h.tokens.admin)).toMatch(/^HTTP\/1.1 403 .*"code":"FORBIDDEN"/s);
    expect(await upgrade(h.tokens.worker, '/api/v1/stream')).toMatch(/^HTTP\/1.1 404 /);
    expect(h.workers.upgrades).toBe(0);
    expect(await upgrade(h.tokens.worker)).toMatch(/^HTTP\/1.1 101 /);
    expect(h.workers.upgrades).toBe(1);
  });
  it('is a WebSocket and nothing else', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/worker`, {
      headers: { authorization: `Bearer ${h.tokens.worker}` },
    });
    expect(await answer.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

describe('a body that is too large', () => {
  const send = (bytes: number, chunked: boolean) =>
    new Promise<{ status: number; text: string; closed: boolean }>((resolve, reject) => {
      const sent = request(
        {
          port,
          method: 'POST',
          path: '/api/v1/events/upper/dev',
          headers: {
            'api-key': key,
            'content-type': 'application/json',
            ...(chunked ? {} : { 'content-length': bytes }),
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (chunk) => (text += chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text, closed: answer.headers.connection === 'close' }),
          );
        },
      );
      sent.on('error', reject);
      for (let left = bytes; left > 0; left -= 10_000) sent.write(Buffer.alloc(Math.min(left, 10_000), 'x'));
      sent.end();
    });
  it.each([true, false])(
    'is drained up to twice the limit, so that the answer is read (chunked: %s)',
    async (chunked) => {
      for (const bytes of [100_001, 190_000]) {
        const answer = await send(bytes, chunked);
        expect([answer.status, JSON.parse(answer.text).code, answer.closed]).toEqual([413, 'BODY_TOO_LARGE', false]);
      }
    },
  );
  it('is given up beyond that', async () => {
    const answer = await send(400_000, true).catch(() => null);
    if (answer) expect([answer.status, answer.closed]).toEqual([413, true]);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

describe('bytes that are no request', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na',
      400,
      'BAD_REQUEST',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ status, code });
  });
  it('two hosts, whatever they say', async () => {
    for (const second of ['127.0.0.1', 'evil.example'])
      expect(
        await raw(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nhOst: ${second}\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1.1 400 .*"code":"BAD_REQUEST"/s);
    expect(
      await raw(
        `GET /api/v1/worker HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nauthorization: Bearer ${h.tokens.worker}\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 400 /);
  });
  it('a missing host, and an expectation that nobody knows', async () => {
    expect(await raw('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 .*x-request-id.*BAD_REQUEST/s,
    );
    expect(
      await raw('GET /healthz HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\nconnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 200 /);
  });
  it('a malformed path and an odd target', async () => {
    expect(await raw('GET /%zz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 422 .*x-request-id/s,
    );
    expect(await raw('OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 40[45] /,
    );
    expect(await raw('GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 421 /,
    );
  });
});

it('a caller that goes away ends its wait, not its job', async () => {
  h.jobs.hold = true;
  const before = h.jobs.submitted.length;
  const gone = new AbortController();
  const call = fetch(`http://127.0.0.1:${port}/api/v1/events/upper/dev`, {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json', 'idempotency-key': 'gone' },
    body: '[{"content":"a"}]',
    signal: gone.signal,
  });
  await expect.poll(() => h.jobs.submitted.length).toBe(before + 1);
  gone.abort();
  await expect(call).rejects.toThrow();
  const jobs = await h.jobs.list({ page: 0, size: 500, sort: '' });
  h.jobs.finish(jobs.items.at(-1)?.id as string, { status: 'COMPLETED', outputText: '["done"]' });
  const again = () =>
    h.app.inject({
      method: 'POST',
      url: '/api/v1/events/upper/dev',
      headers: { 'api-key': key, 'content-type': 'application/json', 'idempotency-key': 'gone' },
      payload: '[{"content":"a"}]',
    });
  await expect.poll(async () => (await again()).body).toBe('["done"]');
  h.jobs.hold = false;
});
