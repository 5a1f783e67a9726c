import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { FoundDamage } from '../../observability/port.ts';
import { DATABASE_FILE, registerWhole } from '../whole.ts';
import { openPageSums, sumsFile } from './page-sums.ts';
import { pageBytesOf, type WalState } from './wal.ts';

/** More than this share of the pages: the file is another one, and its sums are of the one before. */
const REPLACED_SHARE = 0.5;
const REPLACED_PAGES = 8;
const NO_PAGES: ReadonlySet<number> = new Set();

/**
 * Holds the pages of a database that nobody has open against their sums, but for those that its log holds too. Sums that
 * cannot be believed are forgotten: those of a file that was replaced, or whose log somebody else has copied in. Pages
 * that are not what was written; null: nothing could be held against anything. `most`: bytes of the file that are read.
 */
export function checkPages(file: string, wal: WalState | null, most = Number.POSITIVE_INFINITY): number[] | null {
  if (!existsSync(sumsFile(file))) return null;
  if (!existsSync(file) || statSync(file).size === 0) {
    // They are of a database that is gone.
    rmSync(sumsFile(file));
    return null;
  }
  const sums = openPageSums(file, pageBytesOf(file));
  try {
    const { state } = sums;
    if (state === null || (state.state === 'open' && !isOfLog(state.salts, wal))) {
      sums.forget();
      return null;
    }
    const pages = Math.floor(Math.min(statSync(file).size, most) / pageBytesOf(file));
    const { damaged, unknown } = sums.check(1, pages, wal?.pages ?? NO_PAGES);
    if (damaged.length >= REPLACED_PAGES && damaged.length > (pages - unknown.length) * REPLACED_SHARE) {
      sums.forget();
      return null;
    }
    return damaged;
  } finally {
    sums.close();
  }
}

/** The log from which the sums came last, or the one after it: SQLite counts them. */
function isOfLog(salts: Buffer, wal: WalState | null): boolean {
  if (wal === null) return false;
  const [before, now] = [salts.readUInt32BE(0), wal.salts.readUInt32BE(0)];
  return salts.equals(wal.salts) || now === (before + 1) >>> 0 || salts.equals(Buffer.alloc(8));
}

/** What damaged pages hold, as far as the database can still tell. */
export interface DamagedPages {
  /** As it is listed. */
  readonly damages: FoundDamage[];
  /** Pages whose damage may be that of a text with a checksum, which is refused by itself. */
  readonly ofTexts: ReadonlySet<number>;
  /** Rows that may be wrong, by the name of their table and their row ids. */
  readonly rows: ReadonlyMap<string, ReadonlySet<number>>;
}

export function inspectPages(db: Database.Database, file: string, pages: readonly number[]): DamagedPages {
  const owners = pages.length === 0 ? new Map<number, string>() : ownersOf(db, pages);
  const rows = new Map<string, Set<number>>();
  const ofTexts = new Set<number>();
  for (const [page, owner] of owners) {
    const onPage = rowsOnPage(file, page);
    // Where a text on the page does not check, that is what is damaged.
    if (owner === 'payload' || hasDamagedText(db, owner, onPage)) {
      ofTexts.add(page);
      continue;
    }
    const known = rows.get(owner) ?? new Set();
    for (const row of onPage) known.add(row);
    rows.set(owner, known);
  }
  return {
    rows,
    ofTexts,
    damages: pages.map((page) => {
      const owner = owners.get(page);
      return {
        part: 'database',
        file: DATABASE_FILE,
        place: `page ${page}`,
        what: `page ${page}${owner === undefined ? '' : ` of ${owner}`} is not what was written: rows on it may be wrong or missing`,
        from: null,
        to: null,
        lost: null,
        // Once something is written to the page, its sum says no more that it was damaged.
        keep: true,
      };
    }),
  };
}

function ownersOf(db: Database.Database, pages: readonly number[]): Map<number, string> {
  const owners = new Map<number, string>();
  try {
    for (const { pageno, name } of db
      .prepare<[string], { pageno: number; name: string }>(
        'SELECT pageno, name FROM dbstat WHERE pageno IN (SELECT value FROM json_each(?))',
      )
      .iterate(JSON.stringify(pages)))
      owners.set(pageno, name);
  } catch {
    // The tree cannot be walked: the pages are named by their numbers.
  }
  return owners;
}

const isDamaged = (text: string) => `NOT is_whole(CAST(${text} AS BLOB), ${text}_sum) AND ${text}_sum IS NOT NULL`;
const WITH_DAMAGED_TEXT: Readonly<Record<string, string>> = {
  task: `SELECT 1 FROM task WHERE seq IN (SELECT value FROM json_each(?)) AND (input IS NOT NULL AND ${isDamaged('input')} OR output IS NOT NULL AND ${isDamaged('output')})`,
  job: `SELECT 1 FROM job WHERE seq IN (SELECT value FROM json_each(?)) AND output IS NOT NULL AND ${isDamaged('output')}`,
};

function hasDamagedText(db: Database.Database, table: string, rows: readonly number[]): boolean {
  const sql = WITH_DAMAGED_TEXT[table];
  if (sql === undefined) return false;
  try {
    registerWhole(db);
    return db.prepare(sql).get(JSON.stringify(rows)) !== undefined;
  } catch {
    // An earlier version has no sums, and a damaged page may not be readable at all.
    return false;
  }
}

const TABLE_LEAF = 0x0d;

/** Row ids on a page that is a leaf of a table (https://sqlite.org/fileformat2.html#b_tree_pages). */
function rowsOnPage(file: string, page: number): number[] {
  const pageBytes = pageBytesOf(file);
  const bytes = Buffer.alloc(pageBytes);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, bytes, 0, pageBytes, (page - 1) * pageBytes);
  } finally {
    closeSync(fd);
  }
  if (bytes[0] !== TABLE_LEAF) return [];
  const cells = Math.min(bytes.readUInt16BE(3), (pageBytes - 8) >> 1);
  return Array.from({ length: cells }, (_, i) => {
    const [, row] = varint(bytes, bytes.readUInt16BE(8 + 2 * i));
    return varint(bytes, row)[0];
  });
}

/** A number of SQLite's, and where the next begins. */
function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + i + 1];
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9];
}
