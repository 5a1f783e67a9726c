import { rmSync } from 'node:fs';
import type { Cluster, MasterRole } from '../../../contract/cluster.ts';
import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import { errorMessage } from '../../../lib/errors.ts';
import type { JournalDatabase } from '../journal/port.ts';
import type { Dial } from '../postgres/connection.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import type { ClusterTime } from '../time.ts';
import { projectionTables } from './projection-tables.ts';
import { startProjector } from './projector.ts';
import { createTransactions } from './transactions.ts';

/** The projection as the rest of a master sees it. */
export interface Projection {
  /** Null: there is none, and this master would not write one. Never rejects. */
  status(): Promise<NonNullable<Cluster['projection']> | null>;
  /** Throws NO_PROJECTION. */
  rebuild(): Promise<void>;
  /** Throws NO_PROJECTION, PROJECTION_IN_USE. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param file of the working copy that follows the journal for it; removed where this master does not write
 * @param extras null: this master does not write it
 */
export function openProjection(given: {
  readonly id: string;
  readonly file: string;
  readonly extras: readonly ProjectionExtra[] | null;
  readonly dial: Dial;
  readonly database: JournalDatabase;
  readonly role: () => MasterRole;
  readonly time: ClusterTime;
  /** How large an entry of the journal may be before compression. */
  readonly entryBytes: number;
  log(line: string): void;
}): Projection {
  const { file, extras, dial, time, log } = given;
  // Commands and views do not wait behind a batch.
  const asked = createTransactions(dial, time);
  const written = createTransactions(dial, time);
  const tables = projectionTables(asked, log);
  if (extras === null) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const projector =
    extras === null
      ? null
      : startProjector({
          ...{ id: given.id, database: given.database, role: given.role, time, log, extras },
          openCopy: () => copyInThread(file, true, given.entryBytes),
          tables: projectionTables(written, log),
        });

  return {
    async status() {
      try {
        const found = await tables.status();
        if (found !== null)
          return {
            master: found.holder,
            seq: found.turn,
            complete: found.turn > 0,
            lagMs: found.lagMs,
            extras: found.extras === '' ? [] : found.extras.split(','),
            writtenAt: found.writtenAt,
            trouble: found.trouble ?? (found.holder === null ? 'no master writes it' : null),
          };
      } catch (error) {
        return { ...NOTHING, trouble: errorMessage(error) };
      }
      return projector && { ...NOTHING, trouble: projector.trouble };
    },
    rebuild: () => tables.rebuild(),
    drop: () => tables.drop(),
    async close() {
      await projector?.close();
      await Promise.all([asked.close(), written.close()]);
    },
  };
}

const NOTHING = { master: null, seq: 0, complete: false, lagMs: 0, extras: [], writtenAt: null };
