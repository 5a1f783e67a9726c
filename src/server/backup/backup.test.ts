import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { checkBackup } from '../../lib/backup-file.ts';
import { systemClock } from '../../lib/clock.ts';
import { createAccess } from '../access/access.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import { migrations } from '../store/sqlite/migrate.ts';
import { ensureDatabase } from '../testing/empty-database.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createBackups } from './backup.ts';
import type { Backups } from './port.ts';
import { backupFolder, restoreBackup } from './restore.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const admin = { name: 'admin', role: 'admin', address: null } as const;
const newest = migrations.at(-1)?.number ?? 0;

let folder: string;
let store: Store;
let access: Access;
let backups: Backups;
beforeEach(async () => {
  folder = temporaryFolder('ym-backup');
  await ensureDatabase(join(folder, 'yardmaster.db'));
  store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  access = createAccess({ store, clock: systemClock, limits: LIMITS });
  backups = createBackups({ store, clock: systemClock, audit: access.audit, folder: join(folder, 'backups') });
});
afterEach(async () => {
  await backups.close();
  await access.close();
  await store.close();
});

const write = (many: number, text = 'x'.repeat(1000)) =>
  store.write((db) => {
    for (let i = 0; i < many; i++) db.statement('INSERT INTO payload (job, text) VALUES (1, ?)').run(text);
  });
async function backup(): Promise<string> {
  const { stream, bytes } = await backups.take(admin);
  const content = await buffer(stream);
  expect(content.length).toBe(bytes);
  const file = join(folder, `b-${readdirSync(folder).length}.backup`);
  writeFileSync(file, content);
  return file;
}
const fresh = () => join(temporaryFolder('ym-restored'), 'data');

describe('a backup', () => {
  it('knows nothing of the archive files, which may hold more by the time that it is restored', async () => {
    await store.write((db) =>
      db.statement(`INSERT INTO archive_file (name, bytes, jobs) VALUES ('jobs-2026-01-10.ndjson.gz', 1000, 5)`).run(),
    );
    const target = fresh();
    await restoreBackup(await backup(), target, newest);
    const copy = new Database(join(target, 'yardmaster.db'), { readonly: true });
    expect(copy.prepare('SELECT * FROM archive_file').all()).toEqual([]);
    copy.close();
  });

  it('is one moment of the database while it is written to, and leaves nothing behind', async () => {
    await write(2000);
    let writing = true;
    const writer = (async () => {
      // Two rows belong together: no backup may have one without the other.
      for (let i = 0; writing; i++) {
        await store.write((db) => {
          db.statement('INSERT INTO setting (name, value) VALUES (?, 1)').run(`a${i}`);
          db.statement('INSERT INTO setting (name, value) VALUES (?, 1)').run(`b${i}`);
        });
      }
    })();
    const file = await backup();
    writing = false;
    await writer;
    const target = fresh();
    const header = await restoreBackup(file, target, newest);
    expect(header).toMatchObject({ format: 1, schema: newest, counts: { jobs: 0 }, secrets: { count: 0, keyIds: [] } });
    const copy = new Database(join(target, 'yardmaster.db'), { readonly: true });
    const of = (letter: string) =>
      copy.prepare<[], number>(`SELECT count(*) FROM setting WHERE name GLOB '${letter}*'`).pluck().get() as number;
    expect(of('a')).toBe(of('b'));
    expect(copy.prepare('SELECT count(*) FROM payload').pluck().get()).toBe(2000);
    expect(copy.pragma('auto_vacuum', { simple: true })).toBe(2);
    copy.close();
    expect(readdirSync(target)).toEqual(['yardmaster.db']);
    expect(readdirSync(join(folder, 'backups'))).toEqual([]);
    expect(statSync(join(target, 'yardmaster.db')).mode & 0o777).toBe(0o600);
    expect((await access.audit.list({ page: 0, size: 1, action: 'backup.take' })).totalItems).toBe(1);
  });

  it('is taken one at a time', async () => {
    const first = await backups.take(admin);
    await expect(backups.take(admin)).rejects.toMatchObject({ code: 'BACKUP_RUNNING' });
    first.stream.destroy();
    await new Promise((resolve) => first.stream.once('close', resolve));
    (await backups.take(admin)).stream.destroy();
  });

  it('that cannot be written says how much room there is, and leaves nothing', async () => {
    await backups.close();
    const into = join(folder, 'backups');
    backups = createBackups({ store, clock: { ...systemClock, now: () => 1 }, audit: access.audit, folder: into });
    // SQLite copies into no file that is there already.
    writeFileSync(join(into, 'backup-1.db'), 'something');
    await expect(backups.take(admin)).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
      message: expect.stringMatching(/: the copy needs up to [\d.]+ MB in .*backups, and [\d.]+ MB are free$/),
    });
    expect(readdirSync(into)).toEqual([]);
    (await backups.take(admin)).stream.destroy();
  });

  it('is taken of a folder that no master uses, whole or not at all', async () => {
    await write(10);
    const file = join(folder, 'local.backup');
    expect(await backupFolder(folder, file, '2026-01-01T00:00:00.000Z')).toMatchObject({
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    await checkBackup(file);
    // Whoever may write beside it has put links where it could write through.
    const [around, mine] = [temporaryFolder('ym-shared'), join(folder, 'mine')];
    writeFileSync(mine, 'mine');
    for (const part of ['copy', 'partial']) symlinkSync(mine, join(around, `b.backup.${part}-${process.pid}`));
    await backupFolder(folder, join(around, 'b.backup'), '2026-01-01T00:00:00.000Z');
    await checkBackup(join(around, 'b.backup'));
    expect([readFileSync(mine, 'utf8'), readdirSync(around).filter((name) => name.includes('partial'))]).toEqual([
      'mine',
      [`b.backup.partial-${process.pid}`],
    ]);
    await expect(backupFolder(fresh(), join(folder, 'none.backup'), '')).rejects.toThrow(
      'does not contain yardmaster.db',
    );
    expect(readdirSync(folder).filter((name) => name.includes('.backup'))).toEqual(['local.backup']);
  });
});

describe('a restore', () => {
  let file: string;
  beforeEach(async () => {
    await write(50);
    file = await backup();
  });

  it.each([
    ['cut short', () => truncateSync(file, statSync(file).size - 1), /is truncated: expected \d+ bytes/],
    ['cut in its header', () => truncateSync(file, 150), /is truncated within the header/],
    ['with one byte changed', () => change(statSync(file).size - 5000), /is damaged: the checksum of yardmaster.db/],
    ['with its header changed', () => change(200), /is damaged: the (checksum of the )?header/],
    ['with something behind it', () => appendFileSync(file, 'x'), /1 bytes too many/],
    [
      'that is something else',
      () => writeFileSync(file, 'PK\u0003\u0004 a zip, it seems'),
      /is not a Yardmaster backup/,
    ],
    ['that is empty', () => writeFileSync(file, ''), /is not a Yardmaster backup/],
  ])('refuses a file %s, and writes nothing', async (_what, spoil, message) => {
    spoil();
    const target = fresh();
    await expect(restoreBackup(file, target, newest)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: expect.stringMatching(message),
    });
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  const change = (at: number) => {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };

  it('refuses a file that is not there, and one of a newer schema', async () => {
    await expect(restoreBackup(`${file}.none`, fresh(), newest)).rejects.toThrow('cannot be read (ENOENT)');
    await expect(restoreBackup(file, fresh(), newest - 1)).rejects.toMatchObject({ code: 'SCHEMA_UNKNOWN' });
  });

  it('takes a folder that is empty or missing, no other', async () => {
    const target = fresh();
    mkdirSync(target);
    await restoreBackup(file, target, newest);
    await expect(restoreBackup(file, target, newest)).rejects.toMatchObject({ code: 'FOLDER_NOT_EMPTY' });
    const deep = join(fresh(), 'a', 'b');
    await restoreBackup(file, deep, newest);
    expect(existsSync(join(deep, 'yardmaster.db'))).toBe(true);
  });
});
