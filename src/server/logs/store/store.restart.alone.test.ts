import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { crashThread } from '../../offload/crash.fixture.ts';
import { openLogStore } from './store.ts';
import { batch, emptyFolder, LINE_LIMITS } from './store.fixture.ts';

vi.mock('node:worker_threads', async (original) =>
  (await import('../../offload/crash.fixture.ts')).crashingThreads(original),
);

it('takes lines again after its writer ended, also where it could not be opened at once', async () => {
  const folder = emptyFolder();
  const store = await openLogStore({
    folder,
    limits: LINE_LIMITS,
    storeBytes: 1e9,
    retentionDays: 0,
    reserveBytes: 0,
    durable: false,
    queueBytes: 64e6,
    queries: { most: 4, waiting: 4, waitMs: 200, bytes: 2 ** 27 },
    cacheBytes: 2 ** 24,
    log: (line) => said.push(line),
  });
  const said: string[] = [];
  const insert = (n: number) => store.insert(batch([{ n }], `batch ${n}`));
  await insert(1);
  const inTheWay = join(folder, 'logs-2020-01-01.db');
  mkdirSync(inTheWay);
  await crashThread();
  await vi.waitUntil(() => said.some((line) => line.includes('cannot be opened')));
  await expect(insert(2)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  rmdirSync(inTheWay);
  await vi.waitUntil(
    () =>
      insert(2).then(
        () => true,
        () => false,
      ),
    { interval: 100 },
  );
  expect(await insert(1)).toMatchObject({ duplicate: true });
  await store.close();
});
