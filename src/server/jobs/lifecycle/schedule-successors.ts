import { livePredecessors, standings, standingsAfter, type Graph, type NodeProgress } from '../../../contract/graph.ts';
import { bear, measure, place } from '../queue/dispatch.ts';
import { outputOf, type JobRecord, type TaskRecord, type TextRef } from '../engine/records.ts';
import { flushTasks } from '../engine/flush.ts';
import { forgetReplica, readProgress } from '../engine/replica-progress.ts';
import { step, touchJob, type Unit } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { flushFans, type FanRow } from '../foreach/records.ts';
import { FANS_OF_REPLICA } from '../foreach/sql.ts';
import * as sql from '../engine/sql.ts';
import { keepText, textOf } from '../engine/write-rows.ts';

/**
 * Makes what a completed task has made possible, in the same transaction: the successors that are due now, or the
 * replica's output. `outputText` is the task's output.
 */
export function advance(unit: Unit, task: TaskRecord, outputText: string): void {
  const { simple } = task.node;
  if (simple) {
    for (const next of simple.next) succeed(unit, task, next, outputText);
    if (simple.isOutput) putOutput(unit, task.job, task.replica, outputOf(task.seq), outputText);
  } else advanceReplica(unit, task.job, task.replica, task.facts.finishedAt ?? unit.now, task.node.id);
}

/** A successor whose only predecessor is `task`. Under a chain its worker has it already. */
function succeed(unit: Unit, task: TaskRecord, next: string, inputText: string): void {
  const { job, replica, facts } = task;
  const node = job.plan.nodes.get(next);
  if (!node) return;
  const at = facts.finishedAt ?? unit.now;
  const [leased, ...chain] = task.chain;
  const input = outputOf(task.seq);
  if (leased?.node === next && facts.workerId !== null) {
    const successor = bear(unit, { job, node, replica, input, at, reason: 'predecessor completed', id: leased.id });
    successor.chain = chain;
    measure(successor, inputText);
    step(unit, successor, { on: 'assign', at, workerId: facts.workerId });
  } else place(unit, bear(unit, { job, node, replica, input, at, reason: 'predecessor completed' }), inputText, true);
}

/**
 * The general case: joins, conditions and fan-outs look at what the replica has made. `at`: when what is due became so;
 * `from`: the node that has ended, null to look at the whole graph.
 */
export function advanceReplica(unit: Unit, job: JobRecord, replica: number, at: number, from: string | null): void {
  const { graph, nodes } = job.plan;
  const kept = job.progress?.get(replica);
  if (!kept) flushTasks(unit, job);
  const made = kept?.made ?? readProgress(unit, job, replica);
  const fans = job.plan.fans ? new Map(fansOfReplica(unit, job, replica).map((fan) => [fan.node, fan])) : null;
  const progress: Given<NodeProgress> = {
    get(id) {
      const fan = fans?.get(id);
      return fan ? { done: fan.phase === 'done' } : made.get(id);
    },
  };
  const outputs: Given<TextRef> = {
    get(id) {
      const fan = fans?.get(id);
      if (fan) return { text: fan.output, payload: fan.output_payload, task: null };
      const task = made.get(id);
      return task && outputOf(task.seq);
    },
  };
  const { changed, standing } = from === null ? wholeGraph(graph, progress) : standingsAfter(graph, progress, from);
  for (const id of changed) {
    const stands = standing.get(id);
    if (id === graph.outputId && stands === 'skipped')
      putOutput(unit, job, replica, { text: 'null', payload: null, task: null }, 'null');
    if (stands !== 'due') continue;
    // The outputs may be of this turn.
    flushTasks(unit, job);
    const { ref, text } = inputOf(
      unit,
      job,
      replica,
      id,
      livePredecessors(graph, progress, standing, id),
      outputs,
      made.size,
    );
    const node = nodes.get(id);
    if (id === graph.outputId) putOutput(unit, job, replica, ref, text);
    else if (node)
      place(unit, bear(unit, { job, node, replica, input: ref, at, reason: 'predecessors done' }), text, true);
  }
  if (from !== null && changed.includes(graph.outputId)) forgetReplica(unit.memory.progress, job, replica);
}

type Given<V> = Pick<ReadonlyMap<string, V>, 'get'>;

function wholeGraph(graph: Graph, progress: Given<NodeProgress>) {
  const standing = standings(graph, progress);
  return { changed: graph.order, standing };
}

/** A node's input from the predecessors that ran: the one's output, or with several edges what its `join` says. */
function inputOf(
  unit: Unit,
  job: JobRecord,
  replica: number,
  id: string,
  live: readonly string[],
  outputs: Given<TextRef>,
  made: number,
): { ref: TextRef; text: string } {
  const { graph } = job.plan;
  const single = (graph.incoming.get(id) ?? []).length === 1 || graph.nodes.get(id)?.join === 'value';
  const wide = !single && live.length > FEW && live.length * FEW > made ? outputsOf(unit, job, replica) : null;
  const texts = (single ? live.slice(0, 1) : live).map((from) => ({
    from,
    text: wide?.get(outputs.get(from)?.task ?? 0) ?? outputText(unit, job, replica, outputs.get(from)),
  }));
  const first = texts[0];
  const ref = first && outputs.get(first.from);
  if (single && first && ref) return { ref, text: first.text };
  const text = single
    ? (first?.text ?? 'null')
    : `{${texts.map(({ from, text }) => `${JSON.stringify(from)}:${text}`).join(',')}}`;
  return { ref: keepText(unit, job.seq, text), text };
}

/** Predecessors whose outputs are read one by one; those of more in one go with all of the replica, unless that has as many times more. */
const FEW = 16;

function outputsOf(unit: Unit, job: JobRecord, replica: number): ReadonlyMap<number, string | null> {
  return new Map(
    unit.db
      .query<{ seq: number; text: string | null }>(sql.OUTPUTS_OF_REPLICA)
      .all(job.seq, replica)
      .map(({ seq, text }) => [seq, text]),
  );
}

/** Output of a node that ran; the input node hands on the replica's input, which the first tasks were given. */
function outputText(unit: Unit, job: JobRecord, replica: number, kept: TextRef | undefined): string {
  if (kept) return textOf(unit, kept);
  const first = job.plan.first[0] ?? '';
  const task = unit.db
    .query<TaskRow & { input_text: string | null }>(sql.INPUT_OF_REPLICA)
    .get(job.seq, replica, first);
  if (task) return task.input_text ?? 'null';
  const fan = job.plan.fans ? fansOfReplica(unit, job, replica).find(({ node }) => node === first) : undefined;
  return fan ? textOf(unit, { text: fan.input, payload: fan.input_payload, task: fan.input_task }) : 'null';
}

function fansOfReplica(unit: Unit, job: JobRecord, replica: number): FanRow[] {
  flushFans(unit);
  return unit.db.query<FanRow>(FANS_OF_REPLICA).all(job.seq, replica);
}

/** Notes where the output of a replica is kept. */
export function putOutput(unit: Unit, job: JobRecord, replica: number, ref: TextRef, text: string): void {
  if (job.inputCount === 1) {
    touchJob(unit, job);
    job.output = ref;
    unit.effects.outputs.set(job.seq, text);
  } else unit.db.statement(sql.PUT_REPLICA).run(job.seq, replica, ref.task, ref.text, ref.payload);
}
