export interface SnapshotRule {
  /** A restore reads at most about so much of the journal behind the snapshot. */
  readonly journalBytes: number;
  readonly lookMs: number;
}
export const SNAPSHOT_LOOK_MS = 10_000;
