import { errorCode } from '../../lib/errors.ts';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../../lib/fault.ts';
import { makeFolder } from '../../lib/folders.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Makes the data folder and locks it for one master (or another process that keeps its state in one). The lock is SQLite's own lock on a small file: the system drops it
 * when the process dies, however it dies, so no stale lock can ever keep a master from starting.
 */
export function lockDataFolder(folder: string, what = 'master'): FolderLock {
  makeWritable(folder);
  const holder = join(folder, `${what}.pid`);
  const db = new Database(join(folder, `${what}.lock`), { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw new Fault(
      'DATA_FOLDER_LOCKED',
      `another ${what}${processOf(holder)} uses the data folder ${folder}: ${what === 'master' ? 'stop it, or set another folder with --data. "yardmaster doctor" shows its URL' : 'stop it, or set another folder with --queue'}`,
      { cause: error },
    );
  }
  const file = openSync(holder, 'w', 0o600);
  writeSync(file, `${process.pid}\n`);
  closeSync(file);
  return {
    release() {
      rmSync(holder, { force: true });
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

function makeWritable(folder: string): void {
  try {
    makeFolder(folder);
    const probe = join(folder, `.probe-${process.pid}`);
    closeSync(openSync(probe, 'w'));
    rmSync(probe);
  } catch (error) {
    throw new Fault(
      'DATA_FOLDER_UNUSABLE',
      `the data folder ${folder} is not writable (${errorCode(error) ?? error}): make it writable, or set another folder with --data`,
      { cause: error },
    );
  }
}

function processOf(holder: string): string {
  try {
    return ` (process ${readFileSync(holder, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
