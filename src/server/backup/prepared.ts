import { randomBytes } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';
import type { TakenBackup } from './port.ts';

/** How long a backup waits for whoever had it made; a page fetches it at once. */
const WAIT_MS = 5 * 60_000;

export interface PreparedBackups {
  /** Keeps a backup until it is fetched; returns its id, which nobody can guess. What is never fetched is removed. */
  hold(backup: TakenBackup): string;
  /** Hands one out, once. Throws BACKUP_EXPIRED, also for an id that was never one. */
  take(id: string): TakenBackup;
}

/** Backups that a page has made and whose file the browser itself downloads then, to the disk. */
export function createPreparedBackups(): PreparedBackups {
  const held = new Map<string, { backup: TakenBackup; timer: NodeJS.Timeout }>();
  return {
    hold(backup) {
      const id = randomBytes(24).toString('base64url');
      const timer = setTimeout(() => backup.stream.destroy(), WAIT_MS).unref();
      held.set(id, { backup, timer });
      // Also where the master ends.
      backup.stream.once('close', () => {
        clearTimeout(timer);
        held.delete(id);
      });
      return id;
    },
    take(id) {
      const found = held.get(id);
      if (!found || found.backup.stream.destroyed)
        throw new Fault(
          'BACKUP_EXPIRED',
          'this backup was downloaded already, or waited for too long: take another one',
        );
      clearTimeout(found.timer);
      held.delete(id);
      return found.backup;
    },
  };
}
