import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../contract/limits.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { warmStores } from './local-stores.ts';
import { recordDataParts } from './startup/data-parts.ts';

function warm(data = temporaryFolder('warm')) {
  const stores = warmStores({ data, adopt: false, durability: 'normal', limits: { logReads: 3 }, log: () => {} });
  onTestFinished(() => stores.close());
  return { data, stores };
}

it('opens logs and metrics once, and hands them over once', async () => {
  const { stores } = warm();
  expect(await stores.take()).toBeNull();
  stores.begin();
  stores.begin();
  const taken = await stores.take();
  onTestFinished(() => taken?.close());
  expect(taken?.durability.level).toBe('normal');
  expect(taken?.logs.stats().records).toBe(0);
  expect(await taken?.metrics.room.names()).toEqual({ items: [] });
  expect(await stores.take()).toBeNull();
});

it('fits where the limits in force are those that it was opened with, or are read when they are needed', async () => {
  const { stores } = warm();
  stores.begin();
  const taken = await stores.take();
  onTestFinished(() => taken?.close());
  expect(taken?.fit({ ...LIMITS, logReads: 3, logStoreBytes: LIMITS.logStoreBytes * 2 })).toBe(true);
  expect(taken?.fit(LIMITS)).toBe(false);
});

it('makes nothing in a folder that lacks one of its parts: whoever starts there says so', async () => {
  const { data, stores } = warm();
  stores.begin();
  await (await stores.take())?.close();
  recordDataParts(data);
  rmSync(join(data, 'logs'), { recursive: true });
  stores.begin();
  expect(await stores.take()).toBeNull();
  expect(existsSync(join(data, 'logs'))).toBe(false);
});
