import type { Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import type { LeaseKind } from './port.ts';

/**
 * Short tasks are leased to a worker beyond its slots, so that it has work while its reports are stored and new leases are on their
 * way. See docs/decisions/0042-leasing-ahead.md.
 */

/** Leases that a worker is given beyond its slots, at most: what is lost with it, and what an urgent task may have to wait for. */
export const LEASES_AHEAD = 64;
/** The same where tasks are very short: it has half of them left to run when it reports the others. */
export const LEASES_FURTHER_AHEAD = 2 * LEASES_AHEAD;
/** Tasks that took longer on average, milliseconds, with what they waited for each other there, are given to free slots alone. */
export const SHORT_TASK_MS = 5;
/** Of those for which more are leased ahead: some hundredths of a millisecond each, as what they wait for each other counts. */
export const VERY_SHORT_TASK_MS = 2;

/** What a lease of it counts as from now on. */
export const leaseKind = (tx: Transaction, task: TaskRecord): LeaseKind =>
  !task.node.computes ? 'other' : isShort(tx, task) ? 'short' : 'computing';

/** Whether it may go to a worker that has no free slot: it and its chain only compute, and did so quickly. */
export const isShort = ({ memory }: Transaction, { node, job }: TaskRecord, most = SHORT_TASK_MS): boolean =>
  node.computes && memory.runTimes.expected(job.plan, node) <= most;
