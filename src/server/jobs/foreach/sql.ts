import { planOnce } from '../../store/plan-once.ts';
import { checkedColumn, textOf } from '../../store/whole.ts';
import { WITHHELD } from '../engine/sql.ts';

/** Statements of forEach nodes. */
const CHANGING = [
  'phase',
  'attempt',
  'received',
  'list_characters',
  'total',
  'born',
  'active',
  'withheld',
  'completed',
  'failed',
  'output_characters',
] as const;
const INPUT = ['input', 'input_sum', 'input_payload', 'input_task'] as const;
const OUTPUT = ['output', 'output_sum', 'output_payload'] as const;
const INSERTED = ['job', 'replica', 'node', ...CHANGING, ...INPUT, ...OUTPUT];

export const SELECT_FOREACH = 'SELECT * FROM fan_out WHERE job = ? AND replica = ? AND node = ?';
export const FOREACH_NODES_OF_REPLICA = 'SELECT * FROM fan_out WHERE job = ? AND replica = ?';
/** Also those none of whose items is out that could bring the next one on its way: all that were handed out failed at once. */
export const ACTIVE_FOREACH_NODES = `SELECT job, replica, node FROM fan_out WHERE phase IN ('expand', 'stop', 'revive') OR phase = 'run' AND active = 0 AND withheld > 0`;
export const INSERT_FOREACH = `INSERT INTO fan_out (${INSERTED.join(', ')}) VALUES (${INSERTED.map(() => '?').join(', ')})`;
export const UPDATE_FOREACH = `UPDATE fan_out SET ${[...CHANGING, ...OUTPUT].map((column) => `${column} = ?`).join(', ')} WHERE job = ? AND replica = ? AND node = ?`;

export const INSERT_ITEMS =
  'INSERT INTO fan_out_list (job, replica, node, first, items, sum) VALUES (?, ?, ?, ?, ?, ?)';
export const FIRST_ITEMS = `SELECT first, ${checkedColumn('items', 'list of job no.', 'job')} AS items FROM fan_out_list WHERE job = ? AND replica = ? AND node = ? ORDER BY first LIMIT ?`;
export const DELETE_ITEMS = 'DELETE FROM fan_out_list WHERE job = ? AND replica = ? AND node = ? AND first = ?';
export const DELETE_ALL_ITEMS = 'DELETE FROM fan_out_list WHERE job = ? AND replica = ? AND node = ?';

/** The task that evaluates the list. */
export const ITEMS_TASK = 'SELECT * FROM task WHERE job = ? AND replica = ? AND item IS NULL AND node = ?';

const ITEMS = 'task t INDEXED BY task_by_job';
/** Withheld items in their order, each with the text of its input. */
export const WITHHELD_ITEMS = planOnce(`
  SELECT t.*, ${textOf('t', 'input', 'p', { what: 'input of task', id: 't.id' })} AS input_text FROM task t INDEXED BY task_withheld LEFT JOIN payload p ON p.id = t.input_payload
  WHERE t.job = ? AND t.replica = ? AND t.item >= 0 AND t.node = ? AND t.state = 'READY' AND t.ready_deadline = ${WITHHELD} ORDER BY t.item LIMIT ?`);
/** Outputs and failures of a range of items. */
export const ITEM_RESULTS = planOnce(`
  SELECT t.item, t.state, ${textOf('t', 'output', 'p', { what: 'output of task', id: 't.id' })} AS text, t.error_code, t.error_message FROM ${ITEMS} LEFT JOIN payload p ON p.id = t.output_payload
  WHERE t.job = ? AND t.replica = ? AND t.item >= ? AND t.item < ? AND t.node = ? ORDER BY t.item`);
const OPEN = `(t.state IN ('READY', 'SCHEDULED', 'RUNNING') OR t.retry_at IS NOT NULL)`;
/** In a range of items, so that a slice looks at few however many there are. */
export const OPEN_ITEMS = planOnce(
  `SELECT t.* FROM ${ITEMS} WHERE t.job = ? AND t.replica = ? AND t.item >= ? AND t.item < ? AND t.node = ? AND ${OPEN} ORDER BY t.item LIMIT ?`,
);
/** Items that were stopped with the replica rather than failed by themselves. */
export const STOPPED_ITEMS = planOnce(`
  SELECT t.* FROM ${ITEMS} WHERE t.job = ? AND t.replica = ? AND t.item >= ? AND t.item < ? AND t.node = ?
  AND (t.state = 'FAILED' AND t.error_code IN ('KILLED', 'REPLICA_TIMEOUT') OR t.state = 'RUN_TIMEOUT') ORDER BY t.item LIMIT ?`);

export const ADD_TO_CHUNK =
  'INSERT INTO fan_out_part (job, replica, node, part, ended) VALUES (?, ?, ?, ?, ?) ON CONFLICT (job, replica, node, part) DO UPDATE SET ended = ended + excluded.ended, outputs = NULL';
export const CHUNK = 'SELECT ended FROM fan_out_part WHERE job = ? AND replica = ? AND node = ? AND part = ?';
export const JOIN_CHUNK =
  'UPDATE fan_out_part SET outputs = ?, sum = ? WHERE job = ? AND replica = ? AND node = ? AND part = ?';
export const CHUNKS = `SELECT ${checkedColumn('outputs', 'list of job no.', 'job')} AS outputs FROM fan_out_part WHERE job = ? AND replica = ? AND node = ? ORDER BY part`;
