/** Statements of shadow replays. */
export const BY_ID = 'SELECT * FROM shadow_replay WHERE id = ?';
export const RUNNING = `SELECT * FROM shadow_replay WHERE status = 'RUNNING' ORDER BY created_at`;
export const OF_WORKFLOW = 'shadow_replay WHERE workflow_id = ? AND (? IS NULL OR commit_hash = ?)';
/** Those beyond the newest that are kept; what runs is never among them. */
export const OLD = `SELECT id FROM shadow_replay WHERE workflow_id = ? AND status <> 'RUNNING' ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?`;
export const REMOVE = [
  'DELETE FROM shadow_text WHERE replay = ?',
  'DELETE FROM shadow_result WHERE replay = ?',
  'DELETE FROM shadow_replay WHERE id = ?',
] as const;
export const PROGRESS = `UPDATE shadow_replay SET done = ? WHERE id = ? AND status = 'RUNNING'`;
export const END = `UPDATE shadow_replay SET status = ?, finished_at = ? WHERE id = ? AND status = 'RUNNING'`;

export const PUT_RESULT =
  'INSERT OR REPLACE INTO shadow_result (replay, number, job_id, replica, commit_hash, verdict, patterns, complete, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const PUT_TEXT =
  'INSERT OR REPLACE INTO shadow_text (replay, number, input, before, after) VALUES (?, ?, ?, ?, ?)';
export const TEXT_CHARACTERS = `SELECT coalesce(sum(coalesce(length(input), 0) + coalesce(length(before), 0) + coalesce(length(after), 0)), 0) AS n FROM shadow_text WHERE replay = ?`;
export const JUDGED = 'SELECT number, verdict, patterns, complete FROM shadow_result WHERE replay = ? ORDER BY number';
export const RESULT = 'SELECT * FROM shadow_result WHERE replay = ? AND number = ?';
export const TEXTS = 'SELECT input, before, after FROM shadow_text WHERE replay = ? AND number = ?';

export const IGNORES = 'SELECT paths FROM shadow_ignore WHERE workflow_id = ?';
export const PUT_IGNORES =
  'INSERT INTO shadow_ignore (workflow_id, paths) VALUES (?, ?) ON CONFLICT (workflow_id) DO UPDATE SET paths = excluded.paths';
