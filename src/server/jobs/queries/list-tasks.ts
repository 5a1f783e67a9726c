import { keysOf } from '../../../contract/tables.ts';
import { pageOf, paginate } from '../../../lib/page.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { DataWarning } from '../../../contract/data-health.ts';
import type { Task, TaskPage } from '../../../contract/tasks.ts';
import { COUNTER_OF, type TaskState } from '../../../contract/vocabulary.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { dataDamaged, textOf, textOrOutputOf, whole } from '../../store/whole.ts';
import type { JobRow } from '../engine/rows.ts';
import { withoutForeignChildren } from './foreign-jobs.ts';
import { damagesOf, jobView, taskView, type TaskViewRow } from './views.ts';
import type { TaskListQuery, RunningTask } from './port.ts';

const COLUMNS: Readonly<Record<string, string>> = {
  readyAt: 'ready_at',
  node: 'node',
  state: 'state',
  replica: 'replica',
};

/** Whole texts of a task's payloads, cut after so many characters that a list never reads megabytes. */
export const TASK_VIEW = `
  SELECT t.*, j.id AS job_id, c.job_id AS child_job_id,
    substr(${textOrOutputOf('t', 'input', { payload: 'ip', task: 'before', taskPayload: 'bp' }, { what: 'input of task', id: 't.id' })}, 1, ?) AS input_text,
    substr(${textOf('t', 'output', 'op', { what: 'output of task', id: 't.id' })}, 1, ?) AS output_text
  FROM task t JOIN job j ON j.seq = t.job
  LEFT JOIN payload ip ON ip.id = t.input_payload
  LEFT JOIN task before ON before.seq = t.input_task
  LEFT JOIN payload bp ON bp.id = before.output_payload
  LEFT JOIN payload op ON op.id = t.output_payload
  LEFT JOIN child c ON c.task = t.seq`;

const CHEAP_TASKS = 50;

/** Numbers of the tasks of one page, in its order, and of how many it is one. Totals come from the job's counters where they can. */
function seqsOf(
  read: ReadHandle,
  job: JobRow,
  { page, size, sort, state = [], node, replica, worker, code, q }: TaskListQuery,
): { seqs: number[]; totalItems: number } {
  const conditions = ['job = ?'];
  const values: Value[] = [job.seq];
  if (state.length > 0) {
    // The partial index serves all states but COMPLETED, and only where its condition is repeated.
    conditions.push(`state IN (${state.map(() => '?').join(', ')})`);
    if (!state.includes('COMPLETED')) conditions.push(`state <> 'COMPLETED'`);
    values.push(...state);
  }
  if (node !== undefined) {
    conditions.push('node = ?');
    values.push(node);
  }
  if (replica !== undefined) {
    conditions.push('replica = ?');
    values.push(replica);
  }
  if (worker !== undefined) {
    conditions.push('instr(worker_id, ?) > 0');
    values.push(worker);
  }
  if (code !== undefined) {
    conditions.push('error_code = ? COLLATE NOCASE');
    values.push(code);
  }
  if (q !== undefined && q !== '') {
    conditions.push(`error_message LIKE ? ESCAPE '\\'`);
    values.push(`%${q.replaceAll(/[\\%_]/g, '\\$&')}%`);
  }
  const where = conditions.join(' AND ');
  const isByState = [node, replica, worker, code, q].every((one) => one === undefined || one === '');
  const totalItems = isByState
    ? countOf(job, state)
    : (read.query<{ n: number }>(`SELECT count(*) AS n FROM task WHERE ${where}`).get(...values)?.n ?? 0);
  const [field = '', direction] = (sort ?? '').split(',');
  const column = COLUMNS[field];
  const way = direction === 'desc' ? 'DESC' : 'ASC';
  const order = column === undefined ? 'seq' : `${column} ${way}, seq ${way}`;
  const seqs = read
    .query<{ seq: number }>(`SELECT seq FROM task WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
    .all(...values, size, page * size)
    .map(({ seq }) => seq);
  return { seqs, totalItems };
}

/** One page of a job's tasks, in the order of their creation unless told. */
export function listTasks(
  read: ReadHandle,
  job: JobRow,
  query: TaskListQuery,
  limits: Pick<Limits, 'payloadPreviewBytes' | 'payloadPageBytes'>,
): TaskPage {
  const { seqs, totalItems } = seqsOf(read, job, query);
  const shown = Math.min(
    limits.payloadPreviewBytes,
    Math.floor(Math.min(limits.payloadPageBytes, query.payloadBytes ?? Infinity) / (2 * Math.max(1, seqs.length))),
  );
  const rows = read
    .query<TaskViewRow>(`${TASK_VIEW} WHERE t.seq IN (SELECT value FROM json_each(?))`)
    .all(shown + 1, shown + 1, JSON.stringify(seqs));
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const items = withoutForeignChildren(
    read,
    seqs.flatMap((seq) => bySeq.get(seq) ?? []).map((row) => taskView(row, shown)),
    query.within,
  );
  return { ...pageOf(items, query, totalItems), ...damageWarnings(rows) };
}

interface Warned {
  warnings?: DataWarning[];
}

/** What a list has to say of the payloads that it cannot show. */
function damageWarnings(rows: readonly TaskViewRow[]): Warned {
  const damaged = rows.flatMap(damagesOf);
  return damaged.length === 0
    ? {}
    : { warnings: damaged.map((what) => ({ code: 'DATA_DAMAGED', message: dataDamaged(what).message })) };
}

/** The running ones among the tasks of a page. */
export function runningTasks(read: ReadHandle, job: JobRow, query: TaskListQuery): RunningTask[] {
  const { seqs } = seqsOf(read, job, query);
  return read
    .query<RunningTask>(
      `SELECT id, attempt, state, worker_id AS workerId FROM task WHERE seq IN (SELECT value FROM json_each(?)) AND state = 'RUNNING'`,
    )
    .all(JSON.stringify(seqs));
}

/** Tasks of a job in these states (none: in any), from its counters. */
function countOf(job: JobRow, states: readonly TaskState[]): number {
  const { taskCounters } = jobView(job);
  const wanted = states.length > 0 ? [...new Set(states)] : keysOf(COUNTER_OF);
  return wanted.reduce((sum, state) => sum + taskCounters[COUNTER_OF[state]], 0);
}

/** True where a page costs the event loop next to nothing: few tasks, none of whose payloads is long. */
export function isFastTaskPage(read: ReadHandle, job: JobRow): boolean {
  return (
    countOf(job, []) <= CHEAP_TASKS &&
    read.query('SELECT 1 FROM payload WHERE job = ? LIMIT 1').get(job.seq) === undefined
  );
}

/** One task, with the first characters of its payloads where they are longer; or null. Throws DATA_DAMAGED. */
export function findTask(read: ReadHandle, taskId: string, characters: number): Task | null {
  const row = read.query<TaskViewRow>(`${TASK_VIEW} WHERE t.id = ?`).get(characters + 1, characters + 1, taskId);
  if (!row) return null;
  whole(row.input_text);
  whole(row.output_text);
  return taskView(row, characters);
}

/** Exported for the test of its plan. */
export const TASKS_OF_WORKER = `SELECT seq FROM task WHERE state IN ('SCHEDULED', 'RUNNING') AND state <> 'COMPLETED' AND worker_id = ?`;

/** The tasks that a worker holds now, in the order of their creation: no more than its capacity and what is leased to it ahead. */
export function listWorkerTasks(
  read: ReadHandle,
  workerId: string,
  wanted: { page: number; size: number },
  previewCharacters: number,
): TaskPage {
  const seqs = read
    .query<{ seq: number }>(TASKS_OF_WORKER)
    .all(workerId)
    .map(({ seq }) => seq)
    .sort((a, b) => a - b);
  const one = read.query<TaskViewRow>(`${TASK_VIEW} WHERE t.seq = ?`);
  const page = paginate(seqs, wanted, (seq) => one.get(previewCharacters + 1, previewCharacters + 1, seq));
  const rows = page.items.flatMap((row) => row ?? []);
  return { ...page, items: rows.map((row) => taskView(row, previewCharacters)), ...damageWarnings(rows) };
}
