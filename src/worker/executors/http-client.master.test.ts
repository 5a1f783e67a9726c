import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { masterPorts } from '../master-ports.ts';
import { createExecutorTools } from './executors.fixture.ts';

/** `http` nodes and the ports of the master: here `port` is one of them, `other` is not. */
const open = createExecutorTools();
const reached: string[] = [];
const servers: Server[] = [];
let port = 0;
let other = 0;
async function listen(name: string): Promise<number> {
  const server = createServer((request, response) => {
    reached.push(name);
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
    if (to === null) response.end('here');
    else response.writeHead(307, { location: to }).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
beforeAll(async () => {
  [port, other] = [await listen('master'), await listen('other')];
  const policy = { allowPrivate: true, allow: ['localhost', '127.0.0.1'], master: { ports: [port], addresses: [] } };
  open.tools.http.setPolicy(policy, masterPorts(policy, { masters: [`http://127.0.0.1:${port}`], socket: null }));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await open.close();
});
const call = (url: string) => open.run('http', { method: 'POST', url, body: 'x' }, {});

it.each(['127.0.0.1', '127.0.0.2', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST'])(
  'never reach one at %s, directly or by a redirect',
  async (host) => {
    const refused = {
      failure: { code: 'NON_RETRYABLE', message: expect.stringContaining('a port of the Yardmaster master') },
    };
    const url = `http://${host}:${port}/api/v1/jobs`;
    await expect(call(url)).rejects.toMatchObject(refused);
    await expect(call(`http://127.0.0.1:${other}/?to=${encodeURIComponent(url)}`)).rejects.toMatchObject(refused);
    expect(reached.splice(0)).toEqual(['other']);
  },
);

it('reach other ports of the same machine', async () => {
  expect((await call(`http://localhost:${other}/`)).output.value()).toMatchObject({ status: 200, body: 'here' });
});
