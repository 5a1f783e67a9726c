import { beforeEach, expect, it, vi } from 'vitest';
import { startWorker } from './start.ts';
import { startFakeMaster } from './master.fake.ts';

const opened = vi.hoisted(() => ({ threads: 0 }));
vi.mock('./code/open-thread.ts', async (original) => {
  const { openCodeThread } = await original<typeof import('./code/open-thread.ts')>();
  return {
    openCodeThread: (...given: Parameters<typeof openCodeThread>) => {
      opened.threads++;
      return openCodeThread(...given);
    },
  };
});

beforeEach(() => void (opened.threads = 0));

async function joined() {
  const master = await startFakeMaster({});
  const worker = await startWorker({
    master: master.url,
    socket: null,
    follows: true,
    token: 't',
    capacity: 4,
    handlers: null,
    labels: {},
    logstash: null,
    log: () => {},
  });
  return { master, worker };
}

it('has one thread for code as soon as it hears of a workflow with code', async () => {
  const { master, worker } = await joined();
  master.lease([{ id: 'a', type: 'transform', config: { expression: '$uppercase(content)' } }], { content: 'a' });
  await master.end('a');
  const code = { id: 'b', type: 'code', name: 'b', config: { source: 'return input.content' }, runTimeoutSeconds: 600 };
  master.send({ t: 'commit', commit: 'd', nodes: [code] });
  await vi.waitUntil(() => opened.threads === 1);
  master.lease([code], { content: 'b' });
  expect(await master.end('b')).toMatchObject({ e: 'done', output: 'b' });
  expect(opened.threads).toBe(1);
  await worker.close(0);
  await master.close();
});

it('starts the thread for code by itself once it has had its place for a while', async () => {
  const { master, worker } = await joined();
  await vi.waitUntil(() => opened.threads === 1, { timeout: 120_000 });
  await worker.close(0);
  await master.close();
});
