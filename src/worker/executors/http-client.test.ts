import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskExecutionError } from '../task-execution-error.ts';
import { createExecutorTools } from './executors.fixture.ts';

const secrets = {
  TOKEN: { value: 'hunter-22' },
  USER: { value: 'ann "q"' },
  GONE: { missing: 'secret GONE not found: set it' },
};
const open = createExecutorTools(2, { secrets });
const shut = createExecutorTools(2, { policy: { allowPrivate: false } });
const named = createExecutorTools(2, { policy: { allowPrivate: false, allow: ['localhost'] } });
const ranged = createExecutorTools(2, { policy: { allowPrivate: false, allow: ['127.0.0.0/8'] }, secrets });
const all = [open, shut, named, ranged];

const seen: { url: string | undefined; method: string | undefined; headers: IncomingMessage['headers'] }[] = [];
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url, method: request.method, headers: request.headers });
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
    if (to !== null)
      return void response
        .writeHead(Number(new URL(request.url ?? '/', 'http://x').searchParams.get('as') ?? 302), { location: to })
        .end();
    if (request.url === '/gzip')
      return void response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
        .end(gzipSync('{"a":1}'));
    if (request.url === '/bomb')
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e6)));
    response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all(all.map((tools) => tools.close()));
});

async function failure(tools: typeof open, config: Record<string, unknown>): Promise<TaskExecutionError['failure']> {
  const error: unknown = await tools.run('http', { method: 'GET', ...config }, {}).then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof TaskExecutionError) return error.failure;
  throw new Error(`it did not fail as a task: ${String(error)}`);
}
const REFUSED = { code: 'NON_RETRYABLE', retryable: false };
const bodyOf = async (tools: typeof open, url: string) =>
  ((await tools.run('http', { method: 'GET', url }, {})).output.value() as { body: unknown }).body;

describe('an address', () => {
  it.each([
    '169.254.169.254',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '0.0.0.0',
    '[fe80::1]',
    'metadata.google.internal',
  ])('%s is never called, not from loopback either', async (host) => {
    expect(await failure(open, { url: `http://${host}/latest/meta-data` })).toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('never call'),
    });
  });

  it('of this machine is refused where the master is reached from others, by number and by name', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1'])
      expect(await failure(shut, { url: `http://${host}:${port}/` })).toMatchObject({
        ...REFUSED,
        message: expect.stringContaining('--http-allow'),
      });
  });

  it('is allowed by name, and by range', async () => {
    expect(await bodyOf(named, `http://localhost:${port}/`)).toBe('here');
    expect(await failure(named, { url: `http://127.0.0.1:${port}/` })).toMatchObject(REFUSED);
    expect(await bodyOf(ranged, `http://127.0.0.1:${port}/`)).toBe('here');
  });
});

describe('a redirect', () => {
  const via = (to: string, as = 302) => `http://127.0.0.1:${port}/?as=${as}&to=${encodeURIComponent(to)}`;

  it.each([
    'http://169.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'http://127.0.0.1:25/',
  ])('to %s is refused', async (to) => {
    expect(await failure(open, { url: via(to) })).toMatchObject(REFUSED);
  });

  it('is checked by the same rules, hop by hop', async () => {
    expect(
      await failure(named, {
        url: `http://localhost:${port}/?to=${encodeURIComponent(via(`http://localhost:${port}/`))}`,
      }),
    ).toMatchObject({ ...REFUSED, message: expect.stringContaining('127.0.0.1 is a loopback') });
    expect(await bodyOf(ranged, via(via(`http://127.0.0.1:${port}/`)))).toBe('here');
  });

  it('loses the credentials at another origin, and keeps them at the same', async () => {
    const headers = { authorization: 'Bearer x', 'x-key': '{{secrets.TOKEN}}', 'x-plain': 'p' };
    await open.run('http', { method: 'GET', url: via(`http://localhost:${port}/other`), headers }, {});
    expect(seen.at(-1)?.headers).toMatchObject({ 'x-plain': 'p' });
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization');
    expect(seen.at(-1)?.headers).not.toHaveProperty('x-key');
    await open.run('http', { method: 'POST', url: via('/same', 303), headers, body: 'b' }, {});
    expect(seen.at(-1)).toMatchObject({
      method: 'GET',
      url: '/same',
      headers: { authorization: 'Bearer x', 'x-key': 'hunter-22' },
    });
  });
});

it('an answer that is compressed is opened, and bounded then', async () => {
  expect(await bodyOf(open, `http://127.0.0.1:${port}/gzip`)).toEqual({ a: 1 });
  expect(await failure(open, { url: `http://127.0.0.1:${port}/bomb` })).toMatchObject({
    code: 'NON_RETRYABLE',
    message: expect.stringContaining('1000 bytes'),
  });
});

describe('a secret', () => {
  it('stands in every string of an http node, within expressions too', async () => {
    await open.run(
      'http',
      {
        method: 'GET',
        url: `http://127.0.0.1:${port}/{{secrets.TOKEN}}`,
        headers: { authorization: 'Basic {{ $base64encode(secrets.USER & ":" & secrets.TOKEN) }}' },
      },
      { secrets: { TOKEN: 'of the input' } },
    );
    expect(seen.at(-1)).toMatchObject({
      url: '/hunter-22',
      headers: { authorization: `Basic ${Buffer.from('ann "q":hunter-22').toString('base64')}` },
    });
  });

  it('is in the ctx of code that names it', async () => {
    const run = async (source: string) => (await open.run('code', { source }, {})).output.value();
    expect(
      await run('return [ctx.secrets.TOKEN, ctx.secrets["USER"], ctx.secrets[input.name ?? "none"] ?? null]'),
    ).toEqual(['hunter-22', 'ann "q"', null]);
    await expect(run('return ctx.secrets.GONE')).rejects.toMatchObject({
      failure: { ...REFUSED, message: 'secret GONE not found: set it' },
    });
  });

  it('that there is none of fails for good, with its name', async () => {
    expect(await failure(open, { url: 'http://127.0.0.1:1/{{secrets.GONE}}' })).toMatchObject({
      ...REFUSED,
      message: 'secret GONE not found: set it',
    });
    expect(await failure(open, { url: 'http://127.0.0.1:1/{{secrets.OTHER}}' })).toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('OTHER'),
    });
  });
});
