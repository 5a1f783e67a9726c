import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { createAccess } from '../access/access.ts';
import type { Access, AuditItem } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import { ensureDatabase } from '../testing/empty-database.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { deleteOldEntries, DELETE_OLD_STATEMENTS } from './delete-old.ts';
import { releaseFreeSpace } from './free-space.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const admin = { name: 'admin', role: 'admin', address: null } as const;

const DAY_MS = 86_400_000;
const never = new AbortController().signal;
let folder: string;
let store: Store;
let access: Access;
beforeEach(async () => {
  folder = temporaryFolder('ym-retention');
  await ensureDatabase(join(folder, 'yardmaster.db'));
  store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  access = createAccess({ store, clock: systemClock, limits: LIMITS });
});
afterEach(async () => {
  await access.close();
  await store.close();
});

const write = (many: number, text = 'x'.repeat(1000)) =>
  store.write((db) => {
    for (let i = 0; i < many; i++) db.statement('INSERT INTO payload (job, text) VALUES (1, ?)').run(text);
  });

describe('what grows', () => {
  it('is deleted once its time is over, by age and by number', async () => {
    const now = Date.now();
    await store.write((db) => {
      for (let i = 0; i < 500; i++)
        access.audit.record(db, admin, { action: 'a', target: String(i), before: null, after: null });
      db.statement('UPDATE audit SET at = ? WHERE CAST(target AS INTEGER) < 250').run(now - 400 * DAY_MS);
    });
    const key = await access.keys.create({ name: 'k', workflows: ['*'], environments: ['dev'] }, admin);
    await access.keys.revoke(key.id, admin);
    const kept = await access.keys.create(
      { name: 'k2', workflows: ['*'], environments: ['dev'], expiresAt: new Date(now + 1000).toISOString() },
      admin,
    );
    await deleteOldEntries(store, LIMITS, now, never);
    expect((await access.audit.list({ page: 0, size: 1 })).totalItems).toBe(253);
    await deleteOldEntries(store, { ...LIMITS, auditRetentionCount: 10 }, now, never);
    expect((await access.audit.list({ page: 0, size: 1 })).totalItems).toBe(10);
    await deleteOldEntries(store, LIMITS, now + 91 * DAY_MS, never);
    expect((await access.keys.list({ page: 0, size: 10 })).items).toEqual([]);
    expect(access.key(kept.key)).not.toBeNull();
  });

  it('leaves what people did, however much jobs note of themselves', async () => {
    const put = (item: Partial<AuditItem> & { target: string }) =>
      store.write((db) => access.audit.record(db, admin, { action: 'a', before: null, after: null, ...item }));
    for (let i = 0; i < 20; i++) {
      if (i % 5 === 0) await put({ target: `change:${i}` });
      await put({ action: 'secret.use', target: `use:${i}`, frequent: true });
    }
    await deleteOldEntries(store, { ...LIMITS, auditRetentionCount: 4, auditSecretUseCount: 3 }, Date.now(), never);
    const { items } = await access.audit.list({ page: 0, size: 50 });
    expect(items.map(({ target }) => target)).toEqual([
      'use:19',
      'use:18',
      'use:17',
      'change:15',
      'change:10',
      'change:5',
      'change:0',
    ]);
  });

  it('stays where nothing bounds it', async () => {
    await store.write((db) => access.audit.record(db, admin, { action: 'a', target: 't', before: null, after: null }));
    await deleteOldEntries(
      store,
      {
        auditRetentionDays: 0,
        auditRetentionCount: 0,
        auditSecretUseCount: 0,
        publicationRetentionCount: 0,
        credentialRetentionDays: 0,
      },
      Date.now() + 1e12,
      never,
    );
    expect((await access.audit.list({ page: 0, size: 1 })).totalItems).toBe(1);
  });

  it('is found by an index where it may be much', () => {
    const plan = (sql: string) =>
      store.read
        .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(1, 1)
        .map(({ detail }) => detail)
        .join('\n');
    for (const [name, table] of [['publicationBeyond', 'publication']] as const)
      expect(plan(DELETE_OLD_STATEMENTS[name])).not.toMatch(new RegExp(`SCAN ${table}\\b`));
  });

  it('gives its space back, but for some that what comes next needs', async () => {
    await write(60_000);
    const { pages } = store.space();
    await store.write((db) => db.statement('DELETE FROM payload').run());
    expect(await releaseFreeSpace(store, never)).toBeGreaterThan(pages / 2);
    expect(store.space().free).toBeLessThanOrEqual(4200);
  });
});
