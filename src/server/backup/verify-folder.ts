import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { errorMessage } from '../../lib/errors.ts';
import type { FoundDamage } from '../observability/port.ts';
import { checkPages, inspectPages } from '../store/sqlite/check-pages.ts';
import { checkStructure } from '../store/sqlite/check-structure.ts';
import { describeWalDamage } from '../store/sqlite/check-wal.ts';
import { createRowCheck, type RowCursor } from '../store/sqlite/verify-rows.ts';
import { readWal } from '../store/sqlite/wal.ts';
import { DATABASE_PART } from './copy-database.ts';

/** Reads the whole database of a data folder that nobody uses, and its log first: SQLite would drop what does not check. Changes nothing. */
export function verifyDatabase(folder: string): { damages: FoundDamage[]; bytes: number } {
  const file = join(folder, DATABASE_PART);
  if (!existsSync(file)) return { damages: [], bytes: 0 };
  const log = readWal(file);
  const wal = log?.damage ?? null;
  if (wal !== null)
    return {
      damages: [
        damage(
          `${DATABASE_PART}-wal`,
          'wal',
          `the write-ahead log ${describeWalDamage(wal, existsSync(`${file}-wal`))}`,
        ),
      ],
      bytes: 0,
    };
  const pages = checkPages(file, log);
  let db: Database.Database;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
    db.pragma('schema_version');
  } catch (error) {
    return {
      damages: [damage(DATABASE_PART, 'file', `the database cannot be read (${errorMessage(error)})`)],
      bytes: 0,
    };
  }
  try {
    const damages = [...inspectPages(db, file, pages ?? []).damages, ...checkStructure(db, null)];
    const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
    try {
      const check = createRowCheck(db);
      for (let at: RowCursor | null | undefined; at !== null;) {
        const slice = check(at ?? null);
        damages.push(...slice.damages);
        at = slice.next;
      }
    } catch (error) {
      damages.push(damage(DATABASE_PART, 'rows', `the rows cannot all be read (${errorMessage(error)})`));
    }
    return { damages, bytes };
  } finally {
    db.close();
  }
}

const damage = (file: string, place: string, what: string): FoundDamage => ({
  part: 'database',
  ...{ file, place, what, from: null, to: null, lost: null },
});
