import { createServer, type Server } from 'node:http';
import { hostname } from 'node:os';
import { portOf } from '../../lib/listen-on-port.ts';
import type { CloseStack } from '../startup/close-stack.ts';
import type { Front } from './front/front.ts';

/** As part of a URL that others reach it by. */
export const hostFor = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? hostname() : host.includes(':') ? `[${host}]` : host;

/** The workers of this machine need no certificate that names loopback. */
export async function openWorkerPort(front: Front, opened: CloseStack): Promise<string> {
  const inner = createServer((_request, response) => response.writeHead(404).end());
  inner.on('upgrade', (request, socket, head) => void front.server.emit('upgrade', request, socket, head));
  const port = await listen(inner, '127.0.0.1', 0);
  opened.add(() => void inner.close());
  return `http://127.0.0.1:${port}`;
}

export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(portOf(server));
    });
  });
}
