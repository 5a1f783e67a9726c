/** Statements about jobs that have ended, for who runs them again elsewhere. */

/** The newest jobs of a workflow that are looked at; those of the wanted environment are among them. */
export const LOOKED_AT = 200_000;
export const ENDED_JOBS = `
  SELECT id, commit_hash, input_count FROM (SELECT * FROM job WHERE workflow_id = ? ORDER BY seq DESC LIMIT ?)
  WHERE environment = ? AND kind IN ('event', 'batch') AND finished_at IS NOT NULL AND killed_at IS NULL AND rerun_node IS NULL AND input_count > 0
    AND created_at >= ? AND created_at <= ? AND (? IS NULL OR status IN (SELECT value FROM json_each(?)))`;

const INPUT = `coalesce(t.input, ip.text, b.output, bp.text, 'null')`;
export const TASKS_OF_REPLICA = `
  SELECT t.node, t.type, t.item, t.state, ${INPUT} AS input, coalesce(t.output, op.text) AS output, t.error_code, t.error_message, t.started_at, t.finished_at
  FROM task t LEFT JOIN payload ip ON ip.id = t.input_payload LEFT JOIN task b ON b.seq = t.input_task LEFT JOIN payload bp ON bp.id = b.output_payload
  LEFT JOIN payload op ON op.id = t.output_payload
  WHERE t.job = ? AND t.replica = ? AND (t.item IS NULL OR t.node IN (SELECT value FROM json_each(?))) ORDER BY t.seq`;
export const OUTPUT_OF_REPLICA = `
  SELECT coalesce(r.output, p.text, t.output, tp.text, 'null') AS text FROM replica r
  LEFT JOIN payload p ON p.id = r.output_payload LEFT JOIN task t ON t.seq = r.output_task LEFT JOIN payload tp ON tp.id = t.output_payload
  WHERE r.job = ? AND r.replica = ?`;
export const FAILURE_OF_REPLICA = `
  SELECT node, CASE state WHEN 'FAILED' THEN error_code ELSE state END AS code, error_message AS message FROM task
  WHERE job = ? AND replica = ? AND state IN ('FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT') ORDER BY finished_at, seq LIMIT 1`;
