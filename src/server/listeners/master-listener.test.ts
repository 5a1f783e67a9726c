import { WebSocket } from 'ws';
import { expect, it } from 'vitest';
import { buildMaster } from '../index.ts';
import { connectWorker } from '../testing/fake-worker.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

it('a master that stops waits neither for workers of other machines nor for sockets that say nothing', async () => {
  const master = await buildMaster(
    {
      host: '127.0.0.1',
      port: 0,
      logStorePort: 0,
      metricsPort: 0,
      logstashPort: 0,
      data: temporaryFolder('stop'),
      workers: 0,
      capacity: 1,
      store: 'sqlite',
      durability: 'normal',
      drainSeconds: 5,
      behindProxy: false,
      allowedHosts: [],
      tls: null,
      adminToken: null,
      secretsKey: null,
      httpAllow: [],
      examples: null,
      limits: {},
      say: () => {},
    },
    { cli: '/nowhere', consoleFolder: null },
  );
  const { url, token } = master.ready;
  const made = await fetch(`${url}/api/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'w', role: 'worker' }),
  });
  const { token: workerToken } = (await made.json()) as { token: string };
  const link = `${url.replace('http', 'ws')}/api/v1/worker`;
  const worker = await connectWorker({ url: link, token: workerToken });
  const silent = new WebSocket(link, { headers: { authorization: `Bearer ${workerToken}` } });
  await new Promise((resolve) => silent.once('open', resolve));
  silent.on('error', () => {});
  await master.close();
  expect(await worker.closed).toMatchObject({ code: 1001 });
});
