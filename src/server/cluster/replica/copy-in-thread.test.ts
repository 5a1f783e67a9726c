import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { POSITION_TABLE, PUT_POSITION } from '../journal/turn-recorder.ts';
import { copyInThread } from './copy-in-thread.ts';

/** A working copy of so many megabytes. */
function fileOf(megabytes: number): string {
  const file = join(temporaryFolder('copy'), 'yardmaster.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(`${POSITION_TABLE}; CREATE TABLE filler (bytes BLOB)`);
  const insert = db.prepare('INSERT INTO filler VALUES (randomblob(1048576))');
  db.transaction(() => {
    for (let i = 0; i < megabytes; i++) insert.run();
  })();
  db.prepare(PUT_POSITION).run(3, 17, 0);
  db.close();
  return file;
}

it('follows the journal while a snapshot is copied, and lets the file go without waiting for it', async () => {
  const file = fileOf(64);
  const copy = copyInThread(file);
  await copy.position();
  let copied = false;
  const copying = copy.copy().then(
    (info) => {
      copied = true;
      return info;
    },
    (error: Error) => error,
  );
  expect(await copy.position()).toMatchObject({ epoch: 3, turn: 17 });
  expect(copied).toBe(false);
  await copy.close();
  expect(copied).toBe(false);
  expect(await copying).toBeInstanceOf(Error);
});

it('copies what the file holds, to be read in chunks', async () => {
  const file = fileOf(2);
  const copy = copyInThread(file);
  const { epoch, turn, bytes, chunks } = await copy.copy();
  expect([epoch, turn]).toEqual([3, 17]);
  expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
  expect(chunks).toBe(Math.ceil(bytes / 1024 / 1024));
  expect((await copy.readChunk(chunks - 1)).length).toBeGreaterThan(0);
  await copy.dropCopy();
  expect(existsSync(`${file}.snapshot`)).toBe(false);
  await copy.close();
});
