import { parseStored } from '../../../lib/json.ts';
import type { Operation } from '../../../contract/operations.ts';
import type { ListedOperationKind, OperationStatus } from '../../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../../lib/clock.ts';
import type { BulkPlace, RerunChoice } from './port.ts';

export interface OperationRow {
  seq: number;
  id: string;
  kind: ListedOperationKind;
  status: OperationStatus;
  filter: string | null;
  non_retryable: number;
  /** JSON of a `RerunChoice`; null of the other kinds. */
  rerun: string | null;
  total: number;
  done: number;
  failed: number;
  cursor: number | null;
  changed: number;
  created_at: number;
  finished_at: number | null;
  created_by: string;
  /** 1: its jobs are those that a dry run of the same operation counted. */
  from_snapshot: number;
  /** JSON of `BulkPlace`s. */
  places: string | null;
}

export interface SnapshotRow {
  seq: number;
  id: string;
  purpose: string;
  filter: string | null;
  total: number;
  created_at: number;
  /** Unix ms; null: no request for approval keeps it. */
  held_until: number | null;
  places: string | null;
}

export const parsePlaces = ({ places }: { readonly places: string | null }): readonly BulkPlace[] | null =>
  places === null ? null : parseStored(places);

export const parseRerunChoice = (text: string): RerunChoice => parseStored(text);

/** The row as the API shows it. */
export function operationView(row: OperationRow): Operation {
  return {
    operationId: row.id,
    kind: row.kind,
    status: row.status,
    total: row.total,
    done: row.done,
    failed: row.failed,
    createdAt: iso(row.created_at),
    finishedAt: isoOrNull(row.finished_at),
    createdBy: row.created_by,
    filter: row.filter === null ? null : JSON.parse(row.filter),
    ...(row.rerun === null ? {} : { commit: parseRerunChoice(row.rerun).commit }),
  };
}
