import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { Fault } from '../../../lib/fault.ts';
import schema from './schema.sql?raw';

const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });

/** Numbered, named, one file each, forward only. */
export const migrations = Object.entries(files)
  .map(([path, sql]) => {
    const [, number, name] = /(\d{4})-([a-z0-9-]+)\.sql$/.exec(path) ?? [];
    if (number === undefined || name === undefined) throw new Error(`not a migration: ${path}`);
    return { number: Number(number), name, sql };
  })
  .sort((a, b) => a.number - b.number);

/**
 * Brings the schema up to date. A schema newer than this program is refused; before a change a copy is taken beside the file. Each
 * migration is a transaction. A new database gets what they all come to (`schema.sql`) at once: to run them takes seven times as long.
 * `fresh`: in place of `schema.sql`, for tests.
 */
export function migrate(db: Database.Database, file: string, fresh: string = schema): void {
  const version = (): number => Number(db.pragma('user_version', { simple: true }));
  const current = version();
  const newest = migrations.at(-1)?.number ?? 0;
  if (current > newest)
    throw new Fault(
      'SCHEMA_UNKNOWN',
      `the database ${file} has schema ${current}, but this Yardmaster supports schemas up to ${newest}: start the newer version that wrote it`,
    );
  if (current === 0) db.transaction(() => void db.exec(fresh))();
  // Also of a new database: it has what `schema.sql` says, which may have been left behind by the newest migration.
  const made = version();
  const due = migrations.filter((m) => m.number > made);
  if (due.length === 0) return;
  if (current > 0) {
    db.prepare('VACUUM INTO ?').run(`${file}.before-${newest}-${Date.now()}`);
    dropOldCopies(file);
  }
  for (const { number, sql } of due)
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${number}`);
    })();
}

/** Copies that are kept; older ones are of versions that nobody goes back to. */
const COPIES = 2;

function dropOldCopies(file: string): void {
  const prefix = `${basename(file)}.before-`;
  const timeOf = (name: string) => Number(name.slice(name.lastIndexOf('-') + 1));
  const copies = readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => timeOf(b) - timeOf(a));
  for (const name of copies.slice(COPIES)) rmSync(join(dirname(file), name), { force: true });
}
