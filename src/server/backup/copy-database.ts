import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { BACKUP_FORMAT, type BackupHeader } from '../../lib/backup-file.ts';
import { Fault } from '../../lib/fault.ts';
import { VERSION } from '../../contract/version.ts';

export const DATABASE_PART = 'yardmaster.db';

/**
 * Copies the database as it is at this moment into a new file, while its writer goes on, and checks the copy. Returns
 * what stands before it in a backup. Takes as long as reading the database twice: it belongs into a thread.
 */
export function copyDatabase(source: string, target: string, createdAt: string): BackupHeader {
  let db = new Database(source, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    if (db.pragma('auto_vacuum', { simple: true }) === 0) {
      // Restored, the file of an older version gives space back. Asking for it takes a handle that may write; nothing is written.
      db.close();
      db = new Database(source, { fileMustExist: true, timeout: 5000 });
      db.pragma('auto_vacuum = INCREMENTAL');
    }
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
  const { schema, counts, secrets } = inspectDatabase(target);
  const { bytes, sha256 } = digest(target);
  return {
    format: BACKUP_FORMAT,
    version: VERSION,
    schema,
    createdAt,
    parts: [{ name: DATABASE_PART, bytes, sha256 }],
    counts,
    secrets,
  };
}

/** What a database holds. Throws `BACKUP_FAILED` where SQLite finds a fault in it. */
export function inspectDatabase(file: string): Pick<BackupHeader, 'schema' | 'counts' | 'secrets'> {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const faults = db.prepare<[], { integrity_check: string }>('PRAGMA integrity_check(5)').all();
    if (faults.length !== 1 || faults[0]?.integrity_check !== 'ok')
      throw new Fault(
        'BACKUP_FAILED',
        `the database is damaged: ${faults.map((row) => row.integrity_check).join('; ')}`,
      );
    const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    const has = (table: string) =>
      db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined;
    return {
      schema: Number(db.pragma('user_version', { simple: true })),
      counts: { workflows: count('workflow'), versions: count('version'), jobs: count('job'), tasks: count('task') },
      secrets: has('secret')
        ? {
            count: count('secret'),
            keyIds: db.prepare<[], string>('SELECT DISTINCT key_id FROM secret ORDER BY 1').pluck().all(),
          }
        : { count: 0, keyIds: [] },
    };
  } finally {
    db.close();
  }
}

const CHUNK = 1024 * 1024;

function digest(file: string): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const opened = openSync(file, 'r');
  let bytes = 0;
  try {
    for (let read = readSync(opened, chunk, 0, CHUNK, null); read > 0; read = readSync(opened, chunk, 0, CHUNK, null)) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(opened);
  }
  return { bytes, sha256: hash.digest('hex') };
}
