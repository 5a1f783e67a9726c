import { afterEach, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openSqlite } from './open.ts';
import { watchRefusal, type Refusal } from './refusal.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let watch: Refusal | undefined;
afterEach(() => watch?.close());

it('lasts while there is no room or the probe fails, and ends when both went well', async () => {
  const disk = { room: false, takes: false, looked: 0, probed: 0 };
  watch = watchRefusal({
    hasRoom: async () => (disk.looked++, disk.room),
    probe: async () => {
      disk.probed++;
      if (!disk.takes) throw new Error('full');
    },
    steadyMs: 10,
    lookMs: 1,
  });
  expect(watch.active).toBe(false);
  watch.noted();
  await expect.poll(() => disk.looked).toBeGreaterThan(3);
  expect(watch.active && disk.probed === 0).toBe(true);
  disk.room = true;
  await expect.poll(() => disk.probed).toBeGreaterThan(3);
  expect(watch.active).toBe(true);
  disk.takes = true;
  await expect.poll(() => watch?.active).toBe(false);
});

it('begins anew with each refusal, also with one during the probe', async () => {
  const probes: (boolean | undefined)[] = [];
  watch = watchRefusal({
    hasRoom: async () => true,
    probe: async () => {
      if (probes.push(watch?.active) === 1) watch?.noted();
    },
    steadyMs: 5,
    lookMs: 1,
  });
  watch.noted();
  await expect.poll(() => watch?.active).toBe(false);
  expect(probes).toEqual([true, true]);
});

it('of a store is not ended by a transaction that writes nothing', async () => {
  const store = openSqlite({
    file: join(temporaryFolder('ym-refusal'), 'x.db'),
    durability: 'normal',
    steadyMs: 50,
  });
  const limit = (pages: number | string) =>
    store.write((db) => db.query<{ max_page_count: number }>(`PRAGMA max_page_count = ${pages}`).get());
  const put = () =>
    store.write((db) =>
      db
        .statement('INSERT INTO payload (id, job, text) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM payload), 1, ?)')
        .run('x'.repeat(100_000)),
    );
  await limit(1);
  await expect(put()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(store.refusing).toBe(true);
  await store.write((db) => db.statement('DELETE FROM payload WHERE id < 0').run());
  expect(store.refusing).toBe(true);
  await limit(1_000_000);
  await put();
  expect(store.refusing).toBe(true);
  await expect.poll(() => store.refusing).toBe(false);
  await store.close();
});

it('leaves the version of the schema as it is', async () => {
  const file = join(temporaryFolder('ym-refusal'), 'x.db');
  const store = openSqlite({ file, durability: 'normal', steadyMs: 1 });
  const version = () => new Database(file, { readonly: true }).pragma('user_version', { simple: true });
  const before = version();
  await store.write((db) => db.query('PRAGMA max_page_count = 1').get());
  await expect(
    store.write((db) => db.statement('INSERT INTO payload (id, job, text) VALUES (1, 1, ?)').run('x'.repeat(100_000))),
  ).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await store.write((db) => db.query('PRAGMA max_page_count = 1000000').get());
  await expect.poll(() => store.refusing).toBe(false);
  expect(version()).toBe(before);
  await store.close();
});
