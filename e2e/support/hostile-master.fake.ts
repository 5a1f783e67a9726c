import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Who passes for a master of this version, and answers under `/api/v1/odd/` with these very bytes. */
export async function startHostileMaster(
  version: string,
  odd: Readonly<Record<string, string>>,
): Promise<{ url: string; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    socket.once('data', (bytes) => {
      const path = bytes.toString('latin1').split(' ')[1]?.split('?')[0] ?? '';
      const body = JSON.stringify(path === '/api/v1/settings' ? { version } : {});
      socket.end(
        odd[path.replace('/api/v1/odd/', '')] ??
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
