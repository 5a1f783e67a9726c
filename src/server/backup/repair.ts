import { constants, copyFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../../lib/fault.ts';
import type { FoundDamage } from '../observability/port.ts';
import { checkPages, inspectPages } from '../store/sqlite/check-pages.ts';
import { checkStructure } from '../store/sqlite/check-structure.ts';
import { describeWalDamage } from '../store/sqlite/check-wal.ts';
import { closeNoted } from '../store/sqlite/noted-checkpoint.ts';
import { repairPages } from '../store/sqlite/repair-pages.ts';
import { repairWal } from '../store/sqlite/repair-wal.ts';
import { createRowCheck, type DamagedText, type RowCursor } from '../store/sqlite/verify-rows.ts';
import { readWal } from '../store/sqlite/wal.ts';
import { DATABASE_PART } from './copy-database.ts';

export interface RepairReport {
  /** What is as it was written again. */
  readonly restored: string[];
  /** What is not, and stays refused. */
  readonly lost: string[];
  /** What is gone for good with this repair, to be remembered as damage. */
  readonly gone: FoundDamage[];
  /** Copies of the files as they were before anything was changed. */
  readonly kept: string[];
}

/**
 * Restores what it can of a data folder that nobody uses. The write-ahead log first, as nothing can be opened before it:
 * single flipped bits are put right, else what stands behind the damage is given up. Then pages, indexes, and each damaged text,
 * definition and commit, from another database (`source`: that of a backup) if it has one that is what the checksum
 * says. Before anything is changed, copies of the files are made beside them. `accept`: pages that cannot be restored are
 * taken as they are, and not listed again.
 */
export function repairDatabase(folder: string, source: string | null, now: number, accept = false): RepairReport {
  const file = join(folder, DATABASE_PART);
  if (!existsSync(file)) throw new Fault('FILE_UNREADABLE', `${folder} does not contain ${DATABASE_PART}`);
  const report: RepairReport = { restored: [], lost: [], gone: [], kept: [] };
  const keep = () => {
    if (report.kept.length > 0) return;
    for (const suffix of ['', '-wal', '-shm']) {
      if (!existsSync(file + suffix)) continue;
      const copy = `${file}${suffix}.damaged-${now}`;
      copyFileSync(file + suffix, copy, constants.COPYFILE_FICLONE);
      report.kept.push(basename(copy));
    }
  };
  if (readWal(file)?.damage) {
    keep();
    repairLog(file, report, now);
  }
  const pages = checkPages(file, readWal(file)) ?? [];
  if (pages.length > 0) keep();
  const left = repairPages(file, pages);
  if (left.length < pages.length)
    report.restored.push(`${DATABASE_PART}: ${pages.length - left.length} pages with one flipped bit each`);
  const db = open(file);
  try {
    repairStructure(db, keep, report);
    const inspected = inspectPages(db, file, left);
    const lostTexts = repairTexts(db, source, keep, report);
    for (const [i, page] of left.entries()) {
      const damage = inspected.damages[i];
      if (damage === undefined || (inspected.ofTexts.has(page) && lostTexts === 0)) continue;
      report.lost.push(damage.what);
      report.gone.push(damage);
    }
    closeNoted(db, file, accept ? left : []);
  } finally {
    db.close();
  }
  return report;
}

function repairLog(file: string, report: RepairReport, now: number): void {
  const log = `${basename(file)}-wal`;
  const { corrected, state } = repairWal(file);
  if (corrected > 0) report.restored.push(`${log}: ${corrected} flipped ${corrected === 1 ? 'bit' : 'bits'}`);
  const damage = state?.damage;
  if (!damage) return;
  const what = `the write-ahead log ${describeWalDamage(damage, existsSync(`${file}-wal`))}: these are lost`;
  report.lost.push(`${log}: ${what}`);
  report.gone.push({
    part: 'database',
    file: log,
    place: `wal ${now}`,
    what,
    from: null,
    to: now,
    lost: null,
    keep: true,
  });
}

function open(file: string): Database.Database {
  try {
    const db = new Database(file, { fileMustExist: true });
    db.pragma('schema_version');
    return db;
  } catch (error) {
    throw new Fault(
      'STORE_CORRUPT',
      `the database ${file} cannot be read (${error instanceof Error ? error.message : String(error)}): restore a backup into a new folder`,
      { cause: error },
    );
  }
}

/** Indexes are made of their tables again; what is wrong with a table stays. */
function repairStructure(db: Database.Database, keep: () => void, report: RepairReport): void {
  const before = checkStructure(db, null);
  if (before.length === 0) return;
  keep();
  try {
    db.exec('REINDEX');
  } catch {
    // The table itself cannot be read.
  }
  const after = checkStructure(db, null);
  const left = new Set(after.map(({ what }) => what));
  for (const { what } of before) if (!left.has(what)) report.restored.push(what);
  for (const { what } of after) report.lost.push(`${what}; restore a backup into a new folder`);
}

/** Returns how many texts are still damaged. */
function repairTexts(db: Database.Database, source: string | null, keep: () => void, report: RepairReport): number {
  const backup = source === null ? null : new Database(source, { readonly: true, fileMustExist: true });
  try {
    const check = createRowCheck(db);
    const damaged: DamagedText[] = [];
    for (let at: RowCursor | null | undefined; at !== null;) {
      const slice = check(at ?? null);
      damaged.push(...slice.texts);
      at = slice.next;
    }
    let lost = 0;
    for (const one of damaged) {
      const text = backup ? whole(backup, one) : null;
      if (text === null) {
        report.lost.push(`${one.what}${backup ? ': the backup does not have it either' : ''}`);
        lost++;
        continue;
      }
      keep();
      db.prepare(one.update).run(text, ...one.key);
      report.restored.push(one.what);
    }
    return lost;
  } finally {
    backup?.close();
  }
}

/** The text as the backup has it, where that is what was written; null: it is not there, or not that. */
function whole(backup: Database.Database, { select, key, matches }: DamagedText): string | Buffer | null {
  try {
    const found = backup.prepare<unknown[], { text: string | Buffer | null }>(select).get(...key)?.text ?? null;
    return found !== null && matches(found) ? found : null;
  } catch {
    // Its schema is of an earlier version, or it is damaged itself.
    return null;
  }
}
