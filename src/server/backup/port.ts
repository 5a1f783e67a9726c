import type { Readable } from 'node:stream';
import type { BackupHeader } from '../../lib/backup-file.ts';
import type { Actor } from '../workflows/port.ts';

export interface TakenBackup {
  readonly header: BackupHeader;
  readonly bytes: number;
  /** The whole file. What it is read from is removed once it was read or is destroyed. */
  readonly stream: Readable;
}

/** Backups of the master's state, taken while it works. */
export interface Backups {
  /** One at a time: throws BACKUP_RUNNING. */
  take(actor: Actor): Promise<TakenBackup>;
  close(): Promise<void>;
}
