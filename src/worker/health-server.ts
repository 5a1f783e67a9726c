import { createServer } from 'node:http';
import { portOf } from '../lib/listen-on-port.ts';

/** The worker's own small server, on loopback: `GET /healthz` tells its state. */
export async function serveHealth(
  state: () => { ok: boolean } & Record<string, unknown>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const known = request.url === '/healthz' && (request.method === 'GET' || request.method === 'HEAD');
    const health = known ? state() : null;
    const body = health ?? { error: 'only GET /healthz is served here' };
    const status = health === null ? 404 : health.ok ? 200 : 503;
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
