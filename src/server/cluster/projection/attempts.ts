import type { RetryEntry } from '../../../contract/tasks.ts';
import { parseStored } from '../../../lib/json.ts';
import { parseHistory } from '../../state-machines/task-history.ts';

/** What attempts are made of, in the row of their task. */
export const ATTEMPTS_FROM = [
  ...['seq', 'attempt', 'error_code', 'error_message', 'error_retryable'],
  ...['history', 'entries'],
];

export interface TaskOfAttempts {
  readonly seq: number;
  readonly attempt: number;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly error_retryable: number | null;
  /** One line for each transition. */
  readonly history: string;
  /** A JSON line for each attempt that was followed by another. */
  readonly entries: string;
}

/** A row of the projection, with the values that a row of the working copy would have. */
export interface AttemptRow extends Record<string, unknown> {
  task: number;
  attempt: number;
  state: string;
  worker_id: string | null;
  ready_at: number | null;
  scheduled_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  error_code: string | null;
  error_message: string | null;
  error_retryable: number | null;
}

/** The attempts of a task by its history, in their order; the last one also where nobody has taken it yet. */
export function attemptsOf(task: TaskOfAttempts): AttemptRow[] {
  const found = new Map<number, AttemptRow>();
  for (const { to, at, attempt, workerId } of parseHistory(task.history)) {
    let row = found.get(attempt);
    if (!row) found.set(attempt, (row = newAttempt(task.seq, attempt)));
    row.state = to;
    row.worker_id = workerId ?? row.worker_id;
    const time = Date.parse(at);
    if (to === 'READY') row.ready_at = time;
    else if (to === 'SCHEDULED') row.scheduled_at = time;
    else if (to === 'RUNNING') row.started_at = time;
    else row.finished_at = time;
  }
  for (const line of task.entries.split('\n')) {
    if (line === '') continue;
    // Times are numbers here.
    const entry = parseStored<Pick<RetryEntry, 'attempt' | 'code' | 'message' | 'retryable'>>(line);
    const row = found.get(entry.attempt);
    if (row)
      Object.assign(row, {
        error_code: entry.code,
        error_message: entry.message,
        error_retryable: Number(entry.retryable),
      });
  }
  const last = found.get(task.attempt);
  if (last)
    Object.assign(last, {
      error_code: task.error_code,
      error_message: task.error_message,
      error_retryable: task.error_retryable,
    });
  return [...found.values()];
}

const newAttempt = (task: number, attempt: number): AttemptRow => ({
  ...{ task, attempt, state: 'READY', worker_id: null },
  ...{ ready_at: null, scheduled_at: null, started_at: null, finished_at: null },
  ...{ error_code: null, error_message: null, error_retryable: null },
});
