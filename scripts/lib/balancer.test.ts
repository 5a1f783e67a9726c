import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startBalancer } from './balancer.mjs';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A master that answers with its name, an event stream at /stream, and takes any upgrade to echo. */
async function master(name: string): Promise<{ port: number; server: Server; die(): Promise<void> }> {
  const server = createServer((req, res) => {
    if (req.url !== '/stream') return void res.end(name);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(`data: ${name}\n\n`);
  });
  server.on('upgrade', (_req, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n');
    socket.on('error', () => {}).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const die = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  ends.push(die);
  return { port: (server.address() as AddressInfo).port, server, die };
}

async function balancer(...masters: { port: number }[]) {
  const balancer = await startBalancer({ ports: [0] });
  ends.push(balancer.close);
  balancer.use(masters.map(({ port }) => port));
  const url = `http://127.0.0.1:${balancer.port}`;
  /** On a connection of its own. */
  const ask = async () => (await fetch(url, { headers: { connection: 'close' } })).text();
  return { balancer, url, ask };
}

it('goes round the masters, and passes over one that refuses before anybody said that it is gone', async () => {
  const [one, two] = [await master('one'), await master('two')];
  const { ask } = await balancer(one, two);
  const answers = [await ask(), await ask(), await ask(), await ask()];
  expect(answers.filter((name) => name === 'one').length).toBe(2);
  await one.die();
  expect([await ask(), await ask(), await ask()]).toEqual(['two', 'two', 'two']);
});

it('passes event streams and upgraded connections, and cuts them with a master that goes out of use', async () => {
  const one = await master('one');
  const { balancer: at, url, ask } = await balancer(one);
  const stream = await fetch(`${url}/stream`);
  const reader = stream.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: one\n\n');

  const upgrade = request(url, { headers: { upgrade: 'echo', connection: 'upgrade' } }).end();
  const [, socket] = (await once(upgrade, 'upgrade')) as [unknown, import('node:net').Socket];
  socket.on('error', () => {});
  socket.write('ping');
  expect(String((await once(socket, 'data'))[0])).toBe('ping');

  const two = await master('two');
  const closed = once(socket, 'close');
  at.use([two.port]);
  await closed;
  await expect(reader.read()).rejects.toThrow();
  expect(await ask()).toBe('two');
});

it('lets a caller wait for the first master', async () => {
  const { balancer: at, ask } = await balancer();
  const answer = ask();
  const one = await master('one');
  at.use([one.port]);
  expect(await answer).toBe('one');
});

it('answers 503 where no master comes', async () => {
  const { url } = await balancer({ port: 1 });
  const answer = await fetch(url);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await answer.json()).toMatchObject({ code: 'NO_OWNER' });
});

it('takes the next port where one is taken', async () => {
  const one = await master('one');
  const { port, close } = await startBalancer({ ports: [one.port, 0] });
  ends.push(close);
  expect(port).not.toBe(one.port);
});

it('hands on that a caller has sent all, and still its answer', async () => {
  const one = await master('one');
  const { balancer: at } = await balancer(one);
  const socket = connect(at.port, '127.0.0.1');
  socket.end('GET / HTTP/1.0\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/one$/);
});
