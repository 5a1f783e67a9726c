import type { ReportedFailure } from '../../../contract/worker-protocol.ts';
import { parseJson, withPlainNumbers } from '../../../lib/json.ts';
import { JsonSource } from '../../../lib/packed-inputs.ts';
import { contextOf } from '../../../lib/trace-context.ts';
import { damageIn } from '../../store/whole.ts';
import type { Runnable } from '../../workflows/port.ts';
import { damageFailure } from '../engine/damage-failure.ts';
import { flushTasks } from '../engine/transaction.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { makeJob } from '../lifecycle/submit.ts';
import { loadText } from '../engine/write-rows.ts';
import { TASK_BY_SEQ } from '../engine/sql.ts';
import * as sql from './sql.ts';
import { loadJob, loadTask } from '../engine/load-records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Transaction, ChildCheck } from '../engine/port.ts';
import { failTask } from '../lifecycle/retry.ts';

/** Child jobs that one turn starts, at most, and the inputs of these together, about. */
const CHILDREN_PER_TURN = 32;
const INPUTS_PER_TURN = 200;

/** Starts the children of the tasks that became READY in this turn, and of those that earlier turns left; the rest is noted for later turns. */
export function startChildren(tx: Transaction): void {
  const { totals } = tx.memory;
  const left = { children: CHILDREN_PER_TURN, inputs: INPUTS_PER_TURN };
  const within = () => left.children > 0 && left.inputs > 0;
  if (totals.childrenDue > 0) {
    for (const { task, job } of tx.db
      .query<{ task: number; job: number }>(sql.DUE)
      .all(CHILDREN_PER_TURN + tx.memory.childChecks.size)) {
      if (!within()) break;
      if (tx.memory.childChecks.has(task)) continue;
      totals.childrenDue -= tx.db.statement(sql.DROP_DUE).run(task);
      // A job that was killed since may have been removed since.
      const live = tx.memory.jobs.get(job);
      if (live) flushTasks(tx, live);
      const row = tx.db.query<TaskRow>(TASK_BY_SEQ).get(task);
      if (row?.state === 'READY') spend(left, startChild(tx, loadTask(tx, row), null));
      // Its input was being checked when the master ended.
      else if (row?.state === 'RUNNING' && row.worker_id === null) spend(left, callChild(tx, loadTask(tx, row), null));
    }
  }
  for (const { task, inputText } of tx.childStarts) {
    if (task.facts.state !== 'READY') continue;
    if (within()) spend(left, startChild(tx, task, inputText));
    else totals.childrenDue += tx.db.statement(sql.PUT_DUE).run(task.seq, task.job.seq);
  }
}

function spend(left: { children: number; inputs: number }, inputs: number): void {
  left.children--;
  left.inputs -= inputs;
}

/**
 * A READY task calls its workflow: it is RUNNING from now on, with no worker, until the child job has ended
 * (`children.ts`). `inputText` null: it is read. Gives the number of the child's inputs.
 */
export function startChild(tx: Transaction, task: TaskRecord, inputText: string | null): number {
  applyTaskEvent(tx, task, { on: 'assign', at: Math.max(tx.now, task.facts.readyAt), workerId: null });
  applyTaskEvent(tx, task, { on: 'start', at: Math.max(tx.now, task.facts.readyAt) });
  return callChild(tx, task, inputText);
}

function callChild(tx: Transaction, task: TaskRecord, inputText: string | null): number {
  const called = prepare(tx, task, inputText ?? loadText(tx, task.input, `input of task ${task.id}`));
  if ('failure' in called) {
    failTask(tx, task, tx.now, called.failure);
    return 0;
  }
  const { runnable, inputs } = called;
  if (runnable.definition.input === undefined || !runnable.largeSchema || !tx.checksApart)
    return makeChild(tx, task, runnable, inputs);
  const { childChecks } = tx.memory;
  // Due, but not counted as such: whoever checks it goes on with it.
  tx.db.statement(sql.PUT_DUE).run(task.seq, task.job.seq);
  childChecks.add(task.seq);
  tx.undo.push(() => void childChecks.delete(task.seq));
  tx.effects.childChecks.push({ task: task.seq, attempt: task.facts.attempt, runnable, inputs });
  return inputs.length;
}

/** The check of an input by a costly schema has come to its end: the child is made, or (with what is wrong) its task fails. */
export function endInputCheck(
  tx: Transaction,
  { task: seq, attempt, runnable, inputs }: ChildCheck,
  wrong: string | null,
): void {
  tx.memory.childChecks.delete(seq);
  tx.undo.push(() => void tx.memory.childChecks.add(seq));
  tx.db.statement(sql.DROP_DUE).run(seq);
  const known = tx.db.query<TaskRow>(TASK_BY_SEQ).get(seq);
  if (!known) return;
  flushTasks(tx, loadJob(tx, known.job));
  const row = tx.db.query<TaskRow>(TASK_BY_SEQ).get(seq);
  // It was killed meanwhile, or is another attempt.
  if (row?.state !== 'RUNNING' || row.worker_id !== null || row.attempt !== attempt) return;
  const task = loadTask(tx, row);
  if (wrong === null) makeChild(tx, task, runnable, inputs);
  else
    failTask(
      tx,
      task,
      tx.now,
      final(`the input for ${runnable.workflowId} does not match its input schema: ${wrong}`).failure,
    );
}

function makeChild(tx: Transaction, task: TaskRecord, runnable: Runnable, inputs: readonly unknown[]): number {
  const parent = task.job;
  const job = makeJob(
    tx,
    {
      runnable,
      environment: task.node.child?.environment ?? null,
      kind: 'child',
      inputs,
      externalId: null,
      priority: parent.priority,
      keySeq: parent.keySeq,
      trace: parent.trace && contextOf(parent.trace, task.id, task.facts.attempt),
      replicaRunTimeoutSeconds: null,
      idempotency: null,
      lineage: { rerunOf: null, rerunNode: null, parentTaskId: task.id, parentJobId: parent.id, depth: depthOf(task) },
    },
    tx.plan(runnable.workflowId, runnable.commit),
  );
  tx.db.statement(sql.PUT_CHILD).run(task.seq, parent.seq, job.seq, job.id, tx.now + task.node.runTimeoutMs);
  return inputs.length;
}

const depthOf = ({ job }: TaskRecord): number => (job.lineage?.depth ?? 0) + 1;

/** What is to be called with what, by the rules of the event endpoint; or why not. None of these failures would go away by a retry. */
function prepare(
  tx: Transaction,
  task: TaskRecord,
  text: string,
): { runnable: Runnable; inputs: readonly unknown[] } | { failure: ReportedFailure } {
  const { workflowId, environment } = task.node.child ?? { workflowId: '', environment: 'dev' as const };
  const { childDepth, eventInputs } = tx.limits;
  const damaged = damageIn(text);
  if (damaged !== null) return { failure: damageFailure(tx, damaged) };
  if (depthOf(task) > childDepth)
    return final(
      `child jobs can be nested at most ${childDepth} deep, and ${workflowId} would exceed that: check whether the workflow calls itself`,
    );
  const endpoint = tx.endpoint(workflowId, environment);
  if (endpoint.found === 'workflow-unknown')
    return final(`workflow ${workflowId} not found: it was archived, or the ID is wrong`);
  if (endpoint.found === 'not-published')
    return final(`workflow ${workflowId} is not published to ${environment}: publish a version, then retry`);
  const { runnable } = endpoint;
  // An object that nobody has to look into goes on as the text it is.
  if (text.startsWith('{') && runnable.definition.input === undefined)
    return { runnable, inputs: [new JsonSource(text)] };
  const value = parseJson(text);
  const inputs = Array.isArray(value) ? value : [value];
  if (inputs.length > eventInputs)
    return final(`the input contains ${inputs.length} inputs for ${workflowId}; the maximum is ${eventInputs}`);
  const budget = { steps: tx.limits.schemaSteps };
  for (const [i, input] of inputs.entries()) {
    const at = Array.isArray(value) ? `input ${i}` : 'the input';
    if (input === null || typeof input !== 'object' || Array.isArray(input))
      return final(
        `${at} for ${workflowId} must be an object${Array.isArray(value) ? '' : ', or an array of objects'}`,
      );
    const isApart = runnable.largeSchema === true && tx.checksApart;
    const [fault] =
      (runnable.definition.input === undefined || isApart
        ? null
        : runnable.checkInput(withPlainNumbers(input), budget)) ?? [];
    if (fault)
      return final(
        `${at} for ${workflowId} does not match its input schema: ${fault.pointer === '' ? 'the input' : fault.pointer} ${fault.message}`,
      );
  }
  return { runnable, inputs };
}

const final = (message: string): { failure: ReportedFailure } => ({
  failure: { code: 'NON_RETRYABLE', message, retryable: false },
});
