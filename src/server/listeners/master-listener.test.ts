import { WebSocket } from 'ws';
import { expect, it } from 'vitest';
import { openMaster } from '../master.fixture.ts';
import { connectWorker } from '../testing/worker.fake.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

it('a master that stops waits neither for workers of other machines nor for sockets that say nothing', async () => {
  const master = await openMaster({ data: temporaryFolder('stop'), drainSeconds: 5 });
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
