import { planOnce } from '../../store/plan-once.ts';
import type { WaitKind } from '../../../contract/vocabulary.ts';

/** Statements of waits and signals. */
export interface WaitRow {
  task: number;
  job: number;
  replica: number;
  kind: WaitKind;
  name: string;
  workflow_id: string;
  since: number;
  due_at: number;
  approval: string | null;
}

export interface SignalRow {
  job: number;
  number: number;
  name: string;
  replica: number | null;
  payload: string;
  payload_sum: number | null;
  sent_by: string;
  sent_at: number;
  key: string | null;
  task: number | null;
}

export const PUT_WAIT =
  'INSERT INTO wait (task, job, replica, kind, name, workflow_id, since, due_at, approval) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const DROP_WAIT = 'DELETE FROM wait WHERE task = ?';
export const WAIT_OF_TASK = 'SELECT * FROM wait WHERE task = ?';
/** A time is over by the clock; the deadline of people by the clock less the time that the master was away. */
export const DUE_WAITS = planOnce(
  `SELECT * FROM wait WHERE due_at <= ? AND (kind = 'time' OR due_at <= ?) ORDER BY due_at, task LIMIT ?`,
);
export const SIGNAL_WAIT = planOnce(
  `SELECT * FROM wait WHERE job = ? AND kind = 'signal' AND name = ? AND (? IS NULL OR replica = ?) ORDER BY task LIMIT 1`,
);

export const NEXT_SIGNAL = 'SELECT coalesce(max(number), 0) + 1 AS number FROM signal WHERE job = ?';
export const PUT_SIGNAL =
  'INSERT INTO signal (job, number, name, replica, payload, payload_sum, sent_by, sent_at, key, task) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const SIGNAL_BY_KEY = 'SELECT * FROM signal WHERE job = ? AND key = ?';
export const KEPT_SIGNALS = 'SELECT count(*) AS n FROM signal WHERE job = ? AND task IS NULL';
export const KEPT_SIGNAL = planOnce(
  'SELECT * FROM signal WHERE job = ? AND name = ? AND task IS NULL AND (replica IS NULL OR replica = ?) ORDER BY number LIMIT 1',
);
export const TAKE_SIGNAL = 'UPDATE signal SET task = ? WHERE job = ? AND number = ?';

export interface ApprovalRowOfTask {
  id: string;
  status: string;
  decided_by: string | null;
  task: number | null;
}
export const APPROVAL_BY_ID = 'SELECT id, status, decided_by, task FROM approval WHERE id = ?';
export const PUT_APPROVAL =
  'INSERT INTO approval (id, kind, status, workflow_id, subject, requested_by, requester, requested_at, expires_at, task, remind_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const END_APPROVAL =
  "UPDATE approval SET status = ?, decided_by = ?, decided_at = ?, comment = ?, remind_at = NULL WHERE id = ? AND status = 'open'";
export const OPEN_APPROVALS_OF_TASK = "SELECT id FROM approval WHERE task = ? AND status = 'open'";

export const JOB_SEQ = 'SELECT seq FROM job WHERE id = ?';
export const TASK_NAMES = 'SELECT id, node FROM task WHERE seq = ?';
export const JOB_NAMES = 'SELECT id, environment FROM job WHERE seq = ?';
