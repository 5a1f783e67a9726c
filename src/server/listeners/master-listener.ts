import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_PORTS } from '../../contract/limits.ts';
import type { MasterOptions } from '../../contract/process.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { listenOnPort, portOf } from '../../lib/listen-on-port.ts';

export interface MasterListener {
  port: number;
  /** What operators and clients use. */
  url: string;
  /** What the local workers use: always plain and on loopback, so that no certificate has to name it. */
  workerUrl: string;
  close(): Promise<void>;
}

/** Opens the master's port, and a second one for the local workers where the first is not plain loopback. */
export async function openMasterListener(
  app: FastifyInstance,
  options: Pick<MasterOptions, 'host' | 'port' | 'tls' | 'log'>,
): Promise<MasterListener> {
  const { host } = options;
  const sockets = socketsOf(app.server);
  const port = await listenOnPort(
    { port: options.port, default: DEFAULT_PORTS.master, what: 'the master', option: '--port' },
    (p) => listen(app, host, p),
    options.log,
  );
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = `${options.tls ? 'https' : 'http'}://${shown}:${port}`;
  if (options.tls === null && isLoopback(host)) return { port, url, workerUrl: url, close: () => shut(app, sockets) };

  const inner = createServer((_request, response) => response.writeHead(404).end());
  inner.on('upgrade', (request, socket, head) => void app.server.emit('upgrade', request, socket, head));
  await new Promise<void>((resolve, reject) => inner.once('error', reject).listen(0, '127.0.0.1', resolve));
  const workerUrl = `http://127.0.0.1:${portOf(inner)}`;
  return {
    port,
    url,
    workerUrl,
    async close() {
      inner.close();
      await shut(app, sockets);
    },
  };
}

/** Time that the links of workers have to say goodbye. */
const PARTING_MS = 300;

/** Sockets of a server, also those that became a link: the server itself forgets them, and yet waits for their end. */
function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Live streams never end by themselves: by now every waiting caller has its answer, so what is still open is cut. */
async function shut(app: FastifyInstance, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
  app.server.closeAllConnections();
  const timer = setTimeout(() => sockets.forEach((socket) => socket.destroy()), PARTING_MS);
  await closed;
  clearTimeout(timer);
  await app.close();
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  await app.ready();
  return new Promise((resolve, reject) => {
    const { server } = app;
    const failed = (error: Error) => reject(error);
    server.once('error', failed);
    // Not `app.listen`: Fastify cannot listen a second time after a port that was taken.
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve(portOf(server));
    });
  });
}
