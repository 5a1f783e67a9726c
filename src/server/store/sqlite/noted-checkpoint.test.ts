import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { notedCheckpoints, type NotedCheckpoints } from './noted-checkpoint.ts';

let file: string;
let writer: Database.Database;
let reader: Database.Database;
let own: Database.Database;
let checkpoints: NotedCheckpoints;

beforeEach(() => {
  file = join(temporaryFolder('ym-noted'), 'yardmaster.db');
  const open = () => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 0');
    return db;
  };
  writer = open();
  writer.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
  add(200);
  reader = open();
  own = open();
  checkpoints = notedCheckpoints(own, file, 0);
});
afterEach(() => {
  checkpoints.close();
  for (const db of [own, reader, writer]) db.close();
});

function add(rows: number): void {
  const insert = writer.prepare('INSERT INTO note (text) VALUES (?)');
  writer.transaction(() => {
    for (let i = 0; i < rows; i++) insert.run('x'.repeat(500));
  })();
}
const pages = () => statSync(file).size / 4096;
const check = () => checkpoints.sums.check(1, pages());

it('notes every page once the whole log is copied', () => {
  expect(checkpoints.passive()).toMatchObject({ busy: false });
  expect(pages()).toBeGreaterThan(20);
  expect(check()).toMatchObject({ damaged: [], unknown: [] });
});

it('leaves pages of a log that is copied in part to its end, or until it is asked to note them', () => {
  checkpoints.passive();
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM note').get();
  writer.exec("UPDATE note SET text = 'y'");
  const { log, done } = checkpoints.passive();
  expect(done).toBeLessThan(log);
  // Copied as far as the reader allows: nothing yet.
  expect(check().damaged).toEqual([]);
  reader.exec('COMMIT');
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM note').get();
  add(200);
  const more = checkpoints.passive();
  expect(more.done).toBeGreaterThan(done);
  expect(more.done).toBeLessThan(more.log);
  expect(check().damaged).not.toEqual([]);
  checkpoints.note();
  expect(check().damaged).toEqual([]);
  reader.exec('COMMIT');
  checkpoints.passive();
  expect(check()).toMatchObject({ damaged: [], unknown: [] });
});

it('notes what is copied before the log is begun anew, and does not take the next log for the one before', () => {
  add(500);
  expect(checkpoints.restart()).toMatchObject({ busy: false });
  add(1);
  // Nothing of this log is copied yet, and the rest of the file is that of the one before.
  checkpoints.note();
  expect(check()).toMatchObject({ damaged: [], unknown: [] });
  expect(checkpoints.passive().log).toBeLessThan(10);
  expect(check()).toMatchObject({ damaged: [], unknown: [] });
});

it('does not take a log that begins anew while it looks for the one before', () => {
  let between = () => {};
  // What happens between the checkpoint and the look at what it copied.
  const watched = new Proxy(own, {
    get: (db, name) =>
      name !== 'prepare'
        ? (db[name as 'pragma'] as (...args: unknown[]) => unknown).bind(db)
        : (sql: string) => ({
            get() {
              const row = db.prepare(sql).get();
              between();
              return row;
            },
          }),
  });
  checkpoints.close();
  checkpoints = notedCheckpoints(watched, file, 0);
  checkpoints.passive();
  // All is copied, so nobody keeps this from beginning the log anew.
  between = () => add(1);
  checkpoints.passive();
  between = () => {};
  writer.exec("UPDATE note SET text = 'y' WHERE id > 150");
  expect(checkpoints.passive()).toMatchObject({ busy: false });
  expect(check()).toMatchObject({ damaged: [], unknown: [] });
});
