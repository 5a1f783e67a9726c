import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startCluster } from '../support/cluster.ts';

/** Found nowhere else in the file; a flipped bit makes it another text. */
const NAME = 'A name that stands in the file once, as it is';

test('a standby whose file was changed is found, named, refused, and made anew by itself', async () => {
  const cluster = await startCluster(2, {});
  const { call } = cluster;
  try {
    await call('workflows.create', { body: { id: 'watched', name: NAME } });
    await call('workflows.create', { body: { id: 'busy', name: 'Busy' } });
    await cluster.untilWhole();
    const [standby] = await cluster.standbys();
    if (!standby) throw new Error('there is no standby');
    await standby.stop();
    const file = join(standby.data, 'yardmaster.db');
    const bytes = readFileSync(file);
    const at = bytes.indexOf(NAME);
    expect(at).toBeGreaterThan(0);
    bytes[at]! ^= 1;
    writeFileSync(file, bytes);
    await standby.start();

    const roleOf = async () => {
      const { masters } = await cluster.state();
      return masters.find(({ url }) => url === standby.advertised);
    };
    // Parts of tables are compared every so many turns.
    let writing = true;
    const writes = Array.from({ length: 4 }, async () => {
      for (let i = 0; writing; i++)
        await call('workflows.update', { params: { id: 'busy' }, body: { description: `${i}` } });
    });
    try {
      await expect.poll(async () => (await roleOf())?.role, { timeout: 120_000 }).toBe('diverged');
      const id = (await roleOf())?.id ?? '';
      await expect(call('cluster.handover', { body: { to: id } })).rejects.toMatchObject({ code: 'NO_STANDBY' });
      await expect
        .poll(async () => (await call('alerts.list')).items.map(({ ruleName, labels }) => [ruleName, labels['url']]))
        .toContainEqual(['Master diverged', standby.advertised]);
    } finally {
      writing = false;
      await Promise.all(writes);
    }
    await expect.poll(async () => (await roleOf())?.role, { timeout: 60_000 }).toBe('standby');
    await cluster.untilWhole();
    const epoch = (await cluster.state()).partitions[0]?.epoch ?? 0;
    await call('cluster.handover', { body: {} });
    await expect.poll(async () => (await cluster.state()).partitions[0]?.epoch, { timeout: 60_000 }).toBe(epoch + 1);
    expect((await cluster.owner()).name).toBe(standby.name);
    expect(await call('workflows.get', { params: { id: 'watched' } })).toMatchObject({ name: NAME });
  } finally {
    await cluster.close();
  }
});
