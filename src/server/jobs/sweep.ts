import type { Limits } from '../../contract/limits.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import type { Crew } from './crew.ts';
import type { Engine } from './engine.ts';
import { endReplicas } from './kill.ts';
import type { Memory } from './memory.ts';
import { retryDue } from './retry-due.ts';
import { flushTasks } from './flush.ts';
import { loadTask, step, type Unit } from './unit.ts';
import type { TaskRow } from './rows.ts';
import { FORGET_IDEMPOTENT, OVERDUE_JOBS, OVERDUE_READY } from './sql.ts';

/** Tasks that one turn of the sweep takes; while there are more it goes on at once. */
const SLICE = 200;
/** Idempotency keys whose time is over: so many are deleted at once, and so many times in one check. More come in no second. */
const FORGOTTEN_PER_STEP = 500;
const FORGOTTEN_STEPS = 20;
const HOUR_MS = 3_600_000;

export interface SweepDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly crew: Crew;
  readonly limits: Readonly<Limits>;
  now(): number;
}

/** The periodic check (contract §6): time limits first, then retries. Reads decide whether a turn is worth it. */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { engine, store, memory, crew, limits } = deps;
  const now = deps.now();
  await endOverdueReplicas(deps, now);
  while (runningTooLong(memory, now).length > 0) await engine.enqueue(SLICE, endRuns);
  while (any(store.read, OVERDUE_READY, now)) await engine.enqueue(SLICE, endWaits);
  await retryDue({ engine, read: store.read, memory, crew }, now);
  for (let step = 0; step < FORGOTTEN_STEPS; step++) {
    if ((await store.write((db) => db.statement(FORGET_IDEMPOTENT).run(now - limits.idempotencyHours * HOUR_MS))) < FORGOTTEN_PER_STEP) break;
  }
}

async function endOverdueReplicas({ engine, store }: SweepDeps, now: number): Promise<void> {
  for (const { seq } of store.read.query<{ seq: number }>(OVERDUE_JOBS).all(now, SLICE)) await endReplicas(engine, seq);
}

function runningTooLong({ leased }: Memory, now: number) {
  return [...leased.values()].filter(({ facts, node }) => facts.state === 'RUNNING' && (facts.startedAt ?? now) + node.runTimeoutMs <= now);
}

function endRuns(unit: Unit): void {
  for (const task of runningTooLong(unit.memory, unit.now).slice(0, SLICE))
    step(unit, task, { on: 'run-timeout', at: unit.now, message: `the run took longer than ${task.node.runTimeoutMs / 1000} s` });
}

function endWaits(unit: Unit): void {
  // Rows must say who was handed out by now, else this would be due for ever.
  flushTasks(unit);
  for (const row of unit.db.query<TaskRow>(OVERDUE_READY).all(unit.now, SLICE)) {
    const task = loadTask(unit, row);
    step(unit, task, { on: 'schedule-timeout', at: unit.now, message: `no worker took the task within ${task.node.scheduleTimeoutMs / 1000} s` });
  }
}

const any = (read: ReadHandle, sql: string, now: number): boolean => read.query(sql).get(now, 1) !== undefined;
