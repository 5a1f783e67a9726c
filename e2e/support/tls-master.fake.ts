import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import type { IssuedCertificate } from '../../src/lib/certificate-authority.fixture.ts';

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** What a connection is tried against: a master's answers that say who it is, over TLS with this certificate. */
export async function startTlsMaster(
  { cert, key }: IssuedCertificate,
  version: string,
): Promise<{ port: number; url: string; close(): void }> {
  const server = createServer({ cert, key }, (request, response) => {
    const answers: Record<string, unknown> = {
      '/healthz': { status: 'ok' },
      '/api/v1/session': { role: 'viewer', actor: 'ada' },
      '/api/v1/settings': { version },
    };
    const path = request.url?.split('?')[0] ?? '';
    response
      .writeHead(path in answers ? 200 : 404, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(answers[path] ?? {}));
  });
  const port = await listening(server);
  return { port, url: `https://127.0.0.1:${port}`, close: () => void server.close() };
}

/** A proxy that takes every request to `port` of this machine, whatever its host, and keeps what was asked for. */
export async function proxyTo(port: number): Promise<{ url: string; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const server = createHttp((_request, response) => response.writeHead(403).end());
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked, close: () => void server.close() };
}
