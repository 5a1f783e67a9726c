import { join } from 'node:path';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import type { Store } from '../store/port.ts';
import { freshDatabase } from '../testing/postgres.fixture.ts';
import { journaledStore, type JournaledStore, type JournaledStoreOptions } from './journal/journaled-store.ts';
import type { JournalDatabase } from './journal/port.ts';
import { joinCluster } from './postgres/join-cluster.ts';
import { configOf } from './postgres/store-url.ts';
import { openJournalDatabase } from './postgres/journal-database.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { dialPostgres } from './postgres/dial-postgres.ts';
import { copyInThread } from './replica/copy-in-thread.ts';
import type { ReplicaPosition } from './replica/apply-turns.ts';
import { openReplica, type Replica } from './replica/replica.ts';
import { systemTime, type ClusterTime } from './time.ts';

/** An owner's own lease ends ten times as late: where much else runs, a test may stand still for seconds. */
function patientTime(): ClusterTime {
  const time = systemTime();
  return { ...time, elapsed: () => time.elapsed() / 10 };
}

/** A database of its own with the tables of a cluster, and masters on it without anything around them. */
export async function startJournal() {
  const { url, drop } = await freshDatabase();
  const clusterId = await joinCluster(url, 'a key', null);
  const closing: (() => unknown)[] = [];
  const log: string[] = [];

  const connect = (to = url): JournalDatabase => {
    const database = openJournalDatabase(dialPostgres(configOf(to)), systemTime(), 0);
    closing.push(() => database.close());
    return database;
  };

  return {
    url,
    clusterId,
    log,
    connect,
    file: () => join(temporaryFolder('ym-journal'), 'yardmaster.db'),
    async follow(file: string, database = connect()): Promise<Replica> {
      const replica = await openReplica({
        ...{ copy: copyInThread(file), database },
        log: (line) => void log.push(line),
        diverged: () => void log.push('diverged'),
      });
      closing.push(() => replica.close());
      return replica;
    },
    /** Takes the partition over, whoever owns it, and opens the store on this file. */
    async own(
      owner: string,
      file: string,
      database = connect(),
      appends: NonNullable<JournaledStoreOptions['appends']> = {},
    ): Promise<OwnedStore> {
      const time = patientTime();
      const since = time.elapsed();
      const epoch = await database.takeOver(owner, `http://${owner}`, await database.look(), 'start');
      if (epoch === null) throw new Error('somebody was quicker');
      const replica = await openReplica({ copy: copyInThread(file), database, log: (line) => void log.push(line) });
      const { position } = replica;
      await replica.close();
      let deposed = false;
      const journaled = journaledStore({
        ...{ openStore: (given) => openSqlite({ file, ...given }), database, owner, epoch, since, position, time },
        limits: { entryBytes: 1024 * 1024, pendingBytes: 8 * 1024 * 1024, checkTurns: 16 },
        onDeposed: () => (deposed = true),
        onTrouble: (message) => void log.push(message),
        measured: () => {},
        appends,
      });
      const store = journaled.open();
      let closed: Promise<void> | null = null;
      const close = (): Promise<void> => {
        journaled.ownership.stop();
        return (closed ??= store.close());
      };
      closing.push(close);
      return { ...journaled, store, epoch, position, close, isDeposed: () => deposed };
    },
    async close() {
      for (const one of closing.reverse()) await one();
      await drop();
    },
  };
}
export type JournalRig = Awaited<ReturnType<typeof startJournal>>;

export interface OwnedStore extends JournaledStore {
  readonly store: Store;
  readonly epoch: number;
  /** What it found in the journal. */
  readonly position: ReplicaPosition | null;
  close(): Promise<void>;
  isDeposed(): boolean;
}
