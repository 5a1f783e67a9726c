import { ofMaster } from './limit.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Limits of masters that share PostgreSQL; a part of `limits.ts`. They hold before the state with its settings is open. */
export const CLUSTER_LIMITS = {
  /** How long a master that starts waits for a PostgreSQL that does not answer yet, in seconds. 0: not at all. */
  postgresWaitSeconds: ofMaster(60, 0, 86_400),
  /** How long a request waits for an owner of the state before it gets 503 `NO_OWNER`, in seconds; five times as long during a handover. */
  ownerWaitSeconds: ofMaster(4, 0.1, 60),
  /** How long a standby tries to connect to the owner for a request that it forwards, in seconds. */
  forwardConnectSeconds: ofMaster(1, 0.1, 60),
  /** How long a read at a standby waits for its working copy before it is left to the owner, in seconds. */
  replicaWaitSeconds: ofMaster(1, 0.01, 60),
  /** Maximum size of one entry of the journal before compression, in bytes; one change alone may be larger. */
  journalEntryBytes: ofMaster(MIB, 64 * KIB, 64 * MIB),
  /** Maximum size of one entry of the journal that a master reads, after decompression, in bytes; a larger one is refused as damaged. */
  journalUnpackedBytes: ofMaster(GIB, 64 * MIB, 4 * GIB),
  /** Maximum size of changes waiting for PostgreSQL, in bytes; above it, writes get 503 `OVERLOADED`. */
  journalWaitingBytes: ofMaster(64 * MIB, MIB, 4 * GIB),
  /** Size of the journal after the newest snapshot at which a standby takes another, in bytes; the owner does at twice as much. */
  snapshotJournalBytes: ofMaster(128 * MIB, MIB, 64 * GIB),
  /** Number of snapshots kept; once there are so many, the journal before the oldest of them is deleted. */
  snapshotsKept: ofMaster(2, 1, 100),
  /** Size of the objects that a snapshot is sent to an S3 bucket in, in bytes. */
  snapshotObjectBytes: ofMaster(8 * MIB, 64 * KIB, GIB),
} as const;
