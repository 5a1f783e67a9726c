import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import type { BackupHeader } from '../lib/backup-file.ts';
import { Fault } from '../lib/fault.ts';
import { buildMaster } from './index.ts';
import { backupFolder, restoreBackup } from './backup/restore.ts';
import { lockDataFolder } from './startup/lock.ts';
import { migrations } from './store/sqlite/migrate.ts';

/** Starts a master in this process. Throws a `Fault` with the remedy. */
export async function startMaster(options: MasterOptions): Promise<RunningMaster> {
  if (options.store !== 'sqlite')
    throw new Fault(
      'USAGE',
      `--store ${options.store.split(':')[0]} is not supported: this version supports only sqlite`,
    );
  const folder = dirname(fileURLToPath(import.meta.url));
  const page = join(folder, '..', 'renderer');
  return buildMaster(options, {
    cli: join(folder, 'cli.js'),
    consoleFolder: existsSync(join(page, 'index.html')) ? page : null,
  });
}

/** A backup of a data folder that no master uses: `yardmaster backup` while the master is down. */
export async function backupLocal(folder: string, file: string): Promise<BackupHeader> {
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

/** A data folder from a backup: `yardmaster restore`. */
export function restoreLocal(file: string, folder: string): Promise<BackupHeader> {
  return restoreBackup(file, folder, migrations.at(-1)?.number ?? 0);
}
