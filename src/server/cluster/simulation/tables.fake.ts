import type { MasterRole, FailoverReason } from '../../../contract/cluster.ts';

export interface EntryRow {
  readonly first: number;
  readonly last: number;
  readonly epoch: number;
  readonly body: Uint8Array;
  readonly at: number;
}
export interface SnapshotRow {
  readonly id: number;
  readonly epoch: number;
  readonly turn: number;
  readonly schema: number;
  readonly by: string;
  readonly at: number;
  bytes: number | null;
  chunks: number | null;
  readonly bodies: Map<number, Uint8Array>;
}
export interface FailoverRow {
  readonly epoch: number;
  readonly at: number;
  readonly from: string | null;
  readonly to: string;
  readonly reason: FailoverReason;
}

/** What is committed in the cluster's tables, for partition 0; times by the database's clock. */
export interface Tables {
  readonly partition: {
    epoch: number;
    owner: string | null;
    ownerUrl: string | null;
    leaseUntil: number;
    renewedAt: number;
    backendPid: number | null;
    backendStart: number | null;
    handoverTo: string | null;
  };
  /** In order of their first turn. */
  entries: EntryRow[];
  readonly statements: Map<string, string>;
  snapshots: SnapshotRow[];
  nextSnapshot: number;
  readonly masters: Map<string, { role: MasterRole; url: string; seq: number; lagMs: number; lastSeenAt: number }>;
  readonly failovers: FailoverRow[];
  /** pg_stat_activity: since when, by process. */
  readonly backends: Map<number, number>;
  /** Hears of each entry as it is committed. */
  appended(entry: EntryRow, owner: string): void;
  tookOver(row: FailoverRow): void;
  snapshotTaken(row: SnapshotRow): void;
}

export const emptyTables = (heard: Pick<Tables, 'appended' | 'tookOver' | 'snapshotTaken'>): Tables => ({
  partition: {
    epoch: 0,
    owner: null,
    ownerUrl: null,
    leaseUntil: 0,
    renewedAt: 0,
    backendPid: null,
    backendStart: null,
    handoverTo: null,
  },
  entries: [],
  statements: new Map(),
  snapshots: [],
  nextSnapshot: 1,
  masters: new Map(),
  failovers: [],
  backends: new Map(),
  ...heard,
});
