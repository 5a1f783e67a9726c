import { planOnce } from '../../store/plan-once.ts';

/** Statements of child jobs. */
export interface ChildRow {
  task: number;
  parent: number;
  job: number;
  job_id: string;
  deadline: number | null;
}

export const PUT_CHILD = 'INSERT OR REPLACE INTO child (task, parent, job, job_id, deadline) VALUES (?, ?, ?, ?, ?)';
export const CHILD_OF_JOB = 'SELECT * FROM child WHERE job = ? AND deadline IS NOT NULL';
export const CHILD_OF_TASK = 'SELECT * FROM child WHERE task = ? AND deadline IS NOT NULL';
export const WAITING = planOnce('SELECT * FROM child WHERE deadline IS NOT NULL AND task > ? ORDER BY task LIMIT ?');
export const OVERDUE = planOnce(
  'SELECT * FROM child WHERE deadline IS NOT NULL AND deadline <= ? ORDER BY deadline LIMIT ?',
);
/** It waits no more; the link stays, for people. */
export const END_CHILD = 'UPDATE child SET deadline = NULL WHERE task = ? AND job = ?';

export const PUT_DUE = 'INSERT OR IGNORE INTO child_due (task, job) VALUES (?, ?)';
export const DUE = 'SELECT task, job FROM child_due ORDER BY task LIMIT ?';
export const DROP_DUE = 'DELETE FROM child_due WHERE task = ?';

/** Whether a retry might have mended the failure of a task. */
export const RETRYABLE = 'SELECT error_retryable FROM task WHERE id = ?';
