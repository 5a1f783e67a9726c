import { connect, createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { crashThread } from '../../offload/crash.fixture.ts';
import { startFakeStore } from './log-store.fake.ts';
import { startPipelines } from './pipelines.ts';
import { masterTarget, settingsOf } from './settings.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

vi.mock('node:worker_threads', async (original) =>
  (await import('../../offload/crash.fixture.ts')).crashingThreads(original),
);

it('listens again after its thread ended, also where another one had the port for a while', async () => {
  const store = await startFakeStore();
  const said: string[] = [];
  const pipelines = await startPipelines({
    ...settingsOf(LIMITS),
    folder: temporaryFolder('pipelines'),
    host: '127.0.0.1',
    port: 0,
    replicas: 1,
    target: masterTarget(store.url, null),
    tls: null,
    tokenRequired: false,
    tokens: null,
    durable: false,
    log: (line) => said.push(line),
  });
  const taker = createServer();
  await crashThread();
  await new Promise<void>((resolve) => taker.listen(pipelines.port, '127.0.0.1', resolve));
  await vi.waitUntil(() => said.some((line) => line.includes('cannot listen')));
  await new Promise((resolve) => taker.close(resolve));
  await vi.waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(pipelines.port, '127.0.0.1', () => socket.end('{"msg":"here"}\n'));
        socket
          .on('error', () => resolve(false))
          .on('close', () => resolve(store.lines.length > 0))
          .resume();
      }),
    { interval: 100 },
  );
  expect(store.messages()).toContain('here');
  expect(said.filter((line) => line.includes('cannot listen'))).toHaveLength(1);
  await pipelines.close();
  await store.close();
});
