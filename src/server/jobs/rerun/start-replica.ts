import { uuidv7 } from '../../../lib/uuid.ts';
import { newTask } from '../../state-machines/task.ts';
import { scheduleInReplica } from '../lifecycle/complete-task.ts';
import { historyLine } from '../../state-machines/task-history.ts';
import { createTask, dispatchOrEnqueue } from '../queue/dispatch.ts';
import type { PlanNode } from '../engine/plan.ts';
import type { JobRecord, TaskRecord, TextRef } from '../engine/records.ts';
import { touchTask } from '../engine/transaction.ts';
import { storeText } from '../engine/write-rows.ts';
import { finishedNodes, planReuse, type FinishedNode } from './reuse.ts';
import * as sql from './sql.ts';
import { countInJob } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';

/**
 * Begins a replica of a rerun at one of its nodes. What finished before and does not depend on it becomes a COMPLETED
 * task of this job with the same input, output and port: so the job's page, counters and joins need to know nothing of
 * the job it comes from, which retention may remove. A forEach that is taken over is one task with the whole list.
 */
export function startReplicaFrom(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  from: string,
  input: TextRef,
  text: string,
): void {
  const { plan, lineage } = job;
  const source = tx.db.query<{ seq: number }>(sql.JOB_SEQ).get(lineage?.rerunOf ?? '');
  const found = source ? finishedNodes(tx.db, source.seq, replica) : new Map<string, FinishedNode>();
  const { nodes, due } = planReuse(plan.graph, found, from);
  for (const id of nodes) {
    const node = plan.nodes.get(id);
    const finished = found.get(id);
    if (node && finished) reuse(tx, job, replica, node, finished);
  }
  const node = plan.nodes.get(from);
  if (node)
    dispatchOrEnqueue(
      tx,
      createTask(tx, { job, node, replica, input, at: tx.now, reason: 'rerun from here' }),
      text,
      false,
    );
  if (due) scheduleInReplica(tx, job, replica, tx.now, null);
}

function reuse(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  node: PlanNode,
  { id, port, input, output }: FinishedNode,
): void {
  const at = tx.now;
  const task: TaskRecord = {
    seq: tx.memory.totals.nextTask++,
    id: uuidv7(at),
    job,
    node,
    replica,
    item: null,
    facts: { ...newTask(at, node.retries), state: 'COMPLETED', finishedAt: at },
    withheld: false,
    input: storeText(tx, job.seq, input),
    output: storeText(tx, job.seq, output),
    port,
    leasedAs: 'other',
    chain: [],
    inputBytes: 0,
    inputEvents: 1,
    historyLines: historyLine(
      null,
      'COMPLETED',
      at,
      1,
      null,
      id === null ? 'list reused from the earlier job' : `reused from task ${id}`,
    ),
    retryEntries: '',
    stored: null,
  };
  touchTask(tx, task);
  countInJob(tx, task, null, at);
}
