import type { Environment } from '../../../contract/vocabulary.ts';
import type { PlanNode } from '../engine/plan.ts';
import type { Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { Assigner, Chooser, LeaseKind, PoolWorker, RunTimes, TaskNeeds, WorkerPool } from './port.ts';

/*
 * Which worker gets a task: one with a free slot. Short tasks are leased to a worker beyond its slots too, so that it has work while
 * its reports are stored and new leases are on their way. See docs/decisions/0042-leasing-ahead.md.
 */

/** Leases that a worker is given beyond its slots, at most: what is lost with it, and what an urgent task may have to wait for. */
export const LEASES_AHEAD = 64;
/** The same where tasks are very short: it has half of them left to run when it reports the others. */
export const LEASES_FURTHER_AHEAD = 2 * LEASES_AHEAD;
/** Tasks that took longer on average, milliseconds, with what they waited for each other there, are given to free slots alone. */
export const SHORT_TASK_MS = 5;
/** Of those for which more are leased ahead: some hundredths of a millisecond each, as what they wait for each other counts. */
export const VERY_SHORT_TASK_MS = 2;

/** The share that the last run has in the average. */
const LAST_RUN_SHARE = 1 / 8;

/** How long the tasks of nodes that only compute took last, as their workers measured. Nothing of it is kept over a restart. */
export function createRunTimes(): RunTimes {
  const means = new WeakMap<PlanNode, number>();
  const meanOf = (node: PlanNode | undefined): number => (node && means.get(node)) ?? Number.POSITIVE_INFINITY;
  return {
    record(node, ms) {
      const mean = means.get(node);
      means.set(node, mean === undefined ? ms : mean + (ms - mean) * LAST_RUN_SHARE);
    },
    expected(plan, node) {
      let sum = meanOf(node);
      for (const id of node.chain) sum += meanOf(plan.nodes.get(id));
      return sum;
    },
  };
}

/** Whether it may go to a worker that has no free slot: it and its chain only compute, and did so quickly. */
export const isShort = ({ memory }: Transaction, { node, job }: TaskRecord, most = SHORT_TASK_MS): boolean =>
  node.computes && memory.runTimes.expected(job.plan, node) <= most;

/** What a lease of it counts as from now on. */
export const leaseKind = (tx: Transaction, task: TaskRecord): LeaseKind =>
  !task.node.computes ? 'other' : isShort(tx, task) ? 'short' : 'computing';

interface Choice {
  worker: PoolWorker | null;
  /** Tasks that go to it before the workers are compared again. */
  left: number;
}

export const createAssigner = (workerPool: WorkerPool): Assigner => ({
  ...createChooser(workerPool, freeSlots),
  ahead: createChooser(workerPool, (worker) => roomAhead(worker, LEASES_AHEAD)),
  furtherAhead: createChooser(workerPool, (worker) => roomAhead(worker, LEASES_FURTHER_AHEAD)),
});

/**
 * A turn's tasks go to few workers, so that they travel in few frames: the roomiest gets tasks until it has half as much
 * room as the next one, then the workers are compared again.
 */
function createChooser(workerPool: WorkerPool, roomOf: (worker: PoolWorker) => number): Chooser {
  const choices = new Map<Environment | null, Map<string | null, Choice>>();

  function compare(choice: Choice, needs: TaskNeeds): void {
    let best: PoolWorker | null = null;
    let most = 0;
    let second = 0;
    for (const worker of workerPool.workers()) {
      const room = roomOf(worker);
      if (room <= second || !canRun(worker, needs)) continue;
      if (room > most) {
        second = most;
        most = room;
        best = worker;
      } else second = room;
    }
    choice.worker = best;
    choice.left = Math.max(1, most - Math.floor(second / 2));
  }

  function choiceFor(needs: TaskNeeds): Choice {
    let ofEnvironment = choices.get(needs.environment);
    if (!ofEnvironment) choices.set(needs.environment, (ofEnvironment = new Map()));
    let choice = ofEnvironment.get(needs.handler);
    if (!choice) ofEnvironment.set(needs.handler, (choice = { worker: null, left: 0 }));
    if (choice.left <= 0 || !choice.worker || roomOf(choice.worker) === 0) compare(choice, needs);
    return choice;
  }

  return {
    hasRoom: (needs) => choiceFor(needs).worker !== null,
    hasAnyRoom() {
      for (const worker of workerPool.workers()) if (roomOf(worker) > 0) return true;
      return false;
    },
    assign(needs) {
      const choice = choiceFor(needs);
      choice.left--;
      return choice.worker;
    },
  };
}

export const needsOf = ({ node, job }: TaskRecord): TaskNeeds => ({
  handler: node.handler,
  environment: job.environment,
});

/** Whether a worker takes tasks that ask for this handler, or (null) for none. */
export const acceptsHandler = ({ handlers, handlersOnly }: PoolWorker, handler: string | null): boolean =>
  handler === null ? !handlersOnly : handlers.includes(handler);

/** Whether its token lets a worker have tasks of jobs of this environment. Those without one (drafts, runs of a commit) may become anything, so that only a worker that serves all gets them. */
export const servesEnvironment = ({ environments }: PoolWorker, environment: Environment | null): boolean =>
  environments === null || (environment !== null && environments.has(environment));

export const canRun = (worker: PoolWorker, { handler, environment }: TaskNeeds): boolean =>
  servesEnvironment(worker, environment) && acceptsHandler(worker, handler);

/** It holds one more lease of this kind (1), or one less (-1). */
export function addLoad(worker: PoolWorker | undefined, kind: LeaseKind, by: 1 | -1): void {
  if (!worker) return;
  worker.load += by;
  if (kind !== 'short') worker.longLoad += by;
  if (kind === 'computing') worker.longComputing += by;
}

/**
 * Short tasks that it takes: into its free slots, and ahead of those that it has. Nothing waits behind slots that all are held for
 * long, nor for what an expression that takes long computes: a worker has few processes for those.
 */
const roomAhead = (worker: PoolWorker, most: number): number =>
  worker.accepting && worker.takesAhead && worker.longLoad < worker.capacity && worker.longComputing === 0
    ? Math.max(0, worker.capacity + most - worker.load)
    : freeSlots(worker);

export const freeSlots = ({ accepting, capacity, load }: PoolWorker): number =>
  accepting && capacity > load ? capacity - load : 0;
