import { iso } from '../../../lib/clock.ts';
import { damageIn, isWhole } from '../../store/whole.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import { damageFailure } from '../engine/damage-failure.ts';
import { flushTasks } from '../engine/transaction.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import type { Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { loadText } from '../engine/write-rows.ts';
import { completeTask } from '../lifecycle/complete-task.ts';
import { failTask } from '../lifecycle/retry.ts';
import { TASK_BY_SEQ } from '../engine/sql.ts';
import { DROP_WAIT, DUE_WAITS, END_APPROVAL, type SignalRow, type WaitRow } from './sql.ts';
import type { WaitDecision } from './port.ts';

/** The task of a wait; null where it waits no more, and then the row of the wait is gone too. */
export function waitingTask(tx: Transaction, wait: Pick<WaitRow, 'task' | 'job'>): TaskRecord | null {
  flushTasks(tx, loadJob(tx, wait.job));
  const row = tx.db.query<TaskRow>(TASK_BY_SEQ).get(wait.task);
  if (row?.state === 'RUNNING' && row.worker_id === null) return loadTask(tx, row);
  tx.db.statement(DROP_WAIT).run(wait.task);
  return null;
}

/** Ends waits whose time is over: those for a time go on, the others have missed their deadline. Says how many. */
export function finishDueWaits(tx: Transaction, now: number, deadline: number, most: number): number {
  const due = tx.db.query<WaitRow>(DUE_WAITS).all(now, deadline, most);
  for (const wait of due) {
    const task = waitingTask(tx, wait);
    if (!task) continue;
    if (wait.kind === 'time') completeWith(tx, task, (input) => input);
    else missDeadline(tx, task, wait);
  }
  return due.length;
}

function missDeadline(tx: Transaction, task: TaskRecord, wait: WaitRow): void {
  const rule = task.node.wait;
  const { approval } = wait;
  const what = wait.kind === 'signal' ? `signal ${wait.name} did not come` : 'nobody decided';
  const endApproval = (status: 'approved' | 'rejected' | 'expired') => {
    if (approval === null) return;
    tx.db.statement(END_APPROVAL).run(status, 'deadline', tx.now, null, approval);
    tx.effects.approvals.push(approval);
  };
  const onTimeout = rule?.onTimeout ?? 'fail';
  if (approval !== null && (onTimeout === 'approve' || onTimeout === 'reject')) {
    endApproval(onTimeout === 'approve' ? 'approved' : 'rejected');
    finishApprovalWait(tx, task, {
      id: approval,
      by: 'deadline',
      decision: onTimeout,
      comment: null,
      form: null,
      timedOut: true,
    });
    return;
  }
  endApproval('expired');
  if (onTimeout === 'continue')
    completeWith(tx, task, (input) => `{"input":${input},"${wait.kind}":null,"timedOut":true}`);
  else applyTaskEvent(tx, task, { on: 'run-timeout', at: tx.now, message: `${what} by ${iso(wait.due_at)}` });
}

/** A signal has come for a task that waits for it. */
export function finishSignalWait(tx: Transaction, task: TaskRecord, signal: SignalRow): void {
  if (!isWhole(signal.payload, signal.payload_sum)) {
    failTask(tx, task, tx.now, damageFailure(tx, `signal ${signal.name} of task ${task.id}`));
    return;
  }
  const { name, sent_by: sentBy, sent_at: sentAt } = signal;
  const about = JSON.stringify({ name, sentBy, sentAt: iso(sentAt) }).slice(0, -1);
  completeWith(
    tx,
    task,
    (input) => `{"input":${input},"signal":${about},"payload":${signal.payload}},"timedOut":false}`,
  );
}

/** An approval was decided; its row says so already. */
export function finishApprovalWait(
  tx: Transaction,
  task: TaskRecord,
  { id, by, decision, comment, form, timedOut }: WaitDecision & { id: string; by: string; timedOut: boolean },
): void {
  if (decision === 'reject' && (task.node.wait?.failsOnReject ?? true)) {
    const why = comment === null ? '' : `: ${comment}`;
    failTask(tx, task, tx.now, { code: 'APPROVAL_REJECTED', message: `rejected by ${by}${why}`, retryable: false });
    return;
  }
  const about = JSON.stringify({ id, decision, comment, decidedBy: by, decidedAt: iso(tx.now) }).slice(0, -1);
  completeWith(
    tx,
    task,
    (input) => `{"input":${input},"approval":${about},"form":${form ?? 'null'}},"timedOut":${timedOut}}`,
  );
}

/** `make` is given the JSON text of the task's input. */
function completeWith(tx: Transaction, task: TaskRecord, make: (input: string) => string): void {
  const input = loadText(tx, task.input, `input of task ${task.id}`);
  const damaged = damageIn(input);
  if (damaged === null) completeTask(tx, task, make(input), Math.max(tx.now, task.facts.startedAt ?? 0), null);
  else failTask(tx, task, tx.now, damageFailure(tx, damaged));
}
