import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupHeader } from '../lib/backup-file.ts';
import { Fault } from '../lib/fault.ts';
import { DATABASE_PART } from './backup/copy-database.ts';
import { repairDatabase, type RepairReport } from './backup/repair.ts';
import { backupFolder, extractDatabase, restoreBackup } from './backup/restore.ts';
import { createDamageRegistry } from './observability/damage.ts';
import { keepFilesPrivate } from './startup/private-folder.ts';
import { lockDataFolder } from './startup/lock.ts';
import { migrations } from './store/sqlite/migrate.ts';
import type { StoreCopyChoices, StoreCopyReport } from './store-copy.ts';
import { verifyData, type VerifiedData } from './verify-data.ts';

/** A backup of a data folder that no master uses: `yardmaster backup` while the master is down. */
export async function backupLocal(folder: string, file: string): Promise<BackupHeader> {
  keepFilesPrivate();
  if (!existsSync(join(folder, 'yardmaster.db')))
    throw new Fault(
      'MASTER_NOT_FOUND',
      `no master runs on data folder ${folder}, and the folder contains no database: set another folder with --data, or a master with --url and --token`,
    );
  const lock = lockDataFolder(folder);
  try {
    return await backupFolder(folder, file, new Date().toISOString());
  } finally {
    lock.release();
  }
}

/** The audit log while the master is down: `yardmaster audit`. */
export { openOfflineAudit as openAuditLocal } from './access/offline-audit.ts';

/** A data folder from a backup: `yardmaster restore`. */
export function restoreLocal(file: string, folder: string): Promise<BackupHeader> {
  keepFilesPrivate();
  return restoreBackup(file, folder, migrations.at(-1)?.number ?? 0);
}

/** The state of a single master into PostgreSQL, or back: `yardmaster store copy`. */
export async function copyStoreLocal(of: StoreCopyChoices, log: (line: string) => void): Promise<StoreCopyReport> {
  keepFilesPrivate();
  const { copyStore } = await import('./store-copy.ts');
  return copyStore(of, migrations.at(-1)?.number ?? 0, log);
}

/** Reads the database of a data folder that no master uses, and (`deep`) every byte of all else: `yardmaster doctor` while the master is down. */
export function verifyLocal(folder: string, deep: boolean): Promise<VerifiedData> {
  return withFolder(folder, () => verifyData(folder, deep));
}

/**
 * Restores what it can of a data folder that no master uses: `yardmaster repair`. `from`: a backup, or the copy of a data
 * folder. `accept`: what cannot be restored, and is not refused by itself, is not listed any more.
 */
export function repairLocal(folder: string, from: string | null, accept: boolean): Promise<Omit<RepairReport, 'gone'>> {
  return withFolder(folder, async () => {
    const now = Date.now();
    const source = from === null ? null : await sourceOf(from, folder);
    try {
      const { gone, ...report } = repairDatabase(folder, source?.file ?? null, now, accept);
      const damage = createDamageRegistry({ file: join(folder, 'damage.json'), now: () => now, log() {} });
      // What was restored is damaged no more; what was not is found again, or stands in `gone`.
      damage.forget('database', DATABASE_PART);
      if (accept) damage.forget('database', `${DATABASE_PART}-wal`);
      else for (const one of gone) damage.report(one);
      return report;
    } finally {
      source?.close();
    }
  });
}

async function sourceOf(from: string, folder: string): Promise<{ file: string; close(): void }> {
  const inFolder = join(from, DATABASE_PART);
  if (existsSync(inFolder)) return { file: inFolder, close() {} };
  const file = join(folder, `repair-source-${process.pid}.db`);
  await extractDatabase(from, file);
  return { file, close: () => rmSync(file, { force: true }) };
}

async function withFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (!existsSync(join(folder, DATABASE_PART)))
    throw new Fault(
      'MASTER_NOT_FOUND',
      `data folder ${folder} contains no database: choose another folder with --data`,
    );
  const lock = lockDataFolder(folder);
  try {
    return await run();
  } finally {
    lock.release();
  }
}
