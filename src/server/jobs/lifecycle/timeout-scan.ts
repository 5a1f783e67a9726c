import type { Limits } from '../../../contract/limits.ts';
import type { ReadHandle, Store } from '../../store/port.ts';
import type { Crew } from '../queue/worker-pool.ts';
import type { Engine } from '../engine/engine.ts';
import { endReplicas } from './kill.ts';
import { loseOrphans, orphans } from './reclaim-leases.ts';
import type { Memory } from '../engine/memory.ts';
import { retryAhead, retryDue } from './retry.ts';
import type { TaskRecord } from '../engine/records.ts';
import { flushTasks } from '../engine/flush.ts';
import { loadTask, step, type Unit } from '../engine/transaction.ts';
import type { TaskRow } from '../engine/rows.ts';
import { fail } from './complete-task.ts';
import { FORGET_IDEMPOTENT, OVERDUE_JOBS, OVERDUE_READY } from '../engine/sql.ts';

/** Weight of a slice: it has a turn of its own. While there is more, another follows at once. */
const WEIGHT = 200;
/** Jobs whose time is over that one check ends. */
const OVERDUE = 200;
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
  /** The time by which limits are over: behind `now` after the master was away. */
  limitsNow(): number;
  /** The clock is behind what it said before. */
  setBack(): boolean;
}

/** The periodic check (contract §6): time limits first, then retries. Reads decide whether a turn is worth it. */
export async function sweep(deps: SweepDeps): Promise<void> {
  const { engine, store, memory, crew, limits } = deps;
  const now = deps.now();
  const over = deps.limitsNow();
  await endOverdueReplicas(deps, over);
  while (runningTooLong(memory, over).length > 0) await engine.enqueue(WEIGHT, (unit) => endRuns(unit, over));
  while (orphans(memory, crew).length > 0) await engine.enqueue(WEIGHT, loseOrphans);
  while (neverBegun(deps, over).length > 0)
    await engine.enqueue(WEIGHT, (unit) => takeBack(unit, neverBegun(deps, over)));
  while (any(store.read, OVERDUE_READY, over)) await engine.enqueue(WEIGHT, (unit) => endWaits(unit, over));
  await retryDue({ engine, read: store.read, memory, crew }, now);
  if (deps.setBack()) await retryAhead({ engine, read: store.read, memory, crew }, now);
  for (let step = 0; step < FORGOTTEN_STEPS; step++) {
    if (
      (await store.write((db) => db.statement(FORGET_IDEMPOTENT).run(now - limits.idempotencyHours * HOUR_MS))) <
      FORGOTTEN_PER_STEP
    )
      break;
  }
}

async function endOverdueReplicas({ engine, store }: SweepDeps, now: number): Promise<void> {
  for (const { seq } of store.read.query<{ seq: number }>(OVERDUE_JOBS).all(now, OVERDUE))
    await endReplicas(engine, seq);
}

function runningTooLong({ leased }: Memory, now: number) {
  return [...leased.values()].filter(
    ({ facts, node }) => facts.state === 'RUNNING' && (facts.startedAt ?? now) + node.runTimeoutMs <= now,
  );
}

function endRuns(unit: Unit, over: number): void {
  for (const task of runningTooLong(unit.memory, over).slice(0, unit.memory.pace.steps))
    step(unit, task, {
      on: 'run-timeout',
      at: unit.now,
      message: `the run took longer than ${task.node.runTimeoutMs / 1000} s`,
    });
}

/**
 * Leases that their worker has not begun in time, though it is there: since they were given, or since it came back and was
 * asked what it holds, whichever was later. One that is away becomes Down, and loses what it held by that.
 */
function neverBegun({ memory: { leased }, crew, limits }: SweepDeps, now: number): TaskRecord[] {
  const latest = now - limits.startSeconds * 1000;
  return [...leased.values()].filter(({ facts: { state, workerId, scheduledAt } }) => {
    if (state !== 'SCHEDULED' || workerId === null || (scheduledAt ?? now) > latest) return false;
    const station = crew.station(workerId);
    return station !== undefined && station.admitted && station.registeredAt <= latest;
  });
}

function takeBack(unit: Unit, tasks: readonly TaskRecord[]): void {
  for (const task of tasks.slice(0, unit.memory.pace.steps)) {
    const { workerId, attempt } = task.facts;
    if (workerId === null) continue;
    unit.effects.lost.push(
      { workerId, id: task.id, attempt },
      ...task.chain.map(({ id }) => ({ workerId, id, attempt: 1 })),
    );
    fail(unit, task, unit.now, {
      code: 'WORKER_LOST',
      message: `worker ${workerId} did not begin the task within ${unit.limits.startSeconds} s`,
      retryable: true,
    });
  }
}

function endWaits(unit: Unit, over: number): void {
  // Rows must say who was handed out by now, else this would be due for ever.
  flushTasks(unit);
  for (const row of unit.db.query<TaskRow>(OVERDUE_READY).all(over, unit.memory.pace.steps)) {
    const task = loadTask(unit, row);
    step(unit, task, {
      on: 'schedule-timeout',
      at: unit.now,
      message: `no worker took the task within ${task.node.scheduleTimeoutMs / 1000} s`,
    });
  }
}

const any = (read: ReadHandle, sql: string, now: number): boolean => read.query(sql).get(now, 1) !== undefined;
