import { lanesForJob, hasRoomInLane } from './lanes.ts';
import { LANE_TASKS_IN_MEMORY, MIN_LANE_TASKS, REFILL_BELOW_TASKS } from './queue.ts';
import { flushTasks } from '../engine/transaction.ts';
import type { JobRecord } from '../engine/records.ts';
import type { ReadyRow } from '../engine/rows.ts';
import { FIRST_OF_REPLICA, READY_OF_JOB, WAITING_JOBS } from '../engine/sql.ts';
import { loadJob, readyTask } from '../engine/load-records.ts';
import { keepInQueue } from '../engine/apply-task-event.ts';
import { damageMark, isWhole } from '../../store/whole.ts';
import type { QueuedJob, PriorityLevel, QueueLane, ReadCursor } from './port.ts';
import type { Transaction } from '../engine/port.ts';

/** What one turn reads at most, so that it stays short. */
const ROWS_PER_TURN = 256;
const JOBS_PER_TURN = 64;
const JOBS_AT_ONCE = 16;
const LOW_JOBS_PER_TURN = 16;
/** A lane with fewer tasks in memory gets more, a job with fewer too; each up to the bounds of the queue. */
const LOW_OF_LANE = 256;
const ROWS_OF_JOB = 64;

/** One reading: what it may still read, which lanes it reads for, and the tasks of this very turn, whose rows are behind. */
interface Reading {
  rows: number;
  jobs: number;
  readonly moved: ReadonlySet<string>;
  wants(lane: QueueLane): boolean;
  isOpen(lane: QueueLane): boolean;
}

/**
 * Reads waiting tasks in for the lanes that are open and run low: by turns over the jobs of each priority, in the order
 * of their creation. Says whether tasks came in, and whether another turn may find more.
 */
export function loadQueueHead(tx: Transaction, isOpen: (lane: QueueLane) => boolean): { added: number; more: boolean } {
  const { queue, totals } = tx.memory;
  const before = queue.size;
  // Nothing waits that is not in memory.
  if (totals.ready <= before) return { added: 0, more: false };
  const wants = (lane: QueueLane) =>
    lane.size < (queue.size < LANE_TASKS_IN_MEMORY ? LOW_OF_LANE : MIN_LANE_TASKS) && isOpen(lane);
  // The usual turn: nothing that is open runs low.
  if (!queue.levels.some(({ hasUnread, lanes }) => hasUnread || lanes.some(wants))) return { added: 0, more: false };
  const reading: Reading = {
    rows: ROWS_PER_TURN,
    jobs: JOBS_PER_TURN,
    moved: new Set([...tx.tasks.keys()].map(({ id }) => id)),
    wants,
    isOpen,
  };
  let more = false;
  for (const level of [...queue.levels]) more = readNextJobs(tx, level, reading) || more;
  more = readJobsRunningLow(tx, reading) || more;
  return { added: queue.size - before, more };
}

/** Goes on with the round over the jobs of a priority. True where it was left before its end. */
function readNextJobs(tx: Transaction, level: PriorityLevel, left: Reading): boolean {
  const { queue } = tx.memory;
  let rounds = 0;
  const isDue = () =>
    (level.hasUnread && level.lanes.every((lane) => !left.isOpen(lane) || left.wants(lane))) ||
    level.lanes.some((lane) => lane.inDatabase && left.wants(lane));
  while (isDue()) {
    if (left.rows <= 0 || left.jobs <= 0) return true;
    const jobs = tx.db.query<{ seq: number }>(WAITING_JOBS).all(level.priority, level.cursor, JOBS_AT_ONCE);
    for (const { seq } of jobs) {
      if (left.rows <= 0 || left.jobs <= 0 || !isDue()) break;
      level.cursor = seq;
      left.jobs--;
      readJobIfLow(tx, level, loadJob(tx, seq), left);
    }
    if (jobs.length === JOBS_AT_ONCE || level.cursor !== (jobs.at(-1)?.seq ?? level.cursor)) continue;
    // The round has come to its end: what was not refused in it is not there.
    level.cursor = 0;
    if (level.leftInDatabaseAt === queue.turn) return true;
    level.hasUnread = false;
    for (const lane of level.lanes) {
      lane.inDatabase = lane.rejected;
      lane.rejected = false;
    }
    // One more whole round may find what jobs before the cursor have got meanwhile.
    if (++rounds > 1) return false;
  }
  return false;
}

function readJobIfLow(tx: Transaction, level: PriorityLevel, job: JobRecord, left: Reading): void {
  const { queue, concurrencyLimits } = tx.memory;
  const queuedJob = queue.jobs.get(job.seq);
  if (job.facts.counters.readyTasks <= (queuedJob?.size ?? 0)) return;
  const lanes = lanesForJob(level, job, concurrencyLimits);
  if (queuedJob && queuedJob.lanesInDatabase !== null && queuedJob.lanesInDatabase.size === 0)
    queuedJob.lanesInDatabase = null;
  if (lanes.some((lane) => left.wants(lane) && (!queuedJob || isLow(queuedJob, lane)))) readTasks(tx, job, left);
  else if (!queuedJob) for (const lane of lanes) lane.rejected = true;
}

const isLow = (queuedJob: QueuedJob, lane: QueueLane): boolean =>
  hasRoomInLane(queuedJob, lane) && (queuedJob.lanes.get(lane)?.size ?? 0) < REFILL_BELOW_TASKS;

/** Jobs that run low, where no other job waits for the place: else they wait for the round to come to them. True where some are left. */
function readJobsRunningLow(tx: Transaction, left: Reading): boolean {
  const { queue, concurrencyLimits } = tx.memory;
  let asked = 0;
  for (const queuedJob of queue.runningLow) {
    if (left.rows <= 0) return true;
    if (asked++ >= LOW_JOBS_PER_TURN) return false;
    queue.runningLow.delete(queuedJob);
    const level = queue.level(queuedJob.job.priority);
    if (queuedJob.lanesInDatabase !== null && queuedJob.lanesInDatabase.size === 0) continue;
    const lanes = lanesForJob(level, queuedJob.job, concurrencyLimits);
    if (!level.hasUnread && lanes.some((lane) => !lane.inDatabase && left.wants(lane) && isLow(queuedJob, lane)))
      readTasks(tx, queuedJob.job, left);
    // To be asked again where a lane is closed now, or others come first.
    if (lanes.some((lane) => isLow(queuedJob, lane))) queue.runningLow.add(queuedJob);
  }
  return false;
}

/** Reads READY tasks of one job from where the last reading ended. Those that find no place are noted. */
function readTasks(tx: Transaction, job: JobRecord, left: Reading): void {
  const { queue, concurrencyLimits } = tx.memory;
  const { priority } = job;
  const level = queue.level(priority);
  const lanes = lanesForJob(level, job, concurrencyLimits);
  const refused = new Set<QueueLane>();
  // Where other jobs wait for a place, each has its turn sooner.
  const most = level.hasUnread || lanes.some(({ inDatabase }) => inDatabase) ? REFILL_BELOW_TASKS : ROWS_OF_JOB;
  let at = queue.jobs.get(job.seq)?.cursor ?? startCursor(tx, job);
  let added = 0;
  let isWritten = false;
  let isEnd = false;
  do {
    const rows = tx.db.query<ReadyRow>(READY_OF_JOB).all(job.seq, at.from, at.to, most);
    left.rows -= Math.max(1, rows.length);
    const waiting = rows.filter((row) => isWaiting(tx, row, left));
    if (waiting.length === 0 && rows.length === most && !isWritten) {
      // Nothing but rows of tasks that were handed out: once they say so, they are in the way no more.
      flushTasks(tx, job);
      isWritten = true;
      continue;
    }
    for (const row of waiting) {
      const task = readyTask(tx, row, job);
      const begun = at.rest > 0 || row.input_task !== null || row.item !== null || row.attempt > 1;
      if (keepInQueue(tx, task, inputOf(row), begun)) added++;
      else for (const lane of lanes) if (lane.handler === task.node.handler) refused.add(lane);
    }
    const isOver = rows.length < most;
    isEnd = isOver && at.rest === 0;
    at = isOver ? { from: 0, to: at.rest, rest: 0 } : { ...at, from: rows.at(-1)?.seq ?? at.from };
  } while (!isEnd && left.rows > 0 && added < REFILL_BELOW_TASKS);
  const queuedJob = queue.jobs.get(job.seq);
  if (!queuedJob) {
    // With nothing of it in memory, where the reading ended is not remembered either.
    for (const lane of isEnd ? refused : lanes) lane.rejected = true;
    return;
  }
  for (const lane of refused) queuedJob.rejected.add(lane);
  queuedJob.cursor = isEnd ? null : at;
  // Rows of tasks that came in this very turn are not there yet: then the pass says nothing.
  if (isEnd && level.leftInDatabaseAt !== queue.turn) {
    queuedJob.lanesInDatabase = queuedJob.rejected;
    queuedJob.rejected = new Set();
  }
  if (lanes.some((lane) => isLow(queuedJob, lane))) queue.runningLow.add(queuedJob);
}

/** The text of a task's input, or its mark. */
const inputOf = ({ id, input, input_sum: sum, text_elsewhere: text }: ReadyRow): string =>
  input === null ? (text ?? 'null') : isWhole(input, sum) ? input : damageMark(`the input of task ${id}`);

/** Where the job has more than its first tasks, those that came later are read first: they are of replicas under way. */
function startCursor({ db }: Transaction, { seq, plan, inputCount }: JobRecord): ReadCursor {
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER, rest: 0 };
  if (plan.nodes.size === plan.first.length) return all;
  const last = db.query<{ n: number | null }>(FIRST_OF_REPLICA).get(seq, inputCount - 1)?.n ?? null;
  return last === null ? all : { ...all, from: last, rest: last };
}

/** The row may be behind: the task is in the queue, was handed out, or ended in this very turn. */
function isWaiting({ memory: { queue, leased } }: Transaction, { id }: ReadyRow, { moved }: Reading): boolean {
  return queue.get(id) === undefined && !leased.has(id) && !moved.has(id);
}
