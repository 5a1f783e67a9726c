import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startWorker } from './start.ts';
import { startFakeMaster } from './master.fake.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('a worker shows no value of a secret, in messages of failures and in lines', async () => {
  let lines = '';
  const pipeline = createServer((socket) => void socket.on('data', (chunk: Buffer) => (lines += chunk.toString())));
  await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve));
  ends.push(() => pipeline.close());
  const master = await startFakeMaster();
  ends.push(() => master.close());
  const worker = await startWorker({
    master: master.url,
    socket: null,
    follows: true,
    token: 't',
    capacity: 2,
    handlers: null,
    labels: {},
    logstash: { host: '127.0.0.1', port: (pipeline.address() as AddressInfo).port, tls: false, token: null },
    log: () => {},
  });
  ends.push(() => worker.close(1));

  const source = `ctx.log('INFO', 'with ' + ctx.secrets.TOKEN, { deep: [ctx.secrets.TOKEN] }); throw new Error('no ' + ctx.secrets.TOKEN)`;
  master.lease([{ id: 'n', type: 'code', config: { source } }], {}, { secrets: { TOKEN: { value: 'hunter-22' } } });
  expect(await master.end('n')).toMatchObject({ e: 'fail', error: { message: 'no [secret TOKEN]' } });
  await expect.poll(() => lines).toMatch(/with \[secret TOKEN\][\s\S]*failed: TASK_ERROR: no \[secret TOKEN\]/);
  expect(lines).not.toContain('hunter');

  // Data is handed on as it is.
  master.lease(
    [{ id: 'm', type: 'code', config: { source: 'return ctx.secrets.TOKEN' } }],
    {},
    { secrets: { TOKEN: { value: 'hunter-22' } } },
  );
  expect(await master.end('m')).toMatchObject({ e: 'done', output: 'hunter-22' });
});
