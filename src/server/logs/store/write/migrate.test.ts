import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMigration } from './migrate.ts';
import { emptyFolder, recordsIn, writerOf } from '../store.fixture.ts';

/** A store of the first form with some lines. */
function firstForm(lines: number): string {
  const folder = emptyFolder();
  const db = new Database(join(folder, 'logs.db'));
  db.exec(
    'CREATE TABLE log (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, msg TEXT NOT NULL, level TEXT, job_id TEXT, task_id TEXT, worker_id TEXT, source TEXT, fields TEXT) STRICT',
  );
  const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, NULL, NULL, ?, ?)');
  db.transaction(() => {
    for (let i = 1; i <= lines; i++)
      insert.run(
        i,
        1_767_225_600_000_000 + i,
        `line ${i}`,
        i % 2 ? 'INFO' : null,
        'j-1',
        'test',
        i % 3 ? JSON.stringify({ n: i, tags: ['a'] }) : null,
      );
  })();
  db.close();
  return folder;
}

const change = (folder: string, sql: string) => {
  const db = new Database(join(folder, 'logs.db'));
  db.exec(sql);
  db.close();
};

it('moves the lines of the first form, each once, also over a kill in the middle', () => {
  const folder = firstForm(5000);
  const said: string[] = [];
  const first = writerOf(folder);
  const move = openMigration(folder, first, (line) => said.push(line));
  expect(move?.step()).toBe(true);
  move?.close();
  first.close();
  // As after a kill before the place was written down.
  change(folder, 'PRAGMA user_version = 0');
  const second = writerOf(folder);
  const again = openMigration(folder, second, (line) => said.push(line));
  while (again?.step());
  expect(second.stats().rows).toBe(5000);
  expect(existsSync(join(folder, 'logs.db'))).toBe(false);
  expect(openMigration(folder, second, () => {})).toBeNull();
  second.close();
  const { records } = recordsIn(folder);
  expect(records.slice(0, 3)).toEqual([
    {
      _time: '2026-01-01T00:00:00.000001Z',
      _msg: 'line 1',
      level: 'INFO',
      job_id: 'j-1',
      source: 'test',
      n: 1,
      tags: ['a'],
    },
    { _time: '2026-01-01T00:00:00.000002Z', _msg: 'line 2', job_id: 'j-1', source: 'test', n: 2, tags: ['a'] },
    { _time: '2026-01-01T00:00:00.000003Z', _msg: 'line 3', level: 'INFO', job_id: 'j-1', source: 'test' },
  ]);
  expect(records.map(({ _msg }) => _msg)).toEqual(Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`));
  expect(said[0]).toMatch(/moving the log lines of .*logs\.db, written by an older version/);
});
