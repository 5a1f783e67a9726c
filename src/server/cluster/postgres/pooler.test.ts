import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { portOf } from '../../../lib/listen-on-port.ts';
import { freshDatabase } from '../../testing/postgres.fixture.ts';
import { isPooled } from './pooler.ts';
import { configOf } from './store-url.ts';

/** Hands everything on, and tells a client another process number, as a pooler does. */
async function startPooler(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const there = connect(target, '127.0.0.1');
    for (const one of [client, there]) sockets.add(one.on('error', () => {}));
    client.pipe(there);
    there.on('data', (chunk: Buffer) => {
      // BackendKeyData: its letter, its length, the process, a secret.
      const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) chunk.writeInt32BE(chunk.readInt32BE(at + 5) + 1, at + 5);
      client.write(chunk);
    });
    there.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('tells a pooler from the server itself', async () => {
  const database = await freshDatabase();
  const url = new URL(database.url);
  const pooler = await startPooler(Number(url.port));
  try {
    expect(await isPooled(configOf(url.href))).toBe(false);
    url.hostname = '127.0.0.1';
    url.port = String(pooler.port);
    expect(await isPooled(configOf(url.href))).toBe(true);
  } finally {
    pooler.close();
    await database.drop();
  }
});

it('knows of none where nobody answers', async () => {
  expect(await isPooled(configOf('postgres://nobody@127.0.0.1:1/none'))).toBe(false);
});
