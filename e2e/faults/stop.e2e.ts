import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sleeper } from '../support/workflow-definitions.ts';
import { forget, publish, startMaster } from '../support/master.ts';
import { living, workersOf } from '../support/processes.ts';

test(
  'a stopped master lets running tasks end, leaves no process, and says so with exit 0',
  { tag: '@goal' },
  async () => {
    const master = await startMaster();
    await publish(master, 'sleeper', sleeper(2));
    // A live stream must not hold the master back.
    const stream = await fetch(`${master.url}/api/v1/stream`, { headers: { authorization: `Bearer ${master.token}` } });
    const workers = workersOf(master.pid);
    const waiting = master.event('sleeper/dev', [{}]);
    await expect.poll(async () => (await master.call('master.overview')).tasks.running).toBe(1);
    const began = Date.now();
    const code = await master.stop();
    expect(code).toBe(0);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect((await waiting).status).toBe(200);
    await stream.body?.cancel().catch(() => {});
    expect(existsSync(join(master.data, 'local.json'))).toBe(false);
    expect(workers).toHaveLength(2);
    await expect.poll(() => living([master.pid, ...workers])).toEqual([]);
    forget(master.data);
  },
);

test('a killed master leaves no worker behind', { tag: '@goal' }, async () => {
  const master = await startMaster();
  const workers = workersOf(master.pid);
  expect(workers).toHaveLength(2);
  await master.kill();
  await expect.poll(() => living(workers)).toEqual([]);
  forget(master.data);
});
