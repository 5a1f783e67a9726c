import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import { completeTask } from './complete-task.ts';
import { takeMapItems } from '../foreach/map-items.ts';
import type { TaskRecord } from '../engine/records.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Memory, Transaction } from '../engine/port.ts';
import { beginWait } from '../waits/begin-wait.ts';
import { failTask } from './retry.ts';

/** Takes a frame of reports in: each under its lease (task id, attempt); stale ones change nothing and are answered `lost`. */
export function takeReports(tx: Transaction, workerId: string, reports: readonly TaskReport[]): void {
  let toCome: ReadonlySet<string> | null = null;
  for (const report of reports) {
    const task = tx.memory.leased.get(report.id);
    if (task?.facts.workerId === workerId && task.facts.attempt === report.attempt) takeReport(tx, task, report);
    else {
      toCome ??= chainedTaskIds(tx.memory, workerId);
      // Told that this is lost, the worker would drop it from the chain that it runs now.
      if (!toCome.has(report.id)) tx.effects.lostLeases.push({ workerId, id: report.id, attempt: report.attempt });
    }
  }
}

/** Tasks that come into being at a worker, once those before them in their chains have ended. An earlier try at the chain may have come to them already, under the same names. */
const chainedTaskIds = ({ leased }: Memory, workerId: string): ReadonlySet<string> =>
  new Set(
    [...leased.values()].flatMap(({ facts, chain }) => (facts.workerId === workerId ? chain.map(({ id }) => id) : [])),
  );

function takeReport(tx: Transaction, task: TaskRecord, report: TaskReport): void {
  // The worker's clock is not ours: times are brought between the assignment and now, to whole milliseconds.
  const within = (at: number): number =>
    Math.min(
      Math.max(Math.floor(at), task.facts.startedAt ?? task.facts.scheduledAt ?? 0),
      Math.max(tx.now, task.facts.scheduledAt ?? 0),
    );
  if (report.e === 'start') {
    applyTaskEvent(tx, task, { on: 'start', at: within(report.at) });
    return;
  }
  if (report.startedAt !== null && task.facts.state === 'SCHEDULED')
    applyTaskEvent(tx, task, { on: 'start', at: within(report.startedAt) });
  // By the worker's own clock alone: the other end of `within` is ours. A clock that was set meanwhile makes any number of it.
  if (task.node.computes && report.startedAt !== null)
    tx.memory.runTimes.record(task.node, Math.min(Math.max(0, report.at - report.startedAt), task.node.runTimeoutMs));
  if (report.e === 'fail') {
    failTask(tx, task, within(report.at), report.error);
    return;
  }
  if (report.e === 'items') {
    const failure = takeMapItems(tx, task, report);
    if (failure) failTask(tx, task, within(report.at), failure);
    return;
  }
  const { wait } = task.node;
  if (wait !== null) beginWait(tx, task, wait, report.output, within(report.at));
  else completeTask(tx, task, jsonTextOf(report.output), within(report.at), report.port ?? null);
}
