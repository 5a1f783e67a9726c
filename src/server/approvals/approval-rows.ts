import type { Approval, BulkSubject, PublishSubject, SettingsSubject, WaitSubject } from '../../contract/approvals.ts';
import type { ApprovalKind, ApprovalStatus } from '../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { parseStored } from '../../lib/json.ts';
import type { BulkPurpose } from '../jobs/port.ts';
import type { ApprovalFacts, Principal } from '../state-machines/approval.ts';

export interface ApprovalRow {
  id: string;
  kind: ApprovalKind;
  status: ApprovalStatus;
  /** Of a publication. */
  workflow_id: string | null;
  /** JSON of what exactly is asked for, as it is shown. */
  subject: string;
  /** JSON of a `BulkPurpose`; null: it is no bulk operation. */
  request: string | null;
  /** The fixed set of jobs. */
  snapshot: string | null;
  requested_by: string;
  /** JSON of a `Principal`. */
  requester: string;
  requested_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_at: number | null;
  comment: string | null;
  override: number;
  operation_id: string | null;
  /** The task that waits for it, of a wait node; null: no task does. */
  task: number | null;
  /** When approvers are to be reminded of it. */
  remind_at: number | null;
}

export const INSERTED = {
  decided_by: null,
  decided_at: null,
  comment: null,
  override: 0,
  operation_id: null,
  task: null,
  remind_at: null,
} as const;

export const APPROVAL_BY_ID = 'SELECT * FROM approval WHERE id = ?';
export const COUNT_OPEN = `SELECT count(*) AS n FROM approval WHERE status = 'open' AND task IS NULL`;
export const OVERDUE = `SELECT id FROM approval WHERE status = 'open' AND task IS NULL AND expires_at <= ? LIMIT 100`;
export const END =
  'UPDATE approval SET status = ?, decided_by = ?, decided_at = ?, comment = ?, override = ?, operation_id = ? WHERE id = ?';
export const ENDED_BADLY = `SELECT iif(status = 'expired', 'expired', 'alone') AS reason, count(*) AS count FROM approval
  WHERE decided_at >= ? AND (status = 'expired' OR override = 1) AND task IS NULL GROUP BY 1`;
/** The oldest first. */
export const WAITING = `SELECT * FROM approval WHERE status = 'open' AND task IS NOT NULL ORDER BY id LIMIT ?`;
export const DELETE_OLD = `DELETE FROM approval WHERE id IN (SELECT id FROM approval WHERE status <> 'open' AND decided_at <= ? LIMIT 100)`;

export const publishOf = (row: ApprovalRow): PublishSubject | null =>
  row.kind === 'publish' ? parseStored<PublishSubject>(row.subject) : null;
export const settingsOf = (row: ApprovalRow): SettingsSubject | null =>
  row.kind === 'settings' ? parseStored<SettingsSubject>(row.subject) : null;
export const waitOf = (row: ApprovalRow): WaitSubject | null =>
  row.kind === 'wait' ? parseStored<WaitSubject>(row.subject) : null;
export const purposeOf = (row: ApprovalRow): BulkPurpose | null =>
  row.request === null ? null : parseStored<BulkPurpose>(row.request);

export const factsOf = ({ status, requester, expires_at }: ApprovalRow): ApprovalFacts => ({
  status,
  requester: parseStored<Principal>(requester),
  expiresAt: expires_at,
});

/** The row as the API shows it. */
export const approvalView = (row: ApprovalRow): Approval => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  publish: publishOf(row),
  bulk: row.kind === 'bulk' ? parseStored<BulkSubject>(row.subject) : null,
  settings: settingsOf(row),
  wait: waitOf(row),
  requestedBy: row.requested_by,
  requestedAt: iso(row.requested_at),
  expiresAt: iso(row.expires_at),
  decidedBy: row.decided_by,
  decidedAt: isoOrNull(row.decided_at),
  comment: row.comment,
  override: row.override === 1,
  operation: row.operation_id,
});
