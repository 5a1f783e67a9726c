import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { serveEventCalls } from './event-wire.ts';

const call = 'POST /api/v1/events/upper/dev HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';

async function serving(body: string) {
  const server = createServer((_, response) => response.end());
  const served = { count: 0, server, port: 0 };
  serveEventCalls(server, {
    bodyBytes: () => 100,
    serve(_call, _caller, answer) {
      served.count++;
      answer('id', { status: 200, type: 'text/plain', headers: [], body });
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  served.port = (server.address() as AddressInfo).port;
  return served;
}

it('a caller that does not read its answers gets no more of them, and the rest once it reads', async () => {
  const served = await serving('x'.repeat(2 ** 20));
  const socket = connect(served.port, '127.0.0.1').pause();
  socket.write(call.repeat(60));
  await expect.poll(() => served.count).toBeGreaterThan(1);
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  expect(served.count).toBeLessThan(50);
  socket.resume();
  await expect.poll(() => served.count).toBe(60);
  socket.destroy();
  served.server.close();
});

it('idle connections end with the server, and those that wait for an answer once they have it', async () => {
  const server = createServer();
  let answer = (): void => {};
  serveEventCalls(server, {
    bodyBytes: () => 100,
    serve: (_call, _caller, give) =>
      (answer = () => give('id', { status: 200, type: 'text/plain', headers: [], body: 'late' })),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const idle = connect(port, '127.0.0.1');
  const waiting = connect(port, '127.0.0.1').setEncoding('utf8');
  let seen = '';
  waiting.on('data', (text) => (seen += text));
  await once(idle, 'connect');
  waiting.write(call);
  const before = answer;
  await expect.poll(() => answer).not.toBe(before);
  const ended = Promise.all([once(server, 'close'), once(idle, 'close'), once(waiting, 'close')]);
  server.close();
  answer();
  await ended;
  expect(seen).toMatch(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*late$/);
});

it('an idle connection is kept as long as the server keeps any, and no longer', async () => {
  const served = await serving('');
  Object.assign(served.server, { keepAliveTimeout: 30, keepAliveTimeoutBuffer: 20 });
  const held = once(served.server, 'connection') as Promise<[Socket]>;
  const socket = connect(served.port, '127.0.0.1');
  // Longer than is said to callers, or a call that is sent in the last moment would find its connection ended.
  expect((await held)[0].timeout).toBe(50);
  socket.write(call);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toContain('Keep-Alive: timeout=');
  await once(socket, 'close');
  served.server.close();
});
