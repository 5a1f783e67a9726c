import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { write } from './answer.ts';

const server = createServer();
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('hangs up on a reader that takes nothing, so that its query ends', async () => {
  const ended = new Promise<number>((resolve) => {
    server.on('request', async (_, response) => {
      let written = 0;
      while (await write(response, Buffer.alloc(256 * 1024), 50)) written++;
      resolve(written);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await new Promise<IncomingMessage>((resolve) =>
    get({ port: (server.address() as AddressInfo).port }, resolve),
  );
  answer.pause();
  answer.on('error', () => {});
  expect(await ended).toBeGreaterThanOrEqual(0);
});
