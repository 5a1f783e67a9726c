import { expect, it } from 'vitest';
import { createApiClient, fetchTransport } from '../../lib/api-client.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';
import { connectWorker } from '../testing/worker.fake.ts';

it('tells workers all ports that the master listens on, which http nodes never reach', async () => {
  const master = await openMaster({ data: temporaryFolder('ports') });
  const api = createApiClient(fetchTransport({ url: master.ready.url, token: master.ready.token }, fetch));
  const { token } = await api.call('tokens.create', { body: { name: 'w', role: 'worker' } });
  const worker = await connectWorker({ url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`, token });
  const { ports, addresses } = worker.welcome.http.master ?? { ports: [], addresses: ['none told'] };
  expect(ports).toEqual(expect.arrayContaining(Object.values(master.ready.ports)));
  // Bound to loopback, no other address leads to them.
  expect(addresses).toEqual([]);
  await master.close();
});
