import {
  livePredecessors,
  nodeStates,
  nodeStatesAfter,
  type Graph,
  type NodeProgress,
} from '../../../contract/graph.ts';
import { createTask, measureInput, dispatchOrEnqueue } from '../queue/dispatch.ts';
import type { JobRecord, TaskRecord, TextRef } from '../engine/records.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import { forgetReplica, readProgress, recordProgress } from '../engine/replica-progress.ts';
import type { TaskRow } from '../engine/rows.ts';
import { reserveOutput } from '../foreach/count-items.ts';
import { flushForeachRecords, foreachText, type ForeachRow } from '../foreach/records.ts';
import { FOREACH_NODES_OF_REPLICA } from '../foreach/sql.ts';
import * as sql from '../engine/sql.ts';
import { storeText, loadText } from '../engine/write-rows.ts';
import { damageIn } from '../../store/whole.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction } from '../engine/port.ts';
import { failTask } from './retry.ts';

/** A RUNNING task has its output (JSON text): what it made possible is made in the same transaction. */
export function completeTask(tx: Transaction, task: TaskRecord, text: string, at: number, port: string | null): void {
  const { taskOutputBytes } = tx.limits;
  if (text.length > taskOutputBytes) {
    const message = `the output has ${text.length} characters of JSON; the maximum is ${taskOutputBytes}. Return less data, or a reference to it`;
    failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (task.item !== null && !reserveOutput(tx, task, text)) {
    const message = `the outputs of all items exceed ${taskOutputBytes} characters of JSON: return less data, or references to it`;
    failTask(tx, task, at, { code: 'NON_RETRYABLE', message, retryable: false });
    return;
  }
  if (!applyTaskEvent(tx, task, { on: 'finish', at })) return;
  const attempt = tx.effects.endedAttempts.at(-1);
  if (attempt?.task === task) attempt.outputText = text;
  task.output = storeText(tx, task.job.seq, text);
  // What the items come to is their list's business, at the end of the turn.
  if (task.item !== null) return;
  task.port = port;
  recordProgress(task);
  scheduleSuccessors(tx, task, text);
}

/**
 * Makes what a completed task has made possible, in the same transaction: the successors that are due now, or the
 * replica's output. `outputText` is the task's output.
 */
function scheduleSuccessors(tx: Transaction, task: TaskRecord, outputText: string): void {
  const { simple } = task.node;
  if (simple) {
    for (const next of simple.next) scheduleSuccessor(tx, task, next, outputText);
    if (simple.isOutput) storeReplicaOutput(tx, task.job, task.replica, outputOfTask(task.seq), outputText);
  } else scheduleInReplica(tx, task.job, task.replica, task.facts.finishedAt ?? tx.now, task.node.id);
}

/** A successor whose only predecessor is `task`. Under a chain its worker has it already. */
function scheduleSuccessor(tx: Transaction, task: TaskRecord, next: string, inputText: string): void {
  const { job, replica, facts } = task;
  const node = job.plan.nodes.get(next);
  if (!node) return;
  const at = facts.finishedAt ?? tx.now;
  const [leased, ...chain] = task.chain;
  const input = outputOfTask(task.seq);
  if (leased?.node === next && facts.workerId !== null) {
    const successor = createTask(tx, { job, node, replica, input, at, reason: 'predecessor completed', id: leased.id });
    successor.chain = chain;
    measureInput(successor, inputText);
    applyTaskEvent(tx, successor, { on: 'assign', at, workerId: facts.workerId });
  } else
    dispatchOrEnqueue(
      tx,
      createTask(tx, { job, node, replica, input, at, reason: 'predecessor completed' }),
      inputText,
      true,
    );
}

/**
 * The general case: joins, conditions and forEach nodes look at what the replica has made. `at`: when what is due became so;
 * `from`: the node that has ended, null to look at the whole graph.
 */
export function scheduleInReplica(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  at: number,
  from: string | null,
): void {
  const { graph, nodes } = job.plan;
  const kept = job.progress?.get(replica);
  if (!kept) flushTasks(tx, job);
  const made = kept?.made ?? readProgress(tx, job, replica);
  const foreachs = job.plan.hasForeach
    ? new Map(foreachNodesOfReplica(tx, job, replica).map((foreach) => [foreach.node, foreach]))
    : null;
  const progress: Given<NodeProgress> = {
    get(id) {
      const foreach = foreachs?.get(id);
      return foreach ? { done: foreach.phase === 'done' } : made.get(id);
    },
  };
  const outputs: Given<TextRef> = {
    get(id) {
      const foreach = foreachs?.get(id);
      if (foreach) return foreachText(foreach, 'output');
      const task = made.get(id);
      return task && outputOfTask(task.seq);
    },
  };
  const { changed, standing } = from === null ? wholeGraph(graph, progress) : nodeStatesAfter(graph, progress, from);
  for (const id of changed) {
    const stands = standing.get(id);
    if (id === graph.outputId && stands === 'skipped')
      storeReplicaOutput(tx, job, replica, storeText(tx, job.seq, 'null'), 'null');
    if (stands !== 'due') continue;
    // The outputs may be of this turn.
    flushTasks(tx, job);
    const { ref, text } = inputOf(
      tx,
      job,
      replica,
      id,
      livePredecessors(graph, progress, standing, id),
      outputs,
      made.size,
    );
    const node = nodes.get(id);
    if (id === graph.outputId) storeReplicaOutput(tx, job, replica, ref, text);
    else if (node)
      dispatchOrEnqueue(
        tx,
        createTask(tx, { job, node, replica, input: ref, at, reason: 'predecessors done' }),
        text,
        true,
      );
  }
  if (from !== null && changed.includes(graph.outputId)) forgetReplica(tx.memory.progress, job, replica);
}

type Given<V> = Pick<ReadonlyMap<string, V>, 'get'>;

function wholeGraph(graph: Graph, progress: Given<NodeProgress>) {
  const standing = nodeStates(graph, progress);
  return { changed: graph.order, standing };
}

/** A node's input from the predecessors that ran: the one's output, or with several edges what its `join` says. */
function inputOf(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  id: string,
  live: readonly string[],
  outputs: Given<TextRef>,
  made: number,
): { ref: TextRef; text: string } {
  const { graph } = job.plan;
  const single = (graph.incoming.get(id) ?? []).length === 1 || graph.nodes.get(id)?.join === 'value';
  const wide = !single && live.length > FEW && live.length * FEW > made ? outputsOf(tx, job, replica) : null;
  const texts = (single ? live.slice(0, 1) : live).map((from) => ({
    from,
    text: wide?.get(outputs.get(from)?.task ?? 0) ?? outputText(tx, job, replica, from, outputs.get(from)),
  }));
  const first = texts[0];
  const ref = first && outputs.get(first.from);
  if (single && first && ref) return { ref, text: first.text };
  // What is made of something damaged is damaged.
  const damaged = texts.find(({ text }) => damageIn(text) !== null);
  const text =
    single || damaged
      ? ((damaged ?? first)?.text ?? 'null')
      : `{${texts.map(({ from, text }) => `${JSON.stringify(from)}:${text}`).join(',')}}`;
  return { ref: storeText(tx, job.seq, text), text };
}

/** Predecessors whose outputs are read one by one; those of more in one go with all of the replica, unless that has as many times more. */
const FEW = 16;

function outputsOf(tx: Transaction, job: JobRecord, replica: number): ReadonlyMap<number, string | null> {
  return new Map(
    tx.db
      .query<{ seq: number; text: string | null }>(sql.OUTPUTS_OF_REPLICA)
      .all(job.seq, replica)
      .map(({ seq, text }) => [seq, text]),
  );
}

/** Output of a node that ran; the input node hands on the replica's input, which the first tasks were given. */
function outputText(tx: Transaction, job: JobRecord, replica: number, node: string, kept: TextRef | undefined): string {
  if (kept) return loadText(tx, kept, `output of node ${node} in replica ${replica} of job ${job.id}`);
  const first = job.plan.first[0] ?? '';
  const task = tx.db.query<TaskRow & { input_text: string | null }>(sql.INPUT_OF_REPLICA).get(job.seq, replica, first);
  if (task) return task.input_text ?? 'null';
  const foreach = job.plan.hasForeach
    ? foreachNodesOfReplica(tx, job, replica).find(({ node }) => node === first)
    : undefined;
  return foreach ? loadText(tx, foreachText(foreach, 'input'), `input of replica ${replica} of job ${job.id}`) : 'null';
}

function foreachNodesOfReplica(tx: Transaction, job: JobRecord, replica: number): ForeachRow[] {
  flushForeachRecords(tx);
  return tx.db.query<ForeachRow>(FOREACH_NODES_OF_REPLICA).all(job.seq, replica);
}

/** Notes where the output of a replica is kept. */
export function storeReplicaOutput(tx: Transaction, job: JobRecord, replica: number, ref: TextRef, text: string): void {
  if (job.inputCount === 1) {
    touchJob(tx, job);
    job.output = ref;
    tx.effects.outputs.set(job.seq, text);
  } else if (ref.text === null && ref.payload === null)
    tx.db.statement(sql.PUT_REPLICA_OF_TASK).run(job.seq, replica, ref.task);
  else tx.db.statement(sql.PUT_REPLICA).run(job.seq, replica, ref.task, ref.text, ref.sum, ref.payload);
}

export const outputOfTask = (taskSeq: number): TextRef => ({ text: null, sum: null, payload: null, task: taskSeq });
