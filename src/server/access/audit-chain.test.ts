import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { codePoint } from '../../lib/code-point.fixture.ts';
import { deleteOldEntries } from '../retention/delete-old.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Store } from '../store/port.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import type { Actor } from '../workflows/port.ts';
import { createAudit } from './audit.ts';
import type { Access } from './port.ts';

const ann: Actor = { name: 'Ann', role: 'admin', address: '127.0.0.1' };
let file: string;
let store: Store;
let audit: Access['audit'];
const open = () => {
  store = openSqlite({ file, durability: 'normal' });
  audit = createAudit({ store, clock: systemClock });
};
beforeEach(async () => {
  file = await emptyDatabase('chain');
  open();
});
afterEach(() => store.close());

const put = (target: string, frequent = false) =>
  store.write((db) =>
    audit.record(db, ann, { action: 'a', target, before: null, after: { target }, ...(frequent ? { frequent } : {}) }),
  );
/** What somebody does to the file while no master looks. */
async function tamper(sql: string, ...args: unknown[]): Promise<void> {
  await store.close();
  const db = new Database(file);
  db.prepare(sql).run(...args);
  db.close();
  open();
}
const faults = async () => (await audit.verify()).chains.flatMap(({ fault }) => fault ?? []);

describe('the chain of the audit log', () => {
  beforeEach(async () => {
    for (let i = 1; i <= 5; i++) await put(`t:${i}`);
    for (let i = 1; i <= 3; i++) await put(`use:${i}`, true);
  });

  it('fits, also after a restart', async () => {
    await store.close();
    open();
    await put('t:6');
    expect(await audit.verify()).toMatchObject({
      ok: true,
      chains: [
        { chain: 'changes', entries: 6, anchor: { number: 0, hash: '' }, head: { number: 6 }, fault: null },
        { chain: 'uses', entries: 3, head: { number: -3 }, fault: null },
      ],
    });
    const { items } = await audit.list({ page: 0, size: 1, target: 't:6' });
    expect(items[0]).toMatchObject({ number: 6, hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) });
  });

  it.each([
    ['an entry that was changed', "UPDATE audit SET actor = 'Bob' WHERE n = 3", 3],
    ['one whose time was changed', 'UPDATE audit SET at = at + 1 WHERE n = 5', 5],
    ['one that was removed', 'DELETE FROM audit WHERE n = 3', 4],
    ['the first that were removed', 'DELETE FROM audit WHERE n BETWEEN 1 AND 2', 3],
    ['one that was put between', 'UPDATE audit SET n = 9 WHERE n = 5', 9],
    ['a use that was changed', "UPDATE audit SET target = 'use:other' WHERE n = -2", -2],
  ])('tells of %s', async (_, sql, number) => {
    await tamper(sql);
    expect(await faults()).toMatchObject([{ number }]);
    expect((await audit.verify()).ok).toBe(false);
  });

  it('goes on from what retention left, and from its end where nothing is left', async () => {
    const limits = { ...LIMITS, auditRetentionDays: 0, auditRetentionCount: 2, auditSecretUseCount: 1 };
    const before = (await audit.verify()).chains[0]?.head;
    await deleteOldEntries(store, limits, Date.now(), new AbortController().signal);
    expect(await audit.verify()).toMatchObject({
      ok: true,
      chains: [
        { entries: 2, anchor: { number: 3 }, head: before },
        { entries: 1, anchor: { number: -2 } },
      ],
    });
    await deleteOldEntries(
      store,
      { ...limits, auditRetentionDays: 1 },
      Date.now() + 1e12,
      new AbortController().signal,
    );
    await put('t:6');
    expect(await audit.verify()).toMatchObject({
      ok: true,
      chains: [{ entries: 1, anchor: before, head: { number: 6 } }, { entries: 0 }],
    });
    // What is left cannot be begun elsewhere.
    await tamper("UPDATE audit_anchor SET hash = 'other' WHERE chain = 'changes'");
    expect(await faults()).toMatchObject([{ number: 6 }]);
  });

  it('fits after a change of several transactions, whose entry is brought up to date', async () => {
    const note = audit.entry(ann);
    const item = (sum: number) => ({ action: 'job.kill', target: 'job:1', before: null, after: { sum } });
    await store.write((db) => note(db, item(1)));
    await put('t:6');
    await store.write((db) => db.statement("INSERT INTO audit_export VALUES ('there', 8, 0)").run());
    await store.write((db) => note(db, item(2)));
    expect((await audit.list({ page: 0, size: 9, action: 'job.kill' })).items).toMatchObject([{ after: { sum: 2 } }]);
    expect((await audit.verify()).ok).toBe(true);
    // Whoever has it outside gets it again.
    expect(store.read.query('SELECT changes FROM audit_export').get()).toEqual({ changes: 5 });
  });

  it('holds entries of a master without chains from its first start on', async () => {
    await tamper('DELETE FROM audit_anchor');
    await tamper('UPDATE audit SET hash = NULL');
    expect((await faults()).map(({ number }) => number)).toEqual([1, -1]);
    await tamper('DELETE FROM audit_anchor');
    await store.write(() => undefined);
    expect(await audit.verify()).toMatchObject({ ok: true, chains: [{ entries: 5 }, { entries: 3 }] });
  });
});

it('fits whatever is written, in whatever order, and tells of any change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ target: fc.string({ unit: codePoint }), frequent: fc.boolean() }), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.nat(),
      async (entries, pick) => {
        await store.write((db) => {
          for (const { target, frequent } of entries)
            audit.record(db, ann, {
              action: 'a',
              target,
              before: target,
              after: null,
              ...(frequent ? { frequent } : {}),
            });
        });
        expect(await faults()).toEqual([]);
        const numbers = store.read.query<{ n: number }>('SELECT n FROM audit').all();
        const n = numbers[pick % numbers.length]?.n ?? 0;
        await store.write((db) =>
          db.statement("UPDATE audit SET after = coalesce(after, '') || ' ' WHERE n = ?").run(n),
        );
        expect((await faults())[0]?.number).toBe(n);
        await store.write((db) => db.statement('DELETE FROM audit').run());
      },
    ),
    { numRuns: 30 },
  );
});
