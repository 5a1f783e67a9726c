import { beforeEach, expect, it, vi } from 'vitest';
import { LIMITS } from '../contract/limits.ts';
import { workerLimits } from '../contract/worker-protocol.ts';
import { startWorker } from './start.ts';
import { startFakeMaster } from './master.fake.ts';

const opened = vi.hoisted((): { threads: number; memoryBytes: number[] } => ({ threads: 0, memoryBytes: [] }));
vi.mock('./code/open-thread.ts', async (original) => {
  const { openCodeThread } = await original<typeof import('./code/open-thread.ts')>();
  return {
    openCodeThread: (...given: Parameters<typeof openCodeThread>) => {
      opened.threads++;
      opened.memoryBytes.push(given[1]);
      return openCodeThread(...given);
    },
  };
});

beforeEach(() => void Object.assign(opened, { threads: 0, memoryBytes: [] }));

async function joined(welcome: NonNullable<Parameters<typeof startFakeMaster>[0]>['welcome'] = {}) {
  const master = await startFakeMaster({ welcome });
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

it('starts no thread for code by itself where its master knows of none', async () => {
  const limits = (codeMemoryBytes: number) => ({ limits: { ...workerLimits(LIMITS), codeMemoryBytes } });
  const without = await joined({ code: false, ...limits(33e6) });
  const other = await joined({ code: true, ...limits(34e6) });
  // That of the other, which joined later, would be the second.
  await vi.waitUntil(() => opened.threads > 0, { timeout: 120_000 });
  expect(opened.memoryBytes).toEqual([34e6]);
  for (const { master, worker } of [without, other]) {
    await worker.close(0);
    await master.close();
  }
});
