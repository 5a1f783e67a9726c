import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

/** The longest path that every system takes for a socket; the shortest limit is macOS's 104 with the zero at its end. */
const PATH_BYTES = 103;

export interface WorkerListener {
  /** File of the socket; null where there is none. */
  socket: string | null;
  close(): void;
}

/**
 * A socket in the data folder for the workers of this machine: a frame costs both sides a quarter less there than over
 * loopback. Upgrades are handed to `main`, tokens are asked for as ever. Where it cannot be made, workers use the port.
 */
export async function openWorkerListener(main: Server, folder: string): Promise<WorkerListener> {
  const socket = join(folder, 'workers.sock');
  if (process.platform === 'win32' || Buffer.byteLength(socket) > PATH_BYTES) return { socket: null, close: () => {} };
  // That of a master that was killed; the lock of the folder says that none is at work.
  rmSync(socket, { force: true });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request, connection, head) => void main.emit('upgrade', request, connection, head));
  const listens = await new Promise<boolean>((resolve) =>
    server.once('error', () => resolve(false)).listen(socket, () => resolve(true)),
  );
  if (!listens) return { socket: null, close: () => {} };
  chmodSync(socket, 0o600);
  return {
    socket,
    close() {
      server.close();
      rmSync(socket, { force: true });
    },
  };
}
