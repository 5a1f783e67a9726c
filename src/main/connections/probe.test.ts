import { createServer as createTcp, type Server as TcpServer } from 'node:net';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { probe } from './probe.ts';

const options = {
  fetch: (url: string, init?: RequestInit) => fetch(url, init),
  hop: async () => 'DIRECT',
  authority: null,
  version: '1.2.3',
};
let server: TcpServer | undefined;
afterEach(() => server?.close());

async function listening(made: TcpServer): Promise<string> {
  server = made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return `127.0.0.1:${(made.address() as AddressInfo).port}`;
}
const master =
  (version: string): RequestListener =>
  (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
    if (request.url === '/healthz') answer(200, { status: 'ok' });
    else if (request.headers.authorization !== 'Bearer good') answer(401, {});
    else if (request.url === '/api/v1/session') answer(200, { role: 'viewer' });
    else answer(200, { version });
  };
const failed = async (url: string, token: string | null = 'good') =>
  (await probe(url, token, options)).steps.find((s) => s.state === 'failed');

test('a good connection passes every step and tells the version', async () => {
  const report = await probe(`http://${await listening(createServer(master('1.9.0')))}`, 'good', options);
  expect(report).toMatchObject({ ok: true, version: '1.9.0' });
  expect(report.steps.map((s) => s.state)).toEqual(Array(7).fill('ok'));
});

test('steps after the failed one are not tried', async () => {
  const report = await probe('not an address', 'good', options);
  expect(report.steps.map((s) => s.state)).toEqual(['failed', ...Array<string>(6).fill('skipped')]);
});

test('each fault is named at its step', async () => {
  expect(await failed('https://no-such-host.invalid')).toMatchObject({ step: 'dns' });
  const address = await listening(createServer(master('2.0.0')));
  expect(await failed(`http://${address}`, 'bad')).toMatchObject({
    step: 'token',
    message: expect.stringContaining('rejects the token'),
  });
  expect(await failed(`http://${address}`, null)).toMatchObject({ step: 'token' });
  expect(await failed(`http://${address}`)).toMatchObject({
    step: 'version',
    message: expect.stringContaining('2.0.0'),
  });
  expect(await failed(`https://${address}`)).toMatchObject({ step: 'tls' });
  server?.close();
  expect(await failed(`http://${address}`)).toMatchObject({
    step: 'connect',
    message: expect.stringContaining('refuses connections'),
  });
});

test('another server is told apart from a master', async () => {
  const web = await listening(
    createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<html>'),
    ),
  );
  expect(await failed(`http://${web}`)).toMatchObject({
    step: 'master',
    message: expect.stringContaining('not a Yardmaster'),
  });
  server?.close();
  const mute = await listening(createTcp((socket) => socket.on('error', () => {}).end('220 smtp\r\n')));
  expect(await failed(`http://${mute}`)).toMatchObject({
    step: 'tls',
    message: expect.stringContaining('does not respond like a web server'),
  });
});

test('a proxy is the first hop that is tried', async () => {
  const report = await probe('https://no-such-host.invalid', 'good', {
    ...options,
    hop: async () => 'PROXY 127.0.0.1:9',
  });
  expect(report.steps.filter((s) => s.state === 'ok').map((s) => s.step)).toEqual(['address', 'dns']);
  expect(report.steps.find((s) => s.state === 'failed')).toMatchObject({
    step: 'connect',
    message: expect.stringContaining('refuses connections on port 9'),
  });
});

test('an address that redirects: enter the URL is no master, as with a sign-in page in front of it', async () => {
  const web = await listening(
    createServer((_request, response) =>
      response.writeHead(302, { location: 'https://login.example.com/', connection: 'close' }).end(),
    ),
  );
  expect(await failed(`http://${web}`)).toMatchObject({
    step: 'master',
    message: expect.stringContaining('redirects: enter the URL'),
  });
  const electron = await probe(`http://${web}`, 'good', {
    ...options,
    fetch: () => Promise.reject(new Error('Redirect was cancelled')),
  });
  expect(electron.steps.find((s) => s.state === 'failed')).toMatchObject({
    step: 'master',
    message: expect.stringContaining('redirects: enter the URL'),
  });
});

test('a proxy that wants a password is named, with the way out', async () => {
  const web = await listening(createServer());
  const report = await probe('https://yard.example.com', 'good', {
    ...options,
    hop: async () => `PROXY ${web}`,
    fetch: () => Promise.reject(new Error('net::ERR_PROXY_AUTH_UNSUPPORTED')),
  });
  expect(report.steps.find((s) => s.state === 'failed')?.message).toContain('requires a user name and password');
});

test('an answer without end, and one of another shape, are told apart from a master', async () => {
  const endless: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    if (request.url === '/healthz') return void response.end('{}');
    if (request.url === '/api/v1/session') return void response.end('["admin"]');
    const more = () => {
      while (!response.destroyed && response.write('"'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  expect(await failed(`http://${await listening(createServer(endless))}`)).toMatchObject({
    step: 'version',
    message: expect.stringContaining('does not report its version'),
  });
});
