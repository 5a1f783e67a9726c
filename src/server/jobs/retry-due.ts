import type { ReadHandle } from '../store/port.ts';
import type { Crew } from './crew.ts';
import type { Engine } from './engine.ts';
import { isFor } from './floor.ts';
import type { Memory } from './memory.ts';
import type { TaskRecord } from './records.ts';
import type { TaskRow } from './rows.ts';
import { retryTask } from './settle.ts';
import { DUE_RETRIES } from './sql.ts';
import { loadTask, type Unit } from './unit.ts';

/** Weight of a slice: it has a turn of its own. Turns of one check in which none could be retried. */
const WEIGHT = 200;
const IDLE_TURNS = 20;

export const START = { at: 0, seq: 0 } as const;

/**
 * Makes FAILED tasks READY whose back-off is over. A retry needs a worker that is healthy and available, and has
 * registered the handler where the task needs one; those that have none are passed over and hold nobody else up. Where
 * they are many, the next check goes on where this one ended.
 */
export async function retryDue({ engine, read, memory, crew }: { engine: Engine; read: ReadHandle; memory: Memory; crew: Crew }, now: number): Promise<void> {
  const any = () => read.query(DUE_RETRIES).get(now, memory.retryFrom.at, memory.retryFrom.seq, 1) !== undefined;
  let wrapped = memory.retryFrom.at === 0;
  for (let idle = 0; idle < IDLE_TURNS; ) {
    if (!any()) {
      memory.retryFrom = START;
      if (wrapped) return;
      wrapped = true;
      continue;
    }
    const retried = await engine.enqueue(WEIGHT, (unit) => slice(unit, crew, now));
    if (retried === 0) idle++;
  }
}

function slice(unit: Unit, crew: Crew, now: number): number {
  const { memory } = unit;
  const rows = unit.db.query<TaskRow>(DUE_RETRIES).all(now, memory.retryFrom.at, memory.retryFrom.seq, memory.pace.steps);
  const last = rows.at(-1);
  if (last) memory.retryFrom = { at: last.retry_at ?? 0, seq: last.seq };
  return rows.filter((row) => {
    const task = loadTask(unit, row);
    return canRun(crew, task) && retryTask(unit, task, 'check');
  }).length;
}

function canRun(crew: Crew, { node }: TaskRecord): boolean {
  // A task that calls a workflow is run by the master itself.
  if (node.child !== null) return true;
  for (const station of crew.stations()) if (station.accepting && isFor(station, node.handler)) return true;
  return false;
}
