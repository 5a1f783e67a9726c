import type { TaskFailure } from '../../../contract/worker-protocol.ts';
import { parseJson, withPlainNumbers } from '../../../lib/json.ts';
import { JsonSource } from '../../../lib/packed.ts';
import type { Runnable } from '../../workflows/port.ts';
import { flushTasks } from '../flush.ts';
import type { TaskRecord } from '../records.ts';
import type { TaskRow } from '../rows.ts';
import { fail } from '../settle.ts';
import { makeJob } from '../submit.ts';
import { loadTask, step, type Unit } from '../unit.ts';
import { textOf } from '../write.ts';
import * as sql from './sql.ts';

/** Child jobs that one turn starts, at most, and the inputs of these together, about. */
const CHILDREN_PER_TURN = 32;
const INPUTS_PER_TURN = 200;

/** Starts the children of the tasks that became READY in this turn, and of those that earlier turns left; the rest is noted for later turns. */
export function startChildren(unit: Unit): void {
  const { totals } = unit.memory;
  const left = { children: CHILDREN_PER_TURN, inputs: INPUTS_PER_TURN };
  const within = () => left.children > 0 && left.inputs > 0;
  if (totals.childrenDue > 0) {
    for (const { task, job } of unit.db.query<{ task: number; job: number }>(sql.DUE).all(CHILDREN_PER_TURN)) {
      if (!within()) break;
      totals.childrenDue -= unit.db.statement(sql.DROP_DUE).run(task);
      // A job that was killed since may have been removed since.
      const live = unit.memory.jobs.get(job);
      if (live) flushTasks(unit, live);
      const row = unit.db.query<TaskRow>(sql.TASK_BY_SEQ).get(task);
      if (row?.state === 'READY') spend(left, startChild(unit, loadTask(unit, row), null));
    }
  }
  for (const { task, inputText } of unit.starts) {
    if (task.facts.state !== 'READY') continue;
    if (within()) spend(left, startChild(unit, task, inputText));
    else totals.childrenDue += unit.db.statement(sql.PUT_DUE).run(task.seq, task.job.seq);
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
export function startChild(unit: Unit, task: TaskRecord, inputText: string | null): number {
  step(unit, task, { on: 'assign', at: Math.max(unit.now, task.facts.readyAt), workerId: null });
  step(unit, task, { on: 'start', at: Math.max(unit.now, task.facts.readyAt) });
  const called = prepare(unit, task, inputText ?? textOf(unit, task.input));
  if ('failure' in called) {
    fail(unit, task, unit.now, called.failure);
    return 0;
  }
  const { runnable, inputs } = called;
  const parent = task.job;
  const job = makeJob(
    unit,
    {
      runnable,
      environment: task.node.child?.environment ?? null,
      kind: 'child',
      inputs,
      externalId: null,
      priority: parent.priority,
      keySeq: parent.keySeq,
      replicaRunTimeoutSeconds: null,
      idempotency: null,
      lineage: { rerunOf: null, rerunNode: null, parentTaskId: task.id, parentJobId: parent.id, depth: depthOf(task) },
    },
    unit.plan(runnable.workflowId, runnable.commit),
  );
  unit.db.statement(sql.PUT_CHILD).run(task.seq, parent.seq, job.seq, job.id, unit.now + task.node.runTimeoutMs);
  return inputs.length;
}

const depthOf = ({ job }: TaskRecord): number => (job.lineage?.depth ?? 0) + 1;

/** What is to be called with what, by the rules of the event endpoint; or why not. None of these failures would go away by a retry. */
function prepare(unit: Unit, task: TaskRecord, text: string): { runnable: Runnable; inputs: readonly unknown[] } | { failure: TaskFailure } {
  const { workflowId, environment } = task.node.child ?? { workflowId: '', environment: 'dev' as const };
  const { childDepth, eventInputs } = unit.limits;
  if (depthOf(task) > childDepth) return final(`workflows that call each other may be ${childDepth} deep; ${workflowId} would be deeper: does it call itself?`);
  const endpoint = unit.endpoint(workflowId, environment);
  if (endpoint.found === 'workflow-unknown') return final(`there is no workflow ${workflowId}: it was archived, or its id is wrong`);
  if (endpoint.found === 'not-published') return final(`nothing of ${workflowId} is published to ${environment}: publish a version, then retry`);
  const { runnable } = endpoint;
  // An object that nobody has to look into goes on as the text it is.
  if (text.startsWith('{') && runnable.definition.input === undefined) return { runnable, inputs: [new JsonSource(text)] };
  const value = parseJson(text);
  const inputs = Array.isArray(value) ? value : [value];
  if (inputs.length > eventInputs) return final(`the input holds ${inputs.length} inputs for ${workflowId}, more than ${eventInputs}`);
  const budget = { steps: unit.limits.schemaSteps };
  for (const [i, input] of inputs.entries()) {
    const at = Array.isArray(value) ? `input ${i}` : 'the input';
    if (input === null || typeof input !== 'object' || Array.isArray(input)) return final(`${at} for ${workflowId} must be an object${Array.isArray(value) ? '' : ', or an array of objects'}`);
    const [fault] = (runnable.definition.input === undefined ? null : runnable.checkInput(withPlainNumbers(input), budget)) ?? [];
    if (fault) return final(`${at} for ${workflowId} does not meet its input schema: ${fault.pointer === '' ? 'it' : fault.pointer} ${fault.message}`);
  }
  return { runnable, inputs };
}

const final = (message: string): { failure: TaskFailure } => ({ failure: { code: 'NON_RETRYABLE', message, retryable: false } });
