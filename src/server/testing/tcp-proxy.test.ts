import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTcpProxy } from './tcp-proxy.fixture.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server that answers each byte with the same one, behind a proxy; ends where its client ends. */
async function echo() {
  const got: Buffer[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => got.push(chunk));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const proxy = await startTcpProxy((server.address() as AddressInfo).port);
  ends.push(() => proxy.close());
  const size = () => got.reduce((sum, chunk) => sum + chunk.length, 0);
  return { proxy, received: () => Buffer.concat(got).toString(), size };
}

async function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  const state = { error: null as string | null, ended: false };
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => (state.error = error.code ?? ''));
  socket.on('end', () => (state.ended = true));
  ends.push(() => socket.destroy());
  await new Promise<void>((done) => socket.once('connect', done).once('error', () => done()));
  return { socket, state, heard: () => text };
}

it('carries bytes both ways, and the end of each side', async () => {
  const { proxy, received } = await echo();
  const { socket, state, heard } = await dial(proxy.port);
  const much = 'x'.repeat(2_000_000);
  socket.end(`${much}end`);
  await expect.poll(() => state.ended).toBe(true);
  expect(heard().length).toBe(much.length + 3);
  expect(received().endsWith('end')).toBe(true);
  await expect.poll(() => proxy.open).toBe(0);
});

it('stalls: what is sent waits, new connections stay silent, and all of it arrives in order when it heals', async () => {
  const { proxy, received } = await echo();
  const before = await dial(proxy.port);
  before.socket.write('1');
  await expect.poll(before.heard).toBe('1');
  proxy.stall();
  const during = await dial(proxy.port);
  expect(during.state.error).toBeNull();
  during.socket.write('n');
  before.socket.write('2');
  await sentBy(before.socket);
  before.socket.write('3');
  await sentBy(before.socket);
  expect(received()).toBe('1');
  await proxy.heal();
  await expect.poll(before.heard).toBe('123');
  await expect.poll(during.heard).toBe('n');
});

it('stalls one direction alone: the request arrives, its answer does not', async () => {
  const { proxy, received } = await echo();
  const { socket, heard } = await dial(proxy.port);
  proxy.stall('toClient');
  socket.write('charged');
  await expect.poll(received).toBe('charged');
  expect(heard()).toBe('');
  await proxy.heal();
  await expect.poll(heard).toBe('charged');
});

it('holds back who sends without end into a stalled network', async () => {
  const { proxy, size } = await echo();
  const { socket } = await dial(proxy.port);
  proxy.stall('toTarget');
  const chunk = Buffer.alloc(1 << 20, 'y');
  let full = false;
  // The buffers of both ends of a connection on this machine are some megabytes.
  for (let i = 0; i < 64; i++) full = !socket.write(chunk) || full;
  expect(full).toBe(true);
  expect(size()).toBe(0);
  await proxy.heal();
  await expect.poll(size).toBe(64 << 20);
});

it('delays by so much, and keeps the order', async () => {
  const { proxy } = await echo();
  const { socket, heard } = await dial(proxy.port);
  proxy.delay(150, 'toTarget');
  const began = performance.now();
  socket.write('a');
  await sentBy(socket);
  socket.write('b');
  await expect.poll(heard, { interval: 5 }).toBe('ab');
  expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  await proxy.heal();
  socket.write('c');
  await expect.poll(heard).toBe('abc');
});

it('resets what is open and takes new connections', async () => {
  const { proxy } = await echo();
  const first = await dial(proxy.port);
  first.socket.write('1');
  await expect.poll(first.heard).toBe('1');
  proxy.reset();
  await expect.poll(() => first.state.error).toBe('ECONNRESET');
  const second = await dial(proxy.port);
  second.socket.write('2');
  await expect.poll(second.heard).toBe('2');
});

it('cut, it refuses everybody until it heals, on the same port', async () => {
  const { proxy } = await echo();
  const first = await dial(proxy.port);
  first.socket.write('1');
  await expect.poll(first.heard).toBe('1');
  await proxy.cut();
  await expect.poll(() => first.state.error).toBe('ECONNRESET');
  expect((await dial(proxy.port)).state.error).toBe('ECONNREFUSED');
  await proxy.heal();
  const after = await dial(proxy.port);
  after.socket.write('2');
  await expect.poll(after.heard).toBe('2');
});

it('passes on that a side broke off, and that nobody listens behind it', async () => {
  const { proxy } = await echo();
  const { socket } = await dial(proxy.port);
  socket.write('1');
  await expect.poll(() => proxy.open).toBe(1);
  socket.resetAndDestroy();
  await expect.poll(() => proxy.open).toBe(0);

  const nobody = await startTcpProxy(1);
  ends.push(() => nobody.close());
  const { state } = await dial(nobody.port);
  await expect.poll(() => state.error).toBe('ECONNRESET');
});

/** Until the system has what was written. */
const sentBy = (socket: Socket) => new Promise<void>((done) => socket.write('', () => done()));
