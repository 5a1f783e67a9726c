import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { ShippedLine } from '../contract/worker-protocol.ts';
import { createAuthority } from '../lib/certificate-authority.fixture.ts';
import { createLogShipper } from './log-shipper.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A pipeline that keeps the messages it got. */
async function pipeline(
  port = 0,
): Promise<{ port: number; messages: string[]; sockets: Socket[]; until(count: number): Promise<void> }> {
  const messages: string[] = [];
  const sockets: Socket[] = [];
  let wake = () => {};
  const server = createServer((socket) => {
    sockets.push(socket);
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      messages.push(...lines.map((line) => (JSON.parse(line) as ShippedLine)._msg));
      wake();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const until = async (count: number) => {
    while (messages.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { port: (server.address() as AddressInfo).port, messages, sockets, until };
}
const line = (message: string): ShippedLine => ({
  _time: '2026-01-01T00:00:00.000Z',
  _msg: message,
  level: 'INFO',
  job_id: 'j',
  task_id: 't',
  worker_id: 'w',
  source: 'task',
});

describe('TLS', () => {
  const authority = createAuthority('yard');
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));
  async function tlsPipeline(name: string) {
    const received: string[] = [];
    const { cert, key } = authority.issue({ names: [name] });
    const server = createTlsServer({ cert, key }, (socket) => {
      socket.on('error', () => {}).on('data', (chunk) => received.push(chunk.toString()));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as AddressInfo).port, received };
  }
  const shipTo = (port: number) => {
    const shipper = createLogShipper(() => 10_000);
    shipper.ship(line('one'));
    shipper.setAddress({ host: '127.0.0.1', port, tls: 'yard.example', token: 'yt_w' });
    return shipper;
  };

  it('is spoken with a pipeline that has the certificate of the master', async () => {
    setDefaultCACertificates([authority.cert]);
    const { port, received } = await tlsPipeline('yard.example');
    const shipper = shipTo(port);
    while (!received.join('').includes('one')) await new Promise(setImmediate);
    expect(received.join('').split('\n')[0]).toBe('AUTH yt_w');
    await shipper.close(1000);
  });

  it.each([
    ['another name', 'other.example', true],
    ['an unknown authority', 'yard.example', false],
  ])('shows neither token nor lines to one with %s', async (_what, name, known) => {
    if (known) setDefaultCACertificates([authority.cert]);
    const { port, received } = await tlsPipeline(name);
    const shipper = shipTo(port);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(received).toEqual([]);
    await shipper.close(10);
    expect(shipper.dropped).toBe(1);
  });
});

describe('shipping', () => {
  it('says its token first, also after the pipeline went away', async () => {
    const received: string[] = [];
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.on('error', () => {});
      socket.once('data', (chunk) => {
        received.push(chunk.toString().split('\n')[0] ?? '');
        socket.destroy();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const shipper = createLogShipper(() => 10_000);
    shipper.ship(line('one'));
    shipper.setAddress({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: null, token: 'yt_w' });
    while (received.length < 2) await new Promise(setImmediate);
    expect(received.slice(0, 2)).toEqual(['AUTH yt_w', 'AUTH yt_w']);
    expect(connections).toBeGreaterThan(1);
    await shipper.close(10);
  });

  it('sends lines in order, those from before the connection first', async () => {
    const { port, messages, until } = await pipeline();
    const shipper = createLogShipper(() => 100_000);
    shipper.ship(line('early'));
    shipper.setAddress({ host: '127.0.0.1', port, tls: null, token: null });
    for (let i = 0; i < 100; i++) shipper.ship(line(String(i)));
    await until(101);
    expect(messages).toEqual(['early', ...Array.from({ length: 100 }, (_, i) => String(i))]);
    await shipper.close(1000);
  });

  it('sends what is left when it closes', async () => {
    const { port, messages, until } = await pipeline();
    const shipper = createLogShipper(() => 10_000);
    shipper.setAddress({ host: '127.0.0.1', port, tls: null, token: null });
    shipper.ship(line('last'));
    await shipper.close(2000);
    await until(1);
    expect(messages).toEqual(['last']);
  });

  it('comes back to a pipeline that went away', async () => {
    const { port, messages, sockets, until } = await pipeline();
    const shipper = createLogShipper(() => 10_000);
    shipper.setAddress({ host: '127.0.0.1', port, tls: null, token: null });
    shipper.ship(line('one'));
    await until(1);
    sockets[0]?.destroy();
    await new Promise((resolve) => sockets[0]?.once('close', resolve));
    while (messages.length < 2) {
      shipper.ship(line('again'));
      await new Promise(setImmediate);
    }
    expect(sockets.length).toBe(2);
    await shipper.close(1000);
  });

  it('drops the oldest lines and counts them when there is no room', async () => {
    const shipper = createLogShipper(() => 1000);
    for (let i = 0; i < 100; i++) shipper.ship(line(String(i)));
    expect(shipper.dropped).toBeGreaterThan(80);
    const { port, messages, until } = await pipeline();
    shipper.setAddress({ host: '127.0.0.1', port, tls: null, token: null });
    await until(100 - shipper.dropped);
    expect(messages.at(-1)).toBe('99');
    await shipper.close(1000);
  });
});
