import type { WriteHandle } from '../../store/port.ts';
import type { Crew } from '../queue/worker-pool.ts';
import type { Memory } from '../engine/memory.ts';
import type { TaskRecord } from '../engine/records.ts';
import { chainOf } from '../queue/dispatch.ts';
import { fail } from './complete-task.ts';
import { loadTask, type Unit } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { LEASED, OPEN_BY_JOB, RECOUNT_JOB } from '../engine/sql.ts';

/**
 * After a restart of the master: leases of the database are taken back into memory. Their workers may come back with
 * the same id and go on; those that stay away become Down, and their tasks are lost.
 */
export function recoverLeases(unit: Unit): void {
  for (const state of ['SCHEDULED', 'RUNNING']) {
    for (const row of unit.db.query<TaskRow>(LEASED).all(state)) {
      const task = loadTask(unit, row);
      task.chain = chainOf(task);
      task.job.held++;
      unit.memory.leased.set(task.id, task);
      unit.memory.gates.took(task.job);
      const station = task.facts.workerId === null ? undefined : unit.crew.station(task.facts.workerId);
      if (station) station.load++;
    }
  }
}

/**
 * Counts the open tasks of jobs anew. Leases are written late and the job's row is not, so that after a crash it may
 * count tasks as handed out whose rows say READY; all other counts are written with their tasks. Before anything is read.
 */
export function recountOpenTasks(db: WriteHandle): void {
  const counts = new Map<number, Record<'READY' | 'SCHEDULED' | 'RUNNING', number>>();
  for (const { job, state, n } of db
    .query<{ job: number; state: 'READY' | 'SCHEDULED' | 'RUNNING'; n: number }>(OPEN_BY_JOB)
    .all()) {
    const known = counts.get(job) ?? { READY: 0, SCHEDULED: 0, RUNNING: 0 };
    counts.set(job, { ...known, [state]: n });
  }
  for (const [job, { READY, SCHEDULED, RUNNING }] of counts)
    db.statement(RECOUNT_JOB).run(READY, SCHEDULED, RUNNING, job, READY, SCHEDULED, RUNNING);
}

/**
 * Leases of workers that nobody waits for: forgotten ones, and ones that are Down. Of those a master that dies between
 * its finding that one is Down and the loss of its leases leaves some behind.
 */
export function orphans({ leased }: Memory, crew: Crew): TaskRecord[] {
  return [...leased.values()].filter(
    ({ facts: { workerId } }) => workerId === null || (crew.station(workerId)?.state ?? 'Down') === 'Down',
  );
}

/** True where there are more than one turn takes. */
export function loseOrphans(unit: Unit): boolean {
  const gone = orphans(unit.memory, unit.crew);
  for (const task of gone.slice(0, LOST_PER_TURN))
    lose(unit, task, task.facts.workerId === null ? 'it has no worker' : `worker ${task.facts.workerId} was lost`);
  return gone.length > LOST_PER_TURN;
}

/** Leases that one turn loses, at most: a worker may hold thousands. */
export const LOST_PER_TURN = 100;

/** A worker is Down: what it held is lost. True where it holds more than one turn takes. */
export function loseWorker(unit: Unit, workerId: string): boolean {
  const held = heldBy(unit.memory, workerId);
  for (const task of held.slice(0, LOST_PER_TURN)) lose(unit, task, `worker ${workerId} was lost`);
  return held.length > LOST_PER_TURN;
}

/** A lease as it was when somebody looked. */
export interface Lost {
  readonly task: TaskRecord;
  readonly attempt: number;
}

/**
 * A worker came (back) with these leases. Ours that it does not hold never reached it or were dropped: lost. Its that
 * are not ours any more are told to it. Gives the lost ones, which `loseReturned` takes slice by slice.
 */
export function reconcile(unit: Unit, workerId: string, running: readonly { id: string; attempt: number }[]): Lost[] {
  const held = new Map(running.map(({ id, attempt }) => [id, attempt]));
  const gone: Lost[] = [];
  for (const task of heldBy(unit.memory, workerId)) {
    if (held.get(task.id) === task.facts.attempt) {
      held.delete(task.id);
      keepChain(task, held);
    } else gone.push({ task, attempt: task.facts.attempt });
  }
  for (const [id, attempt] of held) unit.effects.lost.push({ workerId, id, attempt });
  return gone;
}

/** The rest of a chain is held too, though its tasks do not exist yet. What of it was dropped is handed out when its turn comes. */
function keepChain(task: TaskRecord, held: Map<string, number>): void {
  const dropped = task.chain.findIndex(({ id }) => held.get(id) !== 1);
  if (dropped >= 0) task.chain = task.chain.slice(0, dropped);
  for (const { id } of task.chain) held.delete(id);
}

/** These did not come back with their worker. One that ended meanwhile stays as it is. */
export function loseReturned(unit: Unit, workerId: string, gone: readonly Lost[]): void {
  for (const { task, attempt } of gone) {
    if (unit.memory.leased.get(task.id) === task && task.facts.workerId === workerId && task.facts.attempt === attempt)
      lose(unit, task, `worker ${workerId} came back without the task`);
  }
}

/** The worker, asked what it holds (`verify-leases.ts`), says that it does not hold these. */
export function loseGone(unit: Unit, workerId: string, gone: readonly { id: string; attempt: number }[]): void {
  for (const { id, attempt } of gone) {
    const task = unit.memory.leased.get(id);
    if (task?.facts.workerId === workerId && task.facts.attempt === attempt)
      lose(unit, task, `worker ${workerId} does not hold the task any more`);
  }
}

const heldBy = ({ leased }: Memory, workerId: string): TaskRecord[] =>
  [...leased.values()].filter(({ facts }) => facts.workerId === workerId);

const lose = (unit: Unit, task: TaskRecord, message: string): void =>
  fail(unit, task, unit.now, { code: 'WORKER_LOST', message, retryable: true });
