import { createServer, type IncomingMessage, type Server } from 'node:http';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOCAL_FILE } from '../lib/local-file.ts';
import { makeProofKey, proofOf } from '../lib/proof.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { connectToMaster } from './api-client.ts';

/** What listens at the port that a master of this machine left in its file. */
let server: Server;
let data: string;
let proofKey: string;
let seen: { path: string; token: string | undefined }[];
let prove: (request: URL, port: number) => unknown;

beforeEach(async () => {
  data = temporaryFolder('stale');
  proofKey = makeProofKey();
  seen = [];
  prove = (request, port) => ({ proof: proofOf(proofKey, request.searchParams.get('nonce') ?? '', port) });
  server = createServer((request: IncomingMessage, response) => {
    const { port } = server.address() as AddressInfo;
    const url = new URL(request.url ?? '', `http://127.0.0.1:${port}`);
    seen.push({ path: url.pathname, token: request.headers.authorization });
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(url.pathname.endsWith('/proof') ? prove(url, port) : { actor: 'local' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  leave(proofKey);
});
afterEach(() => void server.close());

function leave(key: string | undefined): void {
  const { port: master } = server.address() as AddressInfo;
  writeFileSync(
    join(data, LOCAL_FILE),
    JSON.stringify({
      ...{ url: `http://127.0.0.1:${master}`, token: 'ymt_admin', apiKey: null, proofKey: key },
      // A process that runs: that of the test.
      ...{
        pid: process.pid,
        startedAt: '2026-01-01T00:00:00Z',
        ports: { master, logStore: 1, metrics: 2, logstash: 3 },
      },
    }),
  );
}
const ask = () => connectToMaster({ data }, { env: {} }).call('session.get');
const tokens = () => seen.flatMap(({ token }) => token ?? []);

it('gets the token if it is the master of the folder, which it proves once', async () => {
  const api = connectToMaster({ data }, { env: {} });
  await api.call('session.get');
  await api.call('session.get');
  expect(seen.map(({ path }) => path)).toEqual(['/api/v1/master/proof', '/api/v1/session', '/api/v1/session']);
  expect(tokens()).toEqual(['Bearer ymt_admin', 'Bearer ymt_admin']);
});

it.each([
  ['knows nothing of a proof', () => ({ status: 'ok' })],
  ['makes one up', () => ({ proof: 'A'.repeat(43) })],
  [
    'has another key',
    (url: URL, port: number) => ({ proof: proofOf('other', url.searchParams.get('nonce') ?? '', port) }),
  ],
  [
    'hands on the proof of a master at another port',
    (url: URL) => ({ proof: proofOf(proofKey, url.searchParams.get('nonce') ?? '', 1) }),
  ],
])('gets no token if it %s', async (_, answer) => {
  prove = answer;
  await expect(ask()).rejects.toMatchObject({ code: 'MASTER_UNPROVEN', message: expect.stringContaining('not sent') });
  expect(tokens()).toEqual([]);
});

it('gets no token from a file without a key', async () => {
  leave(undefined);
  await expect(ask()).rejects.toMatchObject({ code: 'MASTER_UNPROVEN' });
  expect(seen).toEqual([]);
});

it('is told as unreachable where nobody listens', async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(ask()).rejects.toMatchObject({ code: 'MASTER_UNREACHABLE' });
});
