import type { JobFilter } from '../../../contract/jobs.ts';
import type { BulkDryRun, Operation, OperationResult } from '../../../contract/operations.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Environment, OperationKind } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';
import type { WriteHandle } from '../../store/port.ts';

/** What is to be done with many jobs. */
export type BulkPurpose =
  | {
      readonly kind: Exclude<OperationKind, 'rerun'>;
      /** Retries failures too that a retry does not mend. */
      readonly nonRetryable: boolean;
    }
  | { readonly kind: 'rerun'; readonly choice: RerunChoice };

/** Jobs by their ids, or all that match a filter now. */
/** The jobs that a dry run counted, by the id of its snapshot. */
export interface SnapshotTarget {
  readonly snapshot: string;
  /** An open request for approval keeps it, however old it is. */
  readonly held?: true;
}

/** A purpose and the jobs that it is for. */
export type BulkRequest<T extends Target | SnapshotTarget = Target> = {
  readonly target: T;
} & BulkPurpose;

/** A workflow of some of the jobs (of a draft run: of its draft), and the environment they ran in; null: none. */
export type BulkPlace = readonly [workflowId: string, environment: Environment | null];

/** What became of one due time of a backfill; `code` null: its job was started. */
export interface BackfillResult {
  readonly jobId: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** Bulk operations: records that outlive the master, worked off beside everything else. */
export interface Operations {
  /**
   * Lists a backfill as an operation of so many jobs; `also` writes what belongs to it in the same transaction. The work is
   * done by whoever begins it.
   */
  beginBackfill(
    backfill: { readonly total: number; readonly place: BulkPlace; readonly actor: string },
    also: (db: WriteHandle, operationId: string) => void,
  ): Promise<Operation>;
  /** One due time is dealt with, in a transaction. False: the operation was aborted. */
  noteBackfill(db: WriteHandle, operationId: string, result: BackfillResult): boolean;
  /** In a transaction. `reason` null: all is done; else why the rest is left out, and the operation is ABORTED. One that has ended stays as it is. */
  endBackfill(db: WriteHandle, operationId: string, reason: string | null): void;
  /** Counts what would be done, changes nothing, and keeps the jobs that it counted as a snapshot. */
  dryRun(request: BulkRequest): Promise<BulkDryRun>;
  /**
   * Begins with the jobs of a snapshot, or takes a snapshot of those that match now. `audit` notes it in the transaction that accepts it.
   * Throws SNAPSHOT_EXPIRED.
   */
  submit(request: BulkRequest<Target | SnapshotTarget>, actor: string, audit?: AuditNote): Promise<Operation>;
  /** How many jobs a snapshot has. Throws SNAPSHOT_EXPIRED. */
  snapshotTotal(snapshot: string): { readonly total: number; readonly filter: JobFilter | null };
  /** Keeps a snapshot until then (unix ms); null: as long as any other. Part of a transaction of whoever needs it. */
  holdSnapshot(db: WriteHandle, snapshot: string, until: number | null): void;
  /** Ids of the jobs of a snapshot that is held; of those that are still there. */
  snapshotJobs(snapshot: string, query: { page: number; size: number }): Page<{ jobId: string }>;
  /** Where the jobs of a snapshot are; null: that was not kept. Throws SNAPSHOT_EXPIRED. */
  snapshotPlaces(snapshot: string): readonly BulkPlace[] | null;
  /** The same of an operation. Throws OPERATION_NOT_FOUND. */
  places(id: string): readonly BulkPlace[] | null;
  /** `within`: only those whose jobs are all of these workflows; null: all. */
  list(query: { page: number; size: number; within?: readonly string[] | null }): Promise<Page<Operation>>;
  get(id: string): Promise<Operation>;
  /** Results so far, in the order of work. */
  results(id: string, query: { page: number; size: number; ok?: boolean }): Promise<Page<OperationResult>>;
  /** Stops it; what it did stays done. One that has ended stays as it is. */
  abort(id: string, audit?: AuditNote): Promise<Operation>;
}

export type ExportFormat = 'csv' | 'json' | 'ndjson';

/** What a bulk rerun was asked for besides its jobs; kept with the operation as JSON. */
export interface RerunChoice {
  /** A hash or the beginning of one, 'published', or null: each job on its own version. */
  readonly commit: string | null;
  /** Jobs of which nothing failed, too. */
  readonly completed: boolean;
  /** Jobs that were run again before, too. */
  readonly again: boolean;
}

export type Target = { readonly ids: readonly string[] } | { readonly filter: JobFilter };
