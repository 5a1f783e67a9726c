import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../contract/access.ts';
import { systemClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { createAudit } from './audit.ts';
import { exportAudit, type AuditExport } from './audit-export.ts';
import type { Access } from './port.ts';

const ann: Actor = { name: 'Ann', role: 'admin', address: null };
let file: string;
let store: Store;
let audit: Access['audit'];
let exporting: AuditExport;
let arrived: string[];
let batches: number;
let failing: boolean;
let said: string[];

function open(): void {
  store = openSqlite({ file, durability: 'normal' });
  audit = createAudit({ store, clock: systemClock });
  exporting = exportAudit({
    store,
    log: (line) => said.push(line),
    destinations: [
      {
        name: 'there',
        async send(entries: readonly AuditEntry[]) {
          batches++;
          if (failing) throw new Error('out of order');
          arrived.push(...entries.map(({ target, after }) => `${target}${after === null ? '' : ` ${String(after)}`}`));
        },
        close: () => undefined,
      },
    ],
  });
}
async function close(): Promise<void> {
  await exporting.close();
  await store.close();
}
beforeEach(() => {
  file = join(temporaryFolder('export'), 'yardmaster.db');
  arrived = [];
  said = [];
  batches = 0;
  failing = false;
  open();
});
afterEach(close);

const put = (target: string, frequent = false) =>
  store.write((db) =>
    audit.record(db, ann, { action: 'a', target, before: null, after: null, ...(frequent ? { frequent } : {}) }),
  );
const all = () => vi.waitFor(() => expect(exporting.stats()).toMatchObject([{ behind: 0, failing: null }]));

it('sends each entry of both chains once, in batches, and goes on there after a restart', async () => {
  await store.write((db) => {
    for (let i = 0; i < 450; i++) audit.record(db, ann, { action: 'a', target: `t:${i}`, before: null, after: null });
  });
  await put('use:1', true);
  await all();
  expect(new Set(arrived).size).toBe(451);
  expect([arrived.length, batches]).toEqual([451, 3]);
  await close();
  open();
  await put('t:450');
  await all();
  expect(arrived.at(-1)).toBe('t:450');
  expect(arrived).toHaveLength(452);
});

it('tries again where it failed, says so once, and loses nothing', async () => {
  failing = true;
  await put('t:1');
  await vi.waitFor(() => expect(batches).toBeGreaterThan(1));
  expect(exporting.stats()).toEqual([{ destination: 'there', behind: 1, failing: 'out of order' }]);
  failing = false;
  await all();
  expect(arrived).toEqual(['t:1']);
  expect(said).toEqual([
    'audit export to there failed, and is tried again: out of order',
    'audit export to there works again',
  ]);
});

it('sends an entry again that was brought up to date', async () => {
  const note = audit.entry(ann);
  const item = (after: number) => ({ action: 'job.kill', target: 'job:1', before: null, after });
  await store.write((db) => note(db, item(1)));
  await all();
  await store.write((db) => note(db, item(2)));
  await vi.waitFor(() => expect(arrived).toEqual(['job:1 1', 'job:1 2']));
});
