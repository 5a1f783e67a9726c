import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { parseJson, withPlainNumbers } from '../../../lib/json.ts';
import type { WaitSubject } from '../../../contract/approvals.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { damageIn } from '../../store/whole.ts';
import { damageFailure } from '../engine/damage-failure.ts';
import { detachFromWorker } from '../engine/apply-task-event.ts';
import { flushTasks } from '../engine/transaction.ts';
import type { Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import { loadText } from '../engine/write-rows.ts';
import { completeTask } from '../lifecycle/complete-task.ts';
import { failTask } from '../lifecycle/retry.ts';
import { parseDueTime } from './parse-due-time.ts';
import { finishSignalWait } from './finish-wait.ts';
import { KEPT_SIGNAL, PUT_APPROVAL, PUT_WAIT, TAKE_SIGNAL, type SignalRow } from './sql.ts';
import type { WaitRule } from './wait-rule.ts';

const DAY_MS = 86_400_000;

/**
 * A worker has filled in the texts of a wait node (`worker/executors/wait.ts`) and is free again: the task is RUNNING
 * without it from now on, until what it waits for comes (`finish-wait.ts`). What has come already lets it go on at once.
 */
export function beginWait(tx: Transaction, task: TaskRecord, rule: WaitRule, report: unknown, at: number): void {
  const filled = withPlainNumbers(parseJson(jsonTextOf(report)));
  const texts = isRecord(filled) ? filled : {};
  const longest = tx.limits.waitDays * DAY_MS;
  const refuse = (message: string) => failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
  flushTasks(tx, task.job);
  if (rule.for === 'time') {
    const due = rule.seconds === null ? parseDueTime(texts['until']) : at + rule.seconds * 1000;
    if (due === null)
      return refuse(
        `until is ${JSON.stringify(texts['until'])?.slice(0, 200) ?? 'missing'}, expected a time such as 2027-01-31T08:00:00Z, or milliseconds since 1970`,
      );
    if (due - tx.now > longest)
      return refuse(
        `the wait would end at ${new Date(due).toISOString()}; the limit waitDays allows ${tx.limits.waitDays} days`,
      );
    if (due > tx.now) return put(tx, task, rule, Math.ceil(due), null);
    const input = loadText(tx, task.input, `input of task ${task.id}`);
    const damaged = damageIn(input);
    return damaged === null
      ? completeTask(tx, task, input, at, null)
      : failTask(tx, task, at, damageFailure(tx, damaged));
  }
  const deadline = tx.now + Math.min(rule.timeoutSeconds === null ? longest : rule.timeoutSeconds * 1000, longest);
  if (rule.for === 'signal') {
    const kept = tx.db.query<SignalRow>(KEPT_SIGNAL).get(task.job.seq, rule.name, task.replica);
    if (kept === undefined) return put(tx, task, rule, deadline, null);
    tx.db.statement(TAKE_SIGNAL).run(task.seq, kept.job, kept.number);
    return finishSignalWait(tx, task, kept);
  }
  const id = uuidv7(tx.now);
  put(tx, task, rule, deadline, id);
  askForApproval(tx, task, rule, { id, deadline, title: textOr(texts['title'], `Continue after “${rule.label}”?`) });
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 2000) : otherwise;

function put(tx: Transaction, task: TaskRecord, rule: WaitRule, dueAt: number, approval: string | null): void {
  const { job, seq, replica } = task;
  detachFromWorker(tx, task);
  tx.db
    .statement(PUT_WAIT)
    .run(
      seq,
      job.seq,
      replica,
      rule.for,
      rule.for === 'signal' ? rule.name : '',
      job.plan.workflowId,
      tx.now,
      dueAt,
      approval,
    );
}

function askForApproval(
  tx: Transaction,
  { job, node, replica, item, id: taskId, seq }: TaskRecord,
  rule: WaitRule,
  { id, deadline, title }: { id: string; deadline: number; title: string },
): void {
  const { workflowId } = job.plan;
  const subject: WaitSubject = {
    ...{ jobId: job.id, taskId, workflowId, environment: job.environment, node: node.id, replica, item, title },
    form: rule.form,
    approvers: rule.approvers && { roles: [...rule.approvers.roles], people: [...rule.approvers.people] },
    onTimeout: rule.onTimeout,
  };
  const requester = { id: `job:${job.id}`, name: workflowId, madeBy: null };
  const remindAt = rule.remindSeconds === null ? null : tx.now + rule.remindSeconds * 1000;
  tx.db
    .statement(PUT_APPROVAL)
    .run(
      id,
      'wait',
      'open',
      workflowId,
      JSON.stringify(subject),
      workflowId,
      JSON.stringify(requester),
      tx.now,
      deadline,
      seq,
      remindAt,
    );
  tx.effects.approvals.push(id);
}
