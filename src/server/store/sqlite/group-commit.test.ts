import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { groupCommit } from './group-commit.ts';
import { handle } from './handle.ts';
import { createLogSync, type LogSync } from './log-sync.ts';
import { openSqlite } from './open.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const folder = () => temporaryFolder('ym-sync');

/** A disk that keeps what it has when the test says so. */
function slowDisk() {
  const asked: ((error: Error | null) => void)[] = [];
  const after: LogSync['after'] = (done) => void asked.push(done);
  const sync: LogSync = { after, settled: after, close: async () => {} };
  return { sync, asked };
}

function rows(sync: LogSync) {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE t (n INTEGER) STRICT');
  const refusals: string[] = [];
  const group = groupCommit(db, handle(db), sync, {
    noted: () => void refusals.push('noted'),
    forGood: () => void refusals.push('for good'),
  });
  const events: string[] = [];
  const put = (n: number) =>
    group
      .write(
        (h) => h.statement('INSERT INTO t VALUES (?)').run(n),
        () => events.push(`${n} committed`),
      )
      .then(
        () => events.push(`${n} safe`),
        (error: Error) => events.push(`${n} ${(error as { code?: string }).code}`),
      );
  return { db, group, put, events, refusals };
}

it('goes on with the next transaction while the disk keeps the last, and tells of each once it is there', async () => {
  const { sync, asked } = slowDisk();
  const { put, events } = rows(sync);
  const first = put(1);
  await expect.poll(() => events).toEqual(['1 committed']);
  const second = put(2);
  await expect.poll(() => events).toEqual(['1 committed', '2 committed']);
  asked[0]?.(null);
  await first;
  expect(events).toEqual(['1 committed', '2 committed', '1 safe']);
  asked[1]?.(null);
  await second;
  expect(events.at(-1)).toBe('2 safe');
});

it('promises nothing any more once the disk did not keep what it had taken', async () => {
  const { sync, asked } = slowDisk();
  const { put, events, refusals } = rows(sync);
  const first = put(1);
  await expect.poll(() => asked).toHaveLength(1);
  asked[0]?.(new Error('EIO'));
  await first;
  await put(2);
  expect(events).toEqual(['1 committed', '1 STORE_UNAVAILABLE', '2 STORE_UNAVAILABLE']);
  expect(refusals).toEqual(['for good']);
});

it('begins with the first statement: commands that ask the database for nothing are not synced', async () => {
  const { sync, asked } = slowDisk();
  const settled: (typeof asked)[number][] = [];
  const { db, group } = rows({ ...sync, settled: (done) => void settled.push(done) });
  const began: boolean[] = [];
  const idle = group.write(() => void began.push(db.inTransaction));
  await expect.poll(() => settled).toHaveLength(1);
  settled[0]?.(null);
  await idle;
  const busy = group.write((h) => {
    h.query('SELECT n FROM t').all();
    began.push(db.inTransaction);
  });
  await expect.poll(() => asked).toHaveLength(1);
  asked[0]?.(null);
  await busy;
  expect(began).toEqual([false, true]);
  expect(settled).toHaveLength(1);
});

it('syncs all commits so far with one request, and calls back in order', async () => {
  const file = join(folder(), 'a.db');
  const store = openSqlite({ file, durability: 'full' });
  await store.write((db) => db.statement("INSERT INTO setting VALUES ('a', '1')").run());
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  const sync = createLogSync(`${file}-wal`);
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map(
      (n) => new Promise<void>((resolve) => sync.after((error) => resolve(void order.push(error === null ? n : -n)))),
    ),
  );
  expect(order).toEqual([1, 2, 3]);
  await sync.close();
  await store.durable();
  await store.close();
});

it('says so where there is no log to sync', async () => {
  const sync = createLogSync(join(folder(), 'none-wal'));
  const error = await new Promise((resolve) => sync.after(resolve));
  expect(error).toMatchObject({ code: 'ENOENT' });
  await sync.close();
});
