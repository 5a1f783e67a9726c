import type { WriteHandle } from '../../store/port.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import type { Totals, Transaction, TransactionDeps } from './port.ts';

export function beginTransaction(db: WriteHandle, deps: TransactionDeps, now: number): Transaction {
  const totals: Totals = { ...deps.memory.totals };
  return {
    ...deps,
    db,
    now,
    effects: {
      leases: [],
      secretUses: [],
      kills: [],
      lostLeases: [],
      endedAttempts: [],
      endedCalls: [],
      approvals: [],
      damaged: [],
      orphanedTasks: [],
      freedWorkers: [],
      failures: [],
      childChecks: [],
      outputs: new Map(),
    },
    tasks: new Map(),
    jobs: new Map(),
    dirty: new Set(),
    counts: new Map(),
    foreachRecords: new Map(),
    childStarts: [],
    undo: [() => Object.assign(deps.memory.totals, totals)],
    assigner: null,
    needsAnotherTurn: false,
  };
}

/** Call before a task's record is changed. */
export function touchTask(tx: Transaction, task: TaskRecord): void {
  if (!tx.tasks.has(task)) tx.tasks.set(task, { ...task });
  tx.dirty.add(task);
}

/** Call before a job's record is changed. */
export function touchJob(tx: Transaction, job: JobRecord): void {
  if (!tx.jobs.has(job)) tx.jobs.set(job, { ...job });
}
