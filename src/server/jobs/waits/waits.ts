import type { Wait } from '../../../contract/waits.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { iso, type Clock } from '../../../lib/clock.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import { readPage } from '../../store/rows.ts';
import type { ReadHandle, Store } from '../../store/port.ts';
import { sumOf } from '../../store/whole.ts';
import type { CheckTime } from '../engine/ticker.ts';
import type { Engine, Memory, Transaction } from '../engine/port.ts';
import { SLICE_WEIGHT } from '../engine/run-in-slices.ts';
import { loadJob } from '../engine/load-records.ts';
import { finishApprovalWait, finishDueWaits, finishSignalWait, waitingTask } from './finish-wait.ts';
import { createLinks } from './links.ts';
import type { Sender, Signal, WaitDecision, Waits } from './port.ts';
import * as sql from './sql.ts';
import type { ApprovalRowOfTask, SignalRow, WaitRow } from './sql.ts';

/** The end of a wait costs as much as that of some tasks: it reads its input, and makes successors. */
const ONE = 4;

export interface WaitsDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly limits: Readonly<Limits>;
  readonly clock: Pick<Clock, 'now'>;
  /** The `seq` of a job that the rows know. Throws JOB_NOT_FOUND. */
  job(jobId: string): Promise<{ readonly seq: number }>;
}

/** `finishDue` is called by the periodic check. */
export function createWaits({ engine, store, memory, limits, clock, job }: WaitsDeps): {
  waits: Waits;
  finishDue(time: CheckTime): Promise<void>;
} {
  const { read } = store;
  const waits: Waits = {
    list({ page, size, for: kinds = [], jobId, workflowId }, within) {
      const job = jobId === undefined ? undefined : (read.query<{ seq: number }>(sql.JOB_SEQ).get(jobId)?.seq ?? 0);
      const given = [
        { of: 'job = ?', value: job },
        { of: 'workflow_id = ?', value: workflowId },
        { of: 'kind IN (SELECT value FROM json_each(?))', value: kinds.length > 0 ? JSON.stringify(kinds) : undefined },
        {
          of: 'workflow_id IN (SELECT value FROM json_each(?))',
          value: within === null ? undefined : JSON.stringify(within),
        },
      ].flatMap(({ of, value }) => (value === undefined ? [] : [{ of, value }]));
      const where = given.length > 0 ? ` WHERE ${given.map(({ of }) => of).join(' AND ')}` : '';
      return readPage<WaitRow, Wait>(
        read,
        { from: `wait${where}`, order: 'task DESC', values: given.map(({ value }) => value) },
        { page, size },
        (row) => waitView(read, row),
      );
    },
    async signal(signal, by) {
      const { seq } = await job(signal.jobId);
      return engine.enqueue(ONE, (tx) => sendSignal(tx, seq, signal, by));
    },
    decide: (id, decision, by) => engine.enqueue(ONE, (tx) => decide(tx, id, decision, by)),
    count: () => read.query<{ n: number }>('SELECT count(*) AS n FROM wait').get()?.n ?? 0,
    links: createLinks({ store, clock }),
  };
  return {
    waits,
    async finishDue(time) {
      const [now, over] = [time.now(), time.deadline()];
      while (read.query(sql.DUE_WAITS).get(now, over, 1) !== undefined)
        if ((await engine.enqueue(SLICE_WEIGHT, (tx) => finishDueWaits(tx, now, over, memory.turnBudget.steps))) === 0)
          break;
    },
  };

  function sendSignal(tx: Transaction, seq: number, { name, replica, payload, key, jobId }: Signal, by: Sender) {
    const record = loadJob(tx, seq);
    const repeated = key === null ? undefined : tx.db.query<SignalRow>(sql.SIGNAL_BY_KEY).get(seq, key);
    if (repeated) return { delivered: repeated.task !== null, repeated: true };
    if (record.facts.finishedAt !== null)
      throw new Fault('JOB_FINISHED', `job ${jobId} has finished: nothing waits for signal ${name} any more`);
    if (replica !== null && replica >= record.inputCount)
      throw invalidAt('/replica', `job ${jobId} has ${record.inputCount} replicas, numbered from 0; got ${replica}`);
    const wait = tx.db.query<WaitRow>(sql.SIGNAL_WAIT).get(seq, name, replica, replica);
    const task = wait ? waitingTask(tx, wait) : null;
    if (task === null && (tx.db.query<{ n: number }>(sql.KEPT_SIGNALS).get(seq)?.n ?? 0) >= limits.signalsPerJob)
      throw new Fault(
        'TOO_MANY_SIGNALS',
        `${limits.signalsPerJob} signals are kept for job ${jobId} and no task has waited for them yet (limit signalsPerJob)`,
      );
    const number = tx.db.query<{ number: number }>(sql.NEXT_SIGNAL).get(seq)?.number ?? 1;
    const row: SignalRow = {
      ...{ job: seq, number, name, replica, payload, payload_sum: sumOf(payload) },
      ...{ sent_by: by.name, sent_at: tx.now, key, task: task?.seq ?? null },
    };
    tx.db
      .statement(sql.PUT_SIGNAL)
      .run(row.job, number, name, replica, payload, row.payload_sum, row.sent_by, row.sent_at, key, row.task);
    const after = { name, ...(replica === null ? {} : { replica }), delivered: task !== null };
    by.audit?.(tx.db, { action: 'job.signal', target: `job:${jobId}`, before: null, after });
    if (task) finishSignalWait(tx, task, row);
    return { delivered: task !== null, repeated: false };
  }
}

function decide(tx: Transaction, id: string, decision: WaitDecision, by: Sender): 'approved' | 'rejected' {
  const row = tx.db.query<ApprovalRowOfTask>(sql.APPROVAL_BY_ID).get(id);
  if (!row || row.task === null) throw new Fault('APPROVAL_NOT_FOUND', `approval request ${id} not found`);
  const wait = row.status === 'open' ? tx.db.query<WaitRow>(sql.WAIT_OF_TASK).get(row.task) : undefined;
  const task = wait?.approval === id ? waitingTask(tx, wait) : null;
  if (!task)
    throw new Fault(
      'ALREADY_DECIDED',
      `approval request ${id} is already ${row.status}, by ${row.decided_by ?? 'nobody'}: it cannot be decided again`,
      { extra: { decision: row.status, decidedBy: row.decided_by } },
    );
  const status = decision.decision === 'approve' ? 'approved' : 'rejected';
  tx.db.statement(sql.END_APPROVAL).run(status, by.name, tx.now, decision.comment, id);
  tx.effects.approvals.push(id);
  by.audit?.(tx.db, {
    action: `approval.${decision.decision}`,
    target: `approval:${id}`,
    before: { status: 'open' },
    after: {
      ...{ status, decidedBy: by.name, comment: decision.comment, kind: 'wait' },
      ...{ jobId: task.job.id, taskId: task.id, node: task.node.id, workflowId: task.job.plan.workflowId },
      ...{ environment: task.job.environment },
    },
  });
  finishApprovalWait(tx, task, { ...decision, id, by: by.name, timedOut: false });
  return status;
}

function waitView(read: ReadHandle, row: WaitRow): Wait {
  // A wait goes with its task, and that with its job.
  const task = read.query<{ id: string; node: string }>(sql.TASK_NAMES).get(row.task);
  const job = read.query<{ id: string; environment: Environment | null }>(sql.JOB_NAMES).get(row.job);
  return {
    taskId: task?.id ?? '',
    jobId: job?.id ?? '',
    workflowId: row.workflow_id,
    environment: job?.environment ?? null,
    node: task?.node ?? '',
    for: row.kind,
    name: row.kind === 'signal' ? row.name : null,
    since: iso(row.since),
    dueAt: iso(row.due_at),
    approvalId: row.approval,
  };
}
