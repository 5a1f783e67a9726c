/** Statements of bulk operations. */

export const INSERT_OPERATION =
  'INSERT INTO operation (seq, id, kind, status, filter, non_retryable, rerun, total, created_at, finished_at, created_by, from_snapshot, places) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const OPERATION_BY_ID = 'SELECT * FROM operation WHERE id = ?';
export const OPERATION_BY_SEQ = 'SELECT * FROM operation WHERE seq = ?';
export const OPERATIONS = 'SELECT * FROM operation ORDER BY seq DESC LIMIT ? OFFSET ?';
export const COUNT_OPERATIONS = 'SELECT count(*) AS n FROM operation';
/** Whose jobs are all of some workflows; one without jobs tells of no workflow, and is none of them. */
const WITHIN = `places <> '[]' AND NOT EXISTS (SELECT 1 FROM json_each(places) AS place WHERE place.value ->> 0 NOT IN (SELECT value FROM json_each(?)))`;
export const OPERATIONS_WITHIN = `SELECT * FROM operation WHERE ${WITHIN} ORDER BY seq DESC LIMIT ? OFFSET ?`;
export const COUNT_OPERATIONS_WITHIN = `SELECT count(*) AS n FROM operation WHERE ${WITHIN}`;
export const LAST_OPERATION = 'SELECT max(seq) AS n FROM operation';
export const RUNNING_OPERATIONS = `SELECT seq, id, kind FROM operation WHERE status = 'RUNNING' AND kind <> 'backfill' ORDER BY seq`;
export const SAVE_PROGRESS =
  'UPDATE operation SET status = ?, done = ?, failed = ?, cursor = ?, changed = ?, finished_at = ? WHERE seq = ?';

export const INSERT_CHUNK = 'INSERT INTO operation_chunk (operation, first, jobs, left_out) VALUES (?, ?, ?, ?)';
export const CHUNK_AT =
  'SELECT first, jobs, left_out FROM operation_chunk WHERE operation = ? AND first <= ? ORDER BY first DESC LIMIT 1';
/** Of operations beyond this one, which were never accepted, and of snapshots that are not there: the master ended while it wrote or deleted them. */
export const ORPHAN_CHUNKS =
  'DELETE FROM operation_chunk WHERE rowid IN (SELECT rowid FROM operation_chunk WHERE operation > ? OR (operation < 0 AND NOT EXISTS (SELECT 1 FROM job_snapshot WHERE seq = -operation)) LIMIT ?)';
/** The parts of a snapshot, newest jobs first, and one part of them as an operation's. */
export const SNAPSHOT_CHUNKS =
  'SELECT first, jobs, left_out FROM operation_chunk WHERE operation = ? ORDER BY first DESC';
export const COPY_CHUNKS =
  'INSERT INTO operation_chunk (operation, first, jobs, left_out) SELECT ?, first, jobs, CASE WHEN ? THEN left_out END FROM operation_chunk WHERE operation = ? AND first >= ? AND first < ?';

export const INSERT_SNAPSHOT =
  'INSERT INTO job_snapshot (seq, id, purpose, filter, total, created_at, places) VALUES (?, ?, ?, ?, ?, ?, ?)';
export const SNAPSHOT_BY_ID = 'SELECT * FROM job_snapshot WHERE id = ?';
export const LAST_SNAPSHOT = 'SELECT max(seq) AS n FROM job_snapshot';
/** The oldest snapshot that nothing holds, where it was made before a time or there are more than a number of them. */
export const SURPLUS_SNAPSHOT =
  'SELECT seq FROM job_snapshot WHERE (held_until IS NULL OR held_until <= ?) AND (created_at <= ? OR seq <= (SELECT seq FROM job_snapshot WHERE held_until IS NULL OR held_until <= ? ORDER BY seq DESC LIMIT 1 OFFSET ?)) ORDER BY seq LIMIT 1';
export const HOLD_SNAPSHOT = 'UPDATE job_snapshot SET held_until = ? WHERE id = ?';
export const JOB_ID_AT = 'SELECT id FROM job WHERE seq = ?';
export const DELETE_SNAPSHOT = 'DELETE FROM job_snapshot WHERE seq = ?';

export const INSERT_RESULT =
  'INSERT INTO operation_result (operation, place, job_id, ok, rank, code, message, new_job_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
export const RESULTS =
  'SELECT job_id, ok, code, message, new_job_id FROM operation_result WHERE operation = ? AND place >= ? ORDER BY place LIMIT ?';
export const RESULTS_BY_OK =
  'SELECT job_id, ok, code, message, new_job_id FROM operation_result INDEXED BY operation_result_by_rank WHERE operation = ? AND ok = ? AND rank >= ? ORDER BY rank LIMIT ?';

/** The oldest that ended before a time, and the oldest beyond a number of them. */
export const OUTDATED_OPERATION = `SELECT seq FROM operation WHERE finished_at IS NOT NULL AND finished_at <= ? ORDER BY finished_at LIMIT 1`;
export const SURPLUS_OPERATION = `SELECT seq FROM operation WHERE finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 1 OFFSET ?`;
export const DELETE_RESULTS =
  'DELETE FROM operation_result WHERE operation = ? AND place IN (SELECT place FROM operation_result WHERE operation = ? ORDER BY place LIMIT ?)';
export const DELETE_CHUNKS =
  'DELETE FROM operation_chunk WHERE rowid IN (SELECT rowid FROM operation_chunk WHERE operation = ? LIMIT ?)';
export const DELETE_OPERATION = 'DELETE FROM operation WHERE seq = ?';

/** True where a failed task may be mended by a retry: it failed for good, and not for a reason that stays. */
export const HAS_RETRYABLE = `SELECT 1 AS yes FROM task WHERE state = 'FAILED' AND state <> 'COMPLETED' AND job = ? AND retry_at IS NULL AND error_retryable = 1 LIMIT 1`;
