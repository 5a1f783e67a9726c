import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createAudit } from './audit.ts';
import { openOfflineAudit } from './offline-audit.ts';

it('the audit log of a folder without a master is listed and verified', async () => {
  const folder = temporaryFolder('offline');
  expect(() => openOfflineAudit(folder)).toThrow('contains no database');
  const store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  const audit = createAudit({ store, clock: systemClock });
  await audit.note({ name: 'Ann', role: 'admin', address: null }, { action: 'a', target: 't', before: null, after: 1 });
  await store.close();
  const offline = openOfflineAudit(folder);
  expect(offline.list({ page: 0, size: 10 }).items).toMatchObject([{ actor: 'Ann', number: 1 }]);
  expect(await offline.verify()).toMatchObject({ ok: true, chains: [{ entries: 1 }, { entries: 0 }] });
  offline.close();
});
