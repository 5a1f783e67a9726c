/**
 * The database that several masters share, as the code of ownership and journal sees it. Everything is one statement
 * each, so that it holds behind a pooler that gives a connection away after each transaction. Times are those of the
 * database: the clocks of the masters decide nothing.
 */
import type { Cluster, FailoverReason, MasterRole } from '../../../contract/cluster.ts';

/** The turns of one append, from `first` to `last`. Turns are numbered over all epochs; (epoch, turn) names one for ever. */
export interface JournalEntry {
  readonly first: number;
  readonly last: number;
  readonly epoch: number;
  readonly body: Uint8Array;
}

/** What a working copy holds: all turns up to this one. */
export interface Position {
  readonly epoch: number;
  readonly turn: number;
}

/** The partition as it stands, seen by a master that may want it. */
export interface OwnershipState {
  readonly epoch: number;
  /** Null: nobody has owned it yet. */
  readonly owner: string | null;
  readonly ownerUrl: string | null;
  /** The lease has run out. */
  readonly expired: boolean;
  /** When the owner last renewed, as the database writes it: another text is another renewal. */
  readonly renewedAt: string;
  /** The connection that it last renewed over is there no more. */
  readonly gone: boolean;
  readonly handoverTo: string | null;
  /** The last turn that the journal has, or a snapshot instead of it; 0: there is none. */
  readonly last: number;
}

export interface MasterRow {
  readonly id: string;
  readonly url: string;
  readonly role: MasterRole;
  readonly version: string;
  readonly seq: number;
  readonly lagMs: number;
  readonly startedAt: number;
}

export type ClusterRows = Omit<Cluster, 'mode'> & { readonly now: string };

export interface NamedStatement {
  readonly hash: string;
  readonly text: string;
}

export interface SnapshotInfo extends Position {
  readonly id: number;
  readonly schema: number;
  readonly bytes: number;
  readonly chunks: number;
}

export interface JournalDatabase {
  /**
   * Appends, if `owner` still owns the partition under the entry's epoch; false: it does not. Rejects where it is not known
   * whether it was appended, or where another entry stands there.
   */
  append(owner: string, entry: JournalEntry): Promise<boolean>;
  /** The epoch of the entry that begins with this turn; null: there is none. */
  epochAt(first: number): Promise<number | null>;
  /** Names statements for all who read the journal. */
  nameStatements(statements: readonly NamedStatement[]): Promise<void>;
  /** Puts these right where they are missing or others; gives the hashes of those. */
  restoreStatements(statements: readonly NamedStatement[]): Promise<string[]>;
  statements(hashes: readonly string[]): Promise<NamedStatement[]>;
  /** Entries that hold turns after this one, in order, at most about `bytes` of them; with the age of each in milliseconds. */
  entriesAfter(turn: number, bytes: number): Promise<(JournalEntry & { readonly ageMs: number })[]>;
  /** What the journal lacks behind the newest snapshot (its turn; 0: there is none), and how far it goes; the first 20 gaps. */
  gaps(): Promise<{
    readonly snapshot: number;
    readonly last: number;
    readonly gaps: readonly { readonly from: number; readonly to: number }[];
  }>;
  /** What the entries that begin with these turns, or between them, come to (journal-sums.ts), and the newest snapshot's turn. */
  sumOfEntries(
    from: number,
    to: number,
  ): Promise<{ readonly snapshot: number; readonly entries: number; readonly sum: string | null }>;
  /** The entry that holds this turn. */
  entryWith(turn: number): Promise<Pick<JournalEntry, 'first' | 'last' | 'epoch'> | null>;

  look(): Promise<OwnershipState>;
  /** Prolongs the lease; false: this master owns it no more under this epoch. */
  renew(owner: string, epoch: number): Promise<boolean>;
  /**
   * Takes the partition over from the state that was seen, with the next epoch, which it gives; null: somebody was quicker,
   * or the owner has renewed since. Waits for appends under way.
   */
  takeOver(owner: string, url: string, seen: OwnershipState, reason: FailoverReason): Promise<number | null>;
  /** Lets another master have it: the owner has appended its last entry. */
  offer(owner: string, epoch: number, to: string): Promise<boolean>;
  /** The new owner serves: ends the gap that the failover's record shows. */
  served(epoch: number): Promise<void>;

  /** Says how this master is; gives the addresses of the others that were heard of within the last minute. */
  report(row: MasterRow): Promise<string[]>;
  /** A master that ends leaves no row behind. */
  leave(id: string): Promise<void>;
  /** `now` is the database's time, as those within. */
  view(): Promise<ClusterRows>;

  /** Who else may change what is kept here, each with the SQL that puts it right. */
  warnings(): Promise<string[]>;

  /** The whole ones, newest first. */
  snapshots(): Promise<SnapshotInfo[]>;
  snapshotChunk(id: number, index: number): Promise<Uint8Array>;
  /** What was noted of a snapshot whose chunks lie elsewhere, to know them by; null: nothing, as of one of an earlier version. */
  snapshotSums(id: number): Promise<Uint8Array | null>;
  putSnapshotSums(id: number, sums: Uint8Array): Promise<void>;
  beginSnapshot(at: Position, schema: number, by: string): Promise<number>;
  putSnapshotChunk(id: number, index: number, body: Uint8Array): Promise<void>;
  endSnapshot(id: number, bytes: number, chunks: number): Promise<void>;
  /** Of all snapshots that there are, and of those under way. */
  snapshotIds(): Promise<number[]>;
  /** Bytes of the journal after the newest snapshot. */
  bytesAfterSnapshot(): Promise<number>;
  /** Drops all snapshots but the newest `keep`, and, once there are so many, the entries that the oldest of those holds. */
  trim(keep: number): Promise<void>;
  close(): Promise<void>;
}
