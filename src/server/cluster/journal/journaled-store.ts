import type { Store } from '../../store/port.ts';
import type { SqliteOptions } from '../../store/sqlite/open.ts';
import { holdOwnership, type Ownership } from '../ownership.ts';
import type { ReplicaPosition } from '../replica/apply-turns.ts';
import type { ClusterTime } from '../time.ts';
import { createAppender, type Appender, type AppenderOptions } from './appender.ts';
import type { JournalDatabase } from './port.ts';
import { createTurnRecorder } from './turn-recorder.ts';

/** The store of the owner: SQLite as working copy, every turn in the journal before anybody is told of it. */
export interface JournaledStore {
  readonly ownership: Ownership;
  readonly appender: Appender;
  /** `report`: told of damage that is found in the file. */
  open(report?: SqliteOptions['report']): Store;
}

/** Opens the working copy as the owner's store. */
export type OpenStore = (given: Pick<SqliteOptions, 'report' | 'durability' | 'sync' | 'recorder'>) => Store;

export interface JournaledStoreOptions {
  readonly openStore: OpenStore;
  readonly database: JournalDatabase;
  readonly owner: string;
  readonly epoch: number;
  /** When the takeover began, by `time`. */
  readonly since: number;
  /** What the working copy holds: everything that the journal has. */
  readonly position: ReplicaPosition | null;
  readonly time: ClusterTime;
  readonly limits: { readonly entryBytes: number; readonly pendingBytes: number; readonly checkTurns?: number };
  /** Another master owns the state: nothing of this one is kept any more. Called once. */
  onDeposed(): void;
  onTrouble(message: string): void;
  measured(ms: number): void;
  /** What the journal has by then, of this master. */
  readonly appends?: Pick<AppenderOptions, 'entryAppended' | 'statementsNamed'>;
}

export function journaledStore(options: JournaledStoreOptions): JournaledStore {
  const { database, owner, epoch, time } = options;
  let deposed = false;
  const depose = (): void => {
    if (deposed) return;
    deposed = true;
    ownership.stop();
    appender.depose();
    options.onDeposed();
  };
  const ownership = holdOwnership({
    database,
    owner,
    epoch,
    since: options.since,
    time,
    onDeposed: depose,
    onExpired: () => appender.giveUpWaiting(),
    onTrouble: options.onTrouble,
  });
  const appender = createAppender({
    database,
    owner,
    epoch,
    ownership,
    time,
    limits: options.limits,
    onDeposed: depose,
    onTrouble: options.onTrouble,
    measured: options.measured,
    ...options.appends,
  });
  const from = options.position ?? { epoch: 0, turn: 0, schema: 0 };
  return {
    ownership,
    appender,
    open: (report) =>
      options.openStore({
        ...(report ? { report } : {}),
        // What is acknowledged is in the journal; the working copy is made anew where it lacks something.
        durability: 'full',
        sync: () => appender,
        recorder: createTurnRecorder(epoch, from, (turn) => appender.take(turn), options.limits.checkTurns),
      }),
  };
}
