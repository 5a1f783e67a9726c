import { itemAt } from '../../lib/item-at.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { checkBackup, headerBytes, partOf, type BackupHeader } from '../../lib/backup-file.ts';
import { Fault } from '../../lib/fault.ts';
import { makeFolder } from '../../lib/folders.ts';
import { fsyncPath } from '../../lib/fsync-path.ts';
import { copyDatabase, DATABASE_PART, inspectDatabase } from './copy-database.ts';

/**
 * Makes a data folder of a backup: the whole file is checked, then unpacked beside the folder, checked again by SQLite,
 * and put in its place by one rename. What goes wrong leaves nothing behind.
 *
 * @param folder missing or empty
 * @param newest the newest schema that this program knows
 */
export async function restoreBackup(file: string, folder: string, newest: number): Promise<BackupHeader> {
  const target = resolve(folder);
  if (existsSync(target) && !isEmpty(target))
    throw new Fault(
      'FOLDER_NOT_EMPTY',
      `${target} is not empty: choose a new or empty folder with --data, so that nothing is overwritten`,
    );
  const { header, offsets } = await checkBackup(file);
  const part = header.parts.findIndex(({ name }) => name === DATABASE_PART);
  if (part < 0) throw new Fault('BACKUP_INVALID', `${file} does not contain ${DATABASE_PART}`);
  if (header.schema > newest)
    throw new Fault(
      'SCHEMA_UNKNOWN',
      `${file} has database schema ${header.schema}, but this Yardmaster supports schemas up to ${newest}: restore it with version ${header.version} or newer`,
    );

  makeFolder(dirname(target));
  const half = `${target}.restoring-${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  try {
    mkdirSync(half, { mode: 0o700 });
    const database = join(half, DATABASE_PART);
    await pipeline(
      partOf(file, itemAt(offsets, part), header.parts[part]?.bytes ?? 0),
      createWriteStream(database, { mode: 0o600 }),
    );
    inspectDatabase(database);
    forgetArchive(database);
    fsyncPath(database);
    if (existsSync(target)) rmdirSync(target);
    renameSync(half, target);
    fsyncPath(dirname(target));
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error instanceof Fault
      ? error
      : new Fault(
          'RESTORE_FAILED',
          `could not write to ${target} (${errorCode(error) ?? errorMessage(error)}); nothing was changed`,
          { cause: error },
        );
  }
  return header;
}

/** The database of a backup, checked, as a file. Throws BACKUP_INVALID. */
export async function extractDatabase(backup: string, file: string): Promise<void> {
  const { header, offsets } = await checkBackup(backup);
  const part = header.parts.findIndex(({ name }) => name === DATABASE_PART);
  if (part < 0) throw new Fault('BACKUP_INVALID', `${backup} does not contain ${DATABASE_PART}`);
  await pipeline(
    partOf(backup, itemAt(offsets, part), header.parts[part]?.bytes ?? 0),
    createWriteStream(file, { mode: 0o600 }),
  );
}

/** A backup of a data folder that no master uses (the caller holds its lock), whole or not at all. */
export async function backupFolder(folder: string, file: string, createdAt: string): Promise<BackupHeader> {
  const source = join(folder, DATABASE_PART);
  if (!existsSync(source))
    throw new Fault(
      'FILE_UNREADABLE',
      `${folder} does not contain ${DATABASE_PART}: check that it is the data folder of a master`,
    );
  // In a folder of its own: nobody else who may write beside the file can have put a link there.
  const work = mkdtempSync(`${resolve(file)}.partial-`);
  const copy = join(work, DATABASE_PART);
  const half = join(work, 'backup');
  try {
    const header = copyDatabase(source, copy, createdAt);
    const out = createWriteStream(half, { mode: 0o600 });
    await new Promise<void>((done, failed) =>
      out.write(headerBytes(header), (error) => (error ? failed(error) : done())),
    );
    await pipeline(partOf(copy, 0, header.parts[0]?.bytes ?? 0), out);
    await checkBackup(half);
    fsyncPath(half);
    renameSync(half, file);
    return header;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * How much of the archive files is valid was so when the backup was taken. Those that are copied to the restored folder may
 * hold more, and of jobs that the backup does not have: none of it may be written over.
 */
function forgetArchive(file: string): void {
  const db = new Database(file);
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'archive_file'").get())
      db.exec('DELETE FROM archive_file');
  } finally {
    db.close();
  }
}

const isEmpty = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    throw new Fault('RESTORE_FAILED', `could not read folder ${folder} (${errorCode(error)})`, {
      cause: error,
    });
  }
};
