import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let port: number;
beforeAll(async () => {
  h = await startHarness();
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  port = (h.app.server.address() as AddressInfo).port;
});
afterAll(() => h.close());

/** The head of the answer to these bytes, on a connection of their own. */
function headOf(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (!text.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(text.slice(0, text.indexOf('\r\n\r\n')));
    });
    socket.on('close', () => reject(new Error(`no answer to ${bytes}`)));
    socket.on('error', reject);
  });
}

it('names its master in each answer: of routes, events, streams, errors, and of what is no HTTP', async () => {
  const { key } = await h.key();
  await h.publish('upper');
  const viewer = `host: localhost\r\nauthorization: Bearer ${h.tokens.viewer}\r\n`;
  const event = `host: localhost\r\napi-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]`;
  for (const [status, bytes] of [
    [200, `GET /api/v1/cluster HTTP/1.1\r\n${viewer}\r\n`],
    [200, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [200, `GET /api/v1/stream HTTP/1.1\r\n${viewer}\r\n`],
    [401, 'GET /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [404, 'GET /nothing/here HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [422, 'GET /%ff HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [422, `POST /api/v1/events/upper/dev HTTP/1.1\r\n${event}`],
    [404, `POST /api/v1/events/other/dev HTTP/1.1\r\n${event}`],
    [401, 'GET /api/v1/worker HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    [405, 'CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [400, 'no HTTP\r\n\r\n'],
  ] as const) {
    const head = await headOf(bytes);
    expect([bytes, head.slice(9, 12), head.match(/^x-served-by: .*$/gim)]).toEqual([
      bytes,
      String(status),
      ['x-served-by: master-1'],
    ]);
  }
});
