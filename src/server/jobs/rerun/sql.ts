import { textOf, textOrOutputOf } from '../../store/whole.ts';

/** Statements of reruns. */
const JOINED = { payload: 'ip', task: 'b', taskPayload: 'bp' } as const;
const INPUT = `coalesce(${textOrOutputOf('t', 'input', JOINED, { what: 'input of task', id: 't.id' })}, 'null')`;
/** Of a forEach, which has no id. */
const FOREACH_INPUT = `coalesce(${textOrOutputOf('t', 'input', JOINED, { what: 'input of node', id: 't.node' })}, 'null')`;
const OUTPUT = `coalesce(${textOf('t', 'output', 'op', { what: 'output of task', id: 't.id' })}, 'null')`;
const FOREACH_OUTPUT = `coalesce(${textOf('t', 'output', 'op', { what: 'output of node', id: 't.node' })}, 'null')`;
const WITH_INPUT =
  'LEFT JOIN payload ip ON ip.id = t.input_payload LEFT JOIN task b ON b.seq = t.input_task LEFT JOIN payload bp ON bp.id = b.output_payload';

export const FINISHED_TASKS = `
  SELECT t.node, t.id, t.type, t.port, ${INPUT} AS input, ${OUTPUT} AS output
  FROM task t ${WITH_INPUT} LEFT JOIN payload op ON op.id = t.output_payload
  WHERE t.job = ? AND t.replica = ? AND t.item IS NULL AND t.state = 'COMPLETED'`;
export const FINISHED_FOREACHS = `
  SELECT t.node, NULL AS id, 'forEach' AS type, NULL AS port, ${FOREACH_INPUT} AS input, ${FOREACH_OUTPUT} AS output
  FROM fan_out t ${WITH_INPUT} LEFT JOIN payload op ON op.id = t.output_payload
  WHERE t.job = ? AND t.replica = ? AND t.phase = 'done'`;
/** What a node was given in a replica, whether it has finished or not. */
export const INPUT_OF_NODE = `SELECT ${INPUT} AS text FROM task t ${WITH_INPUT} WHERE t.job = ? AND t.replica = ? AND t.item IS NULL AND t.node = ?`;
export const INPUT_OF_FOREACH = `SELECT ${FOREACH_INPUT} AS text FROM fan_out t ${WITH_INPUT} WHERE t.job = ? AND t.replica = ? AND t.node = ?`;
/** The piece of the inputs not begun yet that holds a replica's. */
export const PENDING_INPUTS =
  'SELECT replica, texts, sum FROM unborn WHERE job = ? AND replica <= ? ORDER BY replica DESC LIMIT 1';
export const JOB_SEQ = 'SELECT seq FROM job WHERE id = ?';
