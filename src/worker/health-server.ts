import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { portOf } from '../lib/listen-on-port.ts';

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * The worker's own small server: `GET /healthz` tells its state, and is 503 while it has no master; `GET /livez` only that
 * the process answers, for supervisors that would restart it.
 */
export async function serveHealth(
  { host, port }: { readonly host: string; readonly port: number },
  state: () => { ok: boolean } & Record<string, unknown>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.method, request.url, state);
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.unref();
  const name = EVERYWHERE.has(host) ? hostname() : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  method: string | undefined,
  url: string | undefined,
  state: () => { ok: boolean } & Record<string, unknown>,
): { status: number; body: unknown } {
  if (method === 'GET' || method === 'HEAD') {
    if (url === '/livez') return { status: 200, body: { ok: true } };
    if (url === '/healthz') {
      const body = state();
      return { status: body.ok ? 200 : 503, body };
    }
  }
  return { status: 404, body: { error: 'only GET /healthz and GET /livez are served here' } };
}
