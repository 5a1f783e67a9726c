import { planOnce } from '../../store/plan-once.ts';
import { checkedColumn, textOf, textOrOutputOf } from '../../store/whole.ts';

/** Columns and statements. Rows are written by `write-rows.ts`, in shapes of these columns. */

/** Columns that never change once the row is there, and those that do. */
export const JOB_FIXED = [
  'seq',
  'id',
  'external_id',
  'workflow_id',
  'environment',
  'commit_hash',
  'kind',
  'response',
  'input_count',
  'replica_timeout_s',
  'created_at',
  'labels',
  'priority',
  'key_seq',
  'rerun_of',
  'rerun_node',
  'parent_task_id',
  'parent_job_id',
  'depth',
  'trace',
  'trigger_kind',
  'trigger_id',
  'trigger_due',
] as const;

const JOB_COUNTERS = [
  'ready',
  'scheduled',
  'running',
  'completed',
  'failed',
  'schedule_timeout',
  'run_timeout',
  'retrying',
] as const;
const JOB_END = [
  'failure_task',
  'failure_node',
  'failure_code',
  'failure_message',
  'failure_at',
  'output_task',
  'output',
  'output_sum',
  'output_payload',
  'retried_at',
] as const;
export const JOB_CHANGING = [
  'status',
  'replica_deadline',
  'updated_at',
  'finished_at',
  'killed_at',
  'duration_ms',
  ...JOB_COUNTERS,
  ...JOB_END,
] as const;
/** What the row has where a column is not named. */
export const JOB_DEFAULTS = [
  null,
  null,
  null,
  null,
  null,
  null,
  ...JOB_COUNTERS.map(() => 0),
  ...JOB_END.map(() => null),
];

export const TASK_FIXED = [
  'seq',
  'id',
  'job',
  'node',
  'type',
  'replica',
  'item',
  'input',
  'input_sum',
  'input_payload',
  'input_task',
] as const;
export const TASK_CHANGING = [
  'state',
  'attempt',
  'retry_count',
  'worker_id',
  'ready_at',
  'ready_deadline',
  'scheduled_at',
  'started_at',
  'finished_at',
  'retry_at',
  'error_code',
  'error_message',
  'error_retryable',
  'error_stack',
  'port',
  'output',
  'output_sum',
  'output_payload',
] as const;

/** `ready_deadline` of a READY task that may not be handed out yet. The migration that made `task_claimable` has the same number. */
export const WITHHELD = Number.MAX_SAFE_INTEGER;

export const DROP_TASK = 'DELETE FROM task WHERE seq = ?';
export const INSERT_PAYLOAD = 'INSERT INTO payload (id, job, text, sum) VALUES (?, ?, ?, ?)';
export const PAYLOAD = `SELECT ${checkedColumn('text', 'payload', 'id')} AS text FROM payload WHERE id = ?`;
export const PUT_REPLICA =
  'INSERT OR REPLACE INTO replica (job, replica, output_task, output, output_sum, output_payload) VALUES (?, ?, ?, ?, ?, ?)';
/** The same where it is the output of a task, as it mostly is: to give a statement nulls costs a quarter of it. */
export const PUT_REPLICA_OF_TASK = 'INSERT OR REPLACE INTO replica (job, replica, output_task) VALUES (?, ?, ?)';
export const ADD_TO_BLOCK =
  'INSERT INTO job_block (block, workflow_id, environment, status, jobs) VALUES (?, ?, ?, ?, ?) ON CONFLICT (block, workflow_id, environment, status) DO UPDATE SET jobs = jobs + excluded.jobs';
/** Jobs of a block, in the order of creation; the migration that made `job_block` has the same number. */
export const BLOCK_JOBS = 4096;

export const FIND_IDEMPOTENT =
  'SELECT job_id, body_hash, accepted FROM idempotency WHERE key_id = ? AND workflow_id = ? AND environment = ? AND key = ? AND created_at > ?';
export const PUT_IDEMPOTENT =
  'INSERT OR REPLACE INTO idempotency (key_id, workflow_id, environment, key, body_hash, job_id, created_at, accepted) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
export const ACCEPT_IDEMPOTENT =
  'UPDATE idempotency SET accepted = ? WHERE key_id = ? AND workflow_id = ? AND environment = ? AND key = ? AND job_id = ?';
export const FORGET_IDEMPOTENT =
  'DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE created_at <= ? LIMIT 500)';

/** Jobs that have not finished, by indexes that hold no others. */
export const OPEN_JOBS = `seq IN (SELECT seq FROM job INDEXED BY job_by_status WHERE status = 'RUNNING'
  UNION ALL SELECT seq FROM job INDEXED BY job_troubled WHERE finished_at IS NULL AND status <> 'RUNNING')`;

export const JOB_BY_SEQ = 'SELECT * FROM job WHERE seq = ?';
export const JOB_BY_ID = 'SELECT * FROM job WHERE id = ?';
export const JOB_TRACE = 'SELECT trace FROM job WHERE id = ?';
export const TASK_BY_ID = 'SELECT * FROM task WHERE id = ?';
export const REPLICA_PROGRESS =
  'SELECT seq, id, node, state, port FROM task WHERE job = ? AND replica = ? AND item IS NULL';

/** The whole text of a task's input, wherever it is kept. */
const INPUT_TEXT = textOrOutputOf(
  't',
  'input',
  { payload: 'ip', task: 'before', taskPayload: 'bp' },
  { what: 'input of task', id: 't.id' },
);
const INPUT_ELSEWHERE = `LEFT JOIN payload ip ON ip.id = t.input_payload
  LEFT JOIN task before ON before.seq = t.input_task
  LEFT JOIN payload bp ON bp.id = before.output_payload`;
/** A task's row with it. */
const TASKS_WITH_INPUT = `SELECT t.*, ${INPUT_TEXT} AS input_text FROM task t ${INPUT_ELSEWHERE}`;
/** Those of `TASK_CHANGING` that are null in a task that was not begun since it was made, or made READY again. */
const OF_RUNS = TASK_CHANGING.filter(
  (column) => !['state', 'attempt', 'retry_count', 'ready_at', 'ready_deadline'].includes(column),
);
/**
 * READY tasks of one job that may be handed out, in the order of their making, as `ReadyRow`: no column that is not needed,
 * since to give one costs as much as to find it. Whoever takes `input` checks it; a text that is kept elsewhere is checked here.
 */
export const READY_OF_JOB = planOnce(
  `SELECT t.seq, t.id, t.node, t.replica, t.item, t.attempt, t.retry_count, t.ready_at, t.ready_deadline,
    t.input, t.input_sum, t.input_payload, t.input_task,
    CASE WHEN t.input IS NULL THEN (SELECT ${INPUT_TEXT} FROM (SELECT 1) ${INPUT_ELSEWHERE}) END AS text_elsewhere,
    coalesce(${OF_RUNS.map((column) => `t.${column}`).join(', ')}) IS NULL AS is_plain
  FROM task t WHERE t.state = 'READY' AND t.ready_deadline < ${WITHHELD} AND t.job = ? AND t.seq > ? AND t.seq <= ? ORDER BY t.seq LIMIT ?`,
);
export const TASK_BY_SEQ = 'SELECT * FROM task WHERE seq = ?';
/** The first task of a replica; those of the last one are the end of what was made when the job was. */
export const FIRST_OF_REPLICA = 'SELECT min(seq) AS n FROM task WHERE job = ? AND replica = ?';
export const INPUT_OF_TASK = planOnce(`${TASKS_WITH_INPUT} WHERE t.seq = ?`);
/** Jobs of one priority that have READY tasks, in the order of their creation. */
export const WAITING_JOBS = planOnce(
  'SELECT seq FROM job INDEXED BY job_waiting WHERE ready > 0 AND priority = ? AND seq > ? ORDER BY seq LIMIT ?',
);
export const WAITING_PRIORITIES = 'SELECT DISTINCT priority FROM job INDEXED BY job_waiting WHERE ready > 0';
export const INPUT_OF_REPLICA = planOnce(
  `${TASKS_WITH_INPUT} WHERE t.job = ? AND t.replica = ? AND t.item IS NULL AND t.node = ?`,
);
const OUTPUT_TEXT = textOf('t', 'output', 'p', { what: 'output of task', id: 't.id' });
/** Of all tasks of a replica but those of lists. */
export const OUTPUTS_OF_REPLICA = `SELECT t.seq, ${OUTPUT_TEXT} AS text FROM task t LEFT JOIN payload p ON p.id = t.output_payload WHERE t.job = ? AND t.replica = ? AND t.item IS NULL`;
export const OUTPUT_OF_TASK = planOnce(
  `SELECT ${OUTPUT_TEXT} AS text FROM task t LEFT JOIN payload p ON p.id = t.output_payload WHERE t.seq = ?`,
);

export const LEASED_TASKS = planOnce(
  `SELECT * FROM task WHERE state = ? AND state <> 'COMPLETED' AND worker_id IS NOT NULL`,
);
/** Open tasks of each job, and the correction of a job that counts them otherwise. */
export const OPEN_BY_JOB = `SELECT job, state, count(*) AS n FROM task WHERE state IN ('READY', 'SCHEDULED', 'RUNNING') AND state <> 'COMPLETED' GROUP BY state, job`;
export const RECOUNT_JOB =
  'UPDATE job SET ready = ?, scheduled = ?, running = ? WHERE seq = ? AND (ready <> ? OR scheduled <> ? OR running <> ?)';
export const OVERDUE_READY = planOnce(
  `SELECT * FROM task WHERE state = 'READY' AND ready_deadline <= ? ORDER BY ready_deadline LIMIT ?`,
);
export const DUE_RETRIES = planOnce(
  'SELECT * FROM task WHERE retry_at IS NOT NULL AND retry_at <= ? AND (retry_at, seq) > (?, ?) ORDER BY retry_at, seq LIMIT ?',
);
export const OVERDUE_JOBS = planOnce(
  'SELECT seq FROM job WHERE replica_deadline IS NOT NULL AND replica_deadline <= ? ORDER BY replica_deadline LIMIT ?',
);
/** In the order of `seq`, after one. */
export const TASKS_IN_STATE = planOnce(
  `SELECT * FROM task WHERE state = ? AND state <> 'COMPLETED' AND job = ? AND seq > ? ORDER BY seq LIMIT ?`,
);
export const TASKS_WAITING = planOnce(
  'SELECT * FROM task INDEXED BY task_waiting WHERE retry_at IS NOT NULL AND job = ? LIMIT ?',
);
