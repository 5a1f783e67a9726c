/** Statements of schedules. */

export const ANY = 'SELECT 1 FROM schedule LIMIT 1';
export const BY_ID = 'SELECT * FROM schedule WHERE id = ?';
export const COUNT = 'SELECT count(*) AS n FROM schedule';
export const INSERT =
  'INSERT INTO schedule (id, workflow_id, environment, spec, paused, next_at, start_at, created_at, updated_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const UPDATE =
  'UPDATE schedule SET spec = ?, paused = ?, next_at = ?, start_at = ?, attempts = 0, waiting_at = ?, updated_at = ? WHERE id = ?';
export const DELETE = 'DELETE FROM schedule WHERE id = ?';
export const DELETE_RUNS = 'DELETE FROM schedule_run WHERE schedule = ?';

export const EARLIEST = 'SELECT min(start_at) AS at FROM schedule WHERE start_at IS NOT NULL';
export const DUE = 'SELECT * FROM schedule WHERE start_at <= ? ORDER BY start_at, id LIMIT ?';
export const WAITING = 'SELECT * FROM schedule WHERE waiting_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?';
export const AFTER_ID = 'SELECT * FROM schedule WHERE id > ? ORDER BY id LIMIT ?';
/** A due time is decided: only where it still is the next one. */
export const ADVANCE =
  'UPDATE schedule SET next_at = ?, start_at = ?, attempts = 0, last_at = ?, last_outcome = ? WHERE id = ? AND next_at = ?';
export const HOLD =
  'UPDATE schedule SET next_at = ?, start_at = ?, attempts = 0, waiting_at = ? WHERE id = ? AND next_at = ? AND waiting_at IS NULL';
export const RELEASE =
  'UPDATE schedule SET waiting_at = NULL, last_at = max(coalesce(last_at, 0), ?), last_outcome = ? WHERE id = ? AND waiting_at = ?';
export const POSTPONE = 'UPDATE schedule SET start_at = ?, attempts = ? WHERE id = ? AND next_at = ?';
export const MOVE_NEXT = 'UPDATE schedule SET next_at = ?, start_at = ?, attempts = 0 WHERE id = ? AND next_at = ?';

export const RUN_AT = 'SELECT * FROM schedule_run WHERE schedule = ? AND due_at = ?';
export const PUT_RUN =
  'INSERT OR REPLACE INTO schedule_run (schedule, due_at, kind, at, job_id, outcome, reason, trouble) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
export const RUNS =
  'SELECT * FROM schedule_run WHERE schedule = ? AND due_at >= ? AND due_at < ? ORDER BY due_at DESC LIMIT ? OFFSET ?';
export const COUNT_RUNS = 'SELECT count(*) AS n FROM schedule_run WHERE schedule = ? AND due_at >= ? AND due_at < ?';
export const STARTED_BETWEEN = `SELECT due_at FROM schedule_run WHERE schedule = ? AND due_at >= ? AND due_at < ? AND outcome = 'STARTED'`;
/** The oldest beyond so many. */
export const TRIM_RUNS =
  'DELETE FROM schedule_run WHERE schedule = ? AND due_at <= (SELECT due_at FROM schedule_run WHERE schedule = ? ORDER BY due_at DESC LIMIT 1 OFFSET ?)';
export const TROUBLE = `SELECT run.schedule AS id, schedule.workflow_id AS workflow, schedule.environment AS environment,
  sum(run.trouble = 'missed') AS missed, sum(run.trouble = 'late') AS late
  FROM schedule_run AS run INDEXED BY schedule_run_by_trouble JOIN schedule ON schedule.id = run.schedule
  WHERE run.trouble IS NOT NULL AND run.at >= ? GROUP BY run.schedule ORDER BY run.schedule LIMIT 1000`;
export const OPEN_JOBS = 'SELECT id FROM job WHERE trigger_id = ? AND finished_at IS NULL ORDER BY seq LIMIT ?';

export const INSERT_BACKFILL =
  'INSERT INTO schedule_backfill (operation, schedule, next_at, to_at, per_minute) VALUES (?, ?, ?, ?, ?)';
export const BACKFILLS = 'SELECT * FROM schedule_backfill ORDER BY operation';
export const BACKFILLS_OF = 'SELECT * FROM schedule_backfill WHERE schedule = ? ORDER BY operation';
export const ADVANCE_BACKFILL = 'UPDATE schedule_backfill SET next_at = ? WHERE operation = ? AND next_at = ?';
export const DELETE_BACKFILL = 'DELETE FROM schedule_backfill WHERE operation = ?';
