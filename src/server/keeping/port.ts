import type { Readable } from 'node:stream';
import type { BackupHeader } from '../../lib/backup-file.ts';
import type { Actor } from '../workflows/port.ts';

export interface TakenBackup {
  readonly header: BackupHeader;
  readonly bytes: number;
  /** The whole file. What it is read from is removed once it was read or is destroyed. */
  readonly stream: Readable;
}

/** Looks after what grows: old entries, free space, backups. */
export interface Keeping {
  /** One at a time: throws BACKUP_RUNNING. */
  backup(actor: Actor): Promise<TakenBackup>;
  close(): Promise<void>;
}
