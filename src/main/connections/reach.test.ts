import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { forward } from '../console/forward.ts';
import type { Target } from './connections.ts';
import { createReach } from './reach.ts';

interface Master {
  readonly url: string;
  readonly asked: string[];
  say: 'serve' | 'no owner';
  readonly server: Server;
}
async function master(name: string, port = 0): Promise<Master> {
  const made = { asked: [] as string[], say: 'serve' } as unknown as { -readonly [K in keyof Master]: Master[K] };
  made.server = createServer((request, response) => {
    made.asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    if (made.say === 'serve')
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(name));
    response
      .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
      .end('{"code":"NO_OWNER"}');
  });
  await new Promise<void>((resolve) => made.server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void stop(made));
  made.url = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`;
  return made;
}
const stop = ({ server }: Pick<Master, 'server'>) => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};
const reach = () => createReach((_route, url, init) => fetch(url, init));
const targetOf = (first: Master, ...others: Master[]): Target => ({
  url: first.url,
  others: others.map(({ url }) => url),
  token: 'ymt_secret',
});
const ask = async (to: ReturnType<typeof reach>, target: Target, init: RequestInit = {}) => {
  const answer = await forward(new Request('http://console/api/v1/jobs?page=1', init), target, (url, init) =>
    to.fetch(target, url, init),
  );
  return [answer.status, await answer.json()] as const;
};

it('a connection goes on with the next master when one dies, and back when that one dies too', async () => {
  const [a, b] = [await master('a'), await master('b')];
  const target = targetOf(a, b);
  const to = reach();
  expect(await ask(to, target)).toEqual([200, 'a']);
  await stop(a);
  expect(await ask(to, target)).toEqual([200, 'b']);
  expect(to.current(target)).toBe(b.url);
  await stop(b);
  expect(await ask(to, target)).toEqual([502, expect.objectContaining({ code: 'MASTER_UNREACHABLE' })]);
  const again = await master('a again', Number(new URL(a.url).port));
  expect(await ask(to, target)).toEqual([200, 'a again']);
  expect(again.asked.at(-1)).toBe('GET /api/v1/jobs?page=1 Bearer ymt_secret');
});

it('leaves a master that has no owner for longer than it said; what may have been done is not sent again', async () => {
  const [a, b] = [await master('a'), await master('b')];
  a.say = 'no owner';
  const to = reach();
  const target = targetOf(a, b);
  const change = { method: 'POST', body: '{}' };
  expect(await ask(to, target, change)).toEqual([503, { code: 'NO_OWNER' }]);
  expect(await ask(to, target)).toEqual([200, 'b']);
  expect(await ask(to, target, change)).toEqual([200, 'b']);
  expect([a.asked.length, b.asked.length]).toEqual([2, 2]);
});

it('sends what changes something to one master alone where it may have arrived', async () => {
  const [a, b] = [await master('a'), await master('b')];
  a.server.removeAllListeners('request').on('request', (request) => request.socket.destroy());
  const to = reach();
  const target = targetOf(a, b);
  expect(await ask(to, target, { method: 'POST', body: '{}' })).toMatchObject([502, { code: 'MASTER_UNREACHABLE' }]);
  expect(b.asked).toEqual([]);
  expect(await ask(to, target)).toEqual([200, 'b']);
});
