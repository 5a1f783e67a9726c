import type Database from 'better-sqlite3';
import type { FoundDamage } from '../../observability/port.ts';
import { DATABASE_FILE } from '../whole.ts';

const MOST = 20;

/** What SQLite finds wrong with a table and its indexes (null: with the whole database, or with its list of tables). */
export function checkStructure(db: Database.Database, table: string | null): FoundDamage[] {
  let faults: string[];
  try {
    faults = db
      .prepare<[], string>(table === null ? `PRAGMA integrity_check(${MOST})` : `PRAGMA integrity_check("${table}")`)
      .pluck()
      .all();
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  if (faults.length === 1 && faults[0] === 'ok') return [];
  return faults.slice(0, MOST).map((fault) => ({
    part: 'database',
    file: DATABASE_FILE,
    place: `structure ${fault}`,
    what: `${table === null ? 'the database' : `table ${table}`} is damaged (${fault}): rows may be missing or wrong`,
    from: null,
    to: null,
    lost: null,
  }));
}
