import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Fault } from '../../lib/fault.ts';
import type { TakenBackup } from './port.ts';

/** How long a backup waits for whoever had it made; a page fetches it at once. */
const WAIT_MS = 5 * 60_000;

export interface PreparedBackups {
  /** Keeps a backup until its owner fetches it; returns its id, which nobody can guess. What is never fetched is removed. */
  hold(backup: TakenBackup, owner: string): string;
  /** Hands one out, once. Throws BACKUP_EXPIRED, also for an id that was never one. */
  take(id: string): TakenBackup;
  /**
   * Removes what the owner has had made and not fetched, so that it is not in the way of the next one; true where there was any.
   * Throws BACKUP_RUNNING where one waits for somebody else.
   */
  discard(owner: string): Promise<boolean>;
}

/** Backups that a page has made and whose file the browser itself downloads then, to the disk. */
export function createPreparedBackups(): PreparedBackups {
  const held = new Map<string, { backup: TakenBackup; owner: string; timer: NodeJS.Timeout }>();
  return {
    hold(backup, owner) {
      const id = randomBytes(24).toString('base64url');
      const timer = setTimeout(() => backup.stream.destroy(), WAIT_MS).unref();
      held.set(id, { backup, owner, timer });
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
    async discard(owner) {
      const waiting = [...held.values()].filter(({ backup }) => !backup.stream.closed);
      const own = waiting.filter((one) => one.owner === owner);
      if (own.length < waiting.length)
        throw new Fault(
          'BACKUP_RUNNING',
          'a backup that somebody else had made has not been downloaded yet: it is removed after 5 minutes at the latest, so try again then',
        );
      // The next one begins only where the copy is gone.
      await Promise.all(
        own.map(({ backup: { stream } }) => {
          const closed = once(stream, 'close');
          stream.destroy();
          return closed;
        }),
      );
      return own.length > 0;
    },
  };
}
