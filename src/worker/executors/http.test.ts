import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { createExecutorTools } from './executors.fixture.ts';

const { run, close, logged } = createExecutorTools();
const seen: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
let server: Server;
let base = '';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', base);
  const status = Number(url.searchParams.get('status') ?? 200);
  const headers = Object.fromEntries([...url.searchParams].filter(([key]) => key !== 'status' && key !== 'text'));
  if (url.pathname === '/hang') return;
  if (url.pathname === '/drop') return void request.socket.destroy();
  if (url.pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
  if (url.pathname === '/moved') return void response.writeHead(307, { location: '/echo' }).end();
  if (url.pathname === '/big') return void response.end('x'.repeat(5000));
  response.writeHead(status, headers).end(url.searchParams.get('text') ?? '');
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await close();
});

const get = async (path: string, more: Record<string, unknown> = {}) =>
  (await run('http', { method: 'GET', url: base + path, ...more }, {})).output;
async function failure(config: Record<string, unknown>, input: unknown = {}): Promise<TaskExecutionError['failure']> {
  const error: unknown = await run('http', { method: 'GET', ...config }, input).then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof TaskExecutionError) return error.failure;
  throw new Error(`it did not fail as a task: ${String(error)}`);
}

async function closedPort(): Promise<string> {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

describe('the request', () => {
  it('fills every string from the input', async () => {
    const config = {
      method: 'POST',
      url: `${base}/a/{{id}}`,
      headers: { 'x-{{h}}': 'v-{{id}}' },
      query: { q: '{{id}} & co', n: 5, yes: true },
      body: { deep: ['{{id}}', 1, null, { a: '{{ {"b": 1} }}' }] },
    };
    await run('http', config, { id: 7, h: 'name' });
    const { method, url, headers, body } = seen.at(-1) ?? {};
    expect([method, url]).toEqual(['POST', '/a/7?q=7+%26+co&n=5&yes=true']);
    expect(headers).toMatchObject({
      'x-name': 'v-7',
      'content-type': 'application/json',
      'user-agent': 'yardmaster/0.0.0',
    });
    expect(JSON.parse(body ?? '')).toEqual({ deep: ['7', 1, null, { a: '{"b":1}' }] });
  });

  it('names the trace that its job is part of, with its attempt as the parent, unless the node names another', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = createExecutorTools(2, { trace, taskId: '0190c1a2-7f00-7abc-9def-0123456789ab' });
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-00';
    await traced.run('http', { method: 'GET', url: base }, {});
    expect(seen.at(-1)?.headers['traceparent']).toBe('00-0af7651916cd43dd8448eb211c80319c-9def0123456789ab-01');
    await traced.run('http', { method: 'GET', url: base, headers: { traceparent } }, {});
    expect(seen.at(-1)?.headers['traceparent']).toBe(traceparent);
    await run('http', { method: 'GET', url: base }, {});
    expect(seen.at(-1)?.headers).not.toHaveProperty('traceparent');
    await traced.close();
  });

  it('sends a text as it is, as JSON where it is JSON', async () => {
    await run('http', { method: 'PUT', url: base, body: 'plain {{ a }}' }, { a: 1 });
    expect([seen.at(-1)?.body, seen.at(-1)?.headers['content-type']]).toEqual(['plain 1', 'text/plain;charset=UTF-8']);
    await run('http', { method: 'PUT', url: base, body: '{{ $ }}' }, parseJson('{"a":9007199254740993}'));
    expect([seen.at(-1)?.body, seen.at(-1)?.headers['content-type']]).toEqual([
      '{"a":9007199254740993}',
      'application/json',
    ]);
  });

  it.each([
    [{ url: 'file:///etc/passwd' }, /must be http or https/],
    [{ url: 'nonsense' }, /must be http or https/],
    [{ url: 'http://a:b@localhost/' }, /not contain a user name/],
    [{ url: 'http://127.0.0.1:6000/' }, /blocked port/],
    [{ url: 'http://127.0.0.1:1/', headers: { 'bad name': 'x' } }, /cannot be sent/],
    [{ url: 'http://127.0.0.1:1/', headers: { a: 'x\r\ny: z' } }, /cannot be sent/],
  ])('is final where %j', async (config, message) => {
    expect(await failure(config)).toMatchObject({
      code: 'NON_RETRYABLE',
      retryable: false,
      message: expect.stringMatching(message),
    });
  });

  it('is an invalid graph without an url', async () => {
    expect(await failure({})).toMatchObject({ code: 'INVALID_DAG', retryable: false });
  });
});

describe('the answer', () => {
  it('is status, headers and body, with JSON parsed and its numbers kept', async () => {
    const output = await get(
      '/?status=201&content-type=application/problem%2Bjson&x-a=b&text={"n":12345678901234567890}',
    );
    expect(output.value()).toMatchObject({ status: 201, headers: { 'x-a': 'b' } });
    expect(output.text()).toContain('"body":{"n":12345678901234567890}');
  });

  it('keeps what is no JSON as text, and nothing as null', async () => {
    expect((await get('/?text=hi')).value()).toMatchObject({ body: 'hi' });
    expect((await get('/?content-type=application/json&text={oops')).value()).toMatchObject({ body: '{oops' });
    expect((await get('/?status=204')).value()).toMatchObject({ status: 204, body: null });
  });

  it('comes from behind redirects, with method and body', async () => {
    await run('http', { method: 'POST', url: `${base}/moved`, body: { a: 1 } }, {});
    expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/echo', body: '{"a":1}' });
    expect(await failure({ url: `${base}/loop` })).toMatchObject({
      code: 'NON_RETRYABLE',
      message: expect.stringContaining('redirect'),
    });
  });

  it.each([
    [401, 'AUTHENTICATION_FAILED', false],
    [403, 'AUTHENTICATION_FAILED', false],
    [408, 'UPSTREAM_UNAVAILABLE', true],
    [429, 'UPSTREAM_UNAVAILABLE', true],
    [500, 'UPSTREAM_UNAVAILABLE', true],
    [503, 'UPSTREAM_UNAVAILABLE', true],
    [400, 'NON_RETRYABLE', false],
    [404, 'NON_RETRYABLE', false],
    [304, 'NON_RETRYABLE', false],
  ])('%i is %s', async (status, code, retryable) => {
    expect(await failure({ url: `${base}/?status=${status}` })).toMatchObject({
      code,
      retryable,
      message: expect.stringContaining(String(status)),
    });
  });

  it('hands on how long the upstream asks to wait', async () => {
    expect(await failure({ url: `${base}/?status=429&retry-after=7` })).toMatchObject({ retryAfterSeconds: 7 });
  });

  it('must not be larger than the limit', async () => {
    expect(await failure({ url: `${base}/big` })).toMatchObject({
      code: 'NON_RETRYABLE',
      message: expect.stringContaining('1000 bytes'),
    });
  });

  it('is unavailable when it does not come', async () => {
    expect(await failure({ url: `${base}/drop` })).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await failure({ url: await closedPort() })).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    for (const port of [1, 9])
      expect(await failure({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        retryable: true,
      });
    expect(await failure({ url: 'http://no-such-host.invalid/' })).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await failure({ url: `${base}/hang`, timeoutSeconds: 0.1 })).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringContaining('within 0.1 s'),
    });
  });

  it('leaves a line in the log', () => {
    expect(logged).toContainEqual({
      level: 'DEBUG',
      message: expect.stringMatching(/^GET http.*\/ → 503$/),
      fields: expect.objectContaining({ http_status: 503 }),
    });
  });

  it('is no longer waited for when the task is stopped', async () => {
    const stop = new AbortController();
    const running = run('http', { method: 'GET', url: `${base}/hang` }, {}, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});
