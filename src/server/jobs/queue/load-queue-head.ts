import { linesOf, mayHold, type Head, type Level, type Line, type Pass } from './lanes.ts';
import { KEPT_TASKS, LEAST_OF_LINE, LOW_OF_JOB } from './queue.ts';
import { flushTasks } from '../engine/flush.ts';
import type { JobRecord } from '../engine/records.ts';
import type { TaskRow } from '../engine/rows.ts';
import { FIRST_OF_REPLICA, READY_OF_JOB, WAITING_JOBS } from '../engine/sql.ts';
import { keepQueued, loadJob, loadTask, type Unit } from '../engine/transaction.ts';

/** What one turn reads at most, so that it stays short. */
const ROWS_PER_TURN = 256;
const JOBS_PER_TURN = 64;
const JOBS_AT_ONCE = 16;
const HUNGRY_PER_TURN = 16;
/** A line with fewer tasks in memory gets more, a job with fewer too; each up to the bounds of the queue. */
const LOW_OF_LINE = 256;
const ROWS_OF_JOB = 64;

/** One reading: what it may still read, which lines it reads for, and the tasks of this very turn, whose rows are behind. */
type InputRow = TaskRow & { input_text: string | null };

interface Reading {
  rows: number;
  jobs: number;
  readonly moved: ReadonlySet<string>;
  wants(line: Line): boolean;
  isOpen(line: Line): boolean;
}

/**
 * Reads waiting tasks in for the lines that are open and run low: by turns over the jobs of each priority, in the order
 * of their creation. Says whether tasks came in, and whether another turn may find more.
 */
export function refill(unit: Unit, isOpen: (line: Line) => boolean): { added: number; more: boolean } {
  const { queue, totals } = unit.memory;
  const before = queue.size;
  // Nothing waits that is not in memory.
  if (totals.ready <= before) return { added: 0, more: false };
  const wants = (line: Line) => line.size < (queue.size < KEPT_TASKS ? LOW_OF_LINE : LEAST_OF_LINE) && isOpen(line);
  // The usual turn: nothing that is open runs low.
  if (!queue.levels.some(({ unread, lines }) => unread || lines.some(wants))) return { added: 0, more: false };
  const reading: Reading = {
    rows: ROWS_PER_TURN,
    jobs: JOBS_PER_TURN,
    moved: new Set([...unit.tasks.keys()].map(({ id }) => id)),
    wants,
    isOpen,
  };
  let more = false;
  for (const level of [...queue.levels]) more = round(unit, level, reading) || more;
  more = feed(unit, reading) || more;
  return { added: queue.size - before, more };
}

/** Goes on with the round over the jobs of a priority. True where it was left before its end. */
function round(unit: Unit, level: Level, left: Reading): boolean {
  const { queue } = unit.memory;
  let rounds = 0;
  const isDue = () =>
    (level.unread && level.lines.every((line) => !left.isOpen(line) || left.wants(line))) ||
    level.lines.some((line) => line.outside && left.wants(line));
  while (isDue()) {
    if (left.rows <= 0 || left.jobs <= 0) return true;
    const jobs = unit.db.query<{ seq: number }>(WAITING_JOBS).all(level.priority, level.cursor, JOBS_AT_ONCE);
    for (const { seq } of jobs) {
      if (left.rows <= 0 || left.jobs <= 0 || !isDue()) break;
      level.cursor = seq;
      left.jobs--;
      visit(unit, level, loadJob(unit, seq), left);
    }
    if (jobs.length === JOBS_AT_ONCE || level.cursor !== (jobs.at(-1)?.seq ?? level.cursor)) continue;
    // The round has come to its end: what was not refused in it is not there.
    level.cursor = 0;
    if (level.spilledAt === queue.turn) return true;
    level.unread = false;
    for (const line of level.lines) {
      line.outside = line.refused;
      line.refused = false;
    }
    // One more whole round may find what jobs before the cursor have got meanwhile.
    if (++rounds > 1) return false;
  }
  return false;
}

function visit(unit: Unit, level: Level, job: JobRecord, left: Reading): void {
  const { queue, gates } = unit.memory;
  const head = queue.heads.get(job.seq);
  if (job.facts.counters.readyTasks <= (head?.size ?? 0)) return;
  const lines = linesOf(level, job, gates);
  if (head && head.outside !== null && head.outside.size === 0) head.outside = null;
  if (lines.some((line) => left.wants(line) && (!head || isLow(head, line)))) read(unit, job, left);
  else if (!head) for (const line of lines) line.refused = true;
}

const isLow = (head: Head, line: Line): boolean =>
  mayHold(head, line) && (head.entries.get(line)?.size ?? 0) < LOW_OF_JOB;

/** Jobs that run low, where no other job waits for the place: else they wait for the round to come to them. True where some are left. */
function feed(unit: Unit, left: Reading): boolean {
  const { queue, gates } = unit.memory;
  let asked = 0;
  for (const head of queue.hungry) {
    if (left.rows <= 0) return true;
    if (asked++ >= HUNGRY_PER_TURN) return false;
    queue.hungry.delete(head);
    const level = queue.level(head.job.priority);
    if (head.outside !== null && head.outside.size === 0) continue;
    const lines = linesOf(level, head.job, gates);
    if (!level.unread && lines.some((line) => !line.outside && left.wants(line) && isLow(head, line)))
      read(unit, head.job, left);
    // To be asked again where a line is closed now, or others come first.
    if (lines.some((line) => isLow(head, line))) queue.hungry.add(head);
  }
  return false;
}

/** Reads READY tasks of one job from where the last reading ended. Those that find no place are noted. */
function read(unit: Unit, job: JobRecord, left: Reading): void {
  const { queue, gates } = unit.memory;
  const { priority } = job;
  const level = queue.level(priority);
  const lines = linesOf(level, job, gates);
  const refused = new Set<Line>();
  // Where other jobs wait for a place, each has its turn sooner.
  const most = level.unread || lines.some(({ outside }) => outside) ? LOW_OF_JOB : ROWS_OF_JOB;
  let at = queue.heads.get(job.seq)?.at ?? passOver(unit, job);
  let added = 0;
  let isWritten = false;
  let isEnd = false;
  do {
    const rows = unit.db.query<InputRow>(READY_OF_JOB).all(job.seq, at.from, at.to, most);
    left.rows -= Math.max(1, rows.length);
    const waiting = rows.filter((row) => waits(unit, row, left));
    if (waiting.length === 0 && rows.length === most && !isWritten) {
      // Nothing but rows of tasks that were handed out: once they say so, they are in the way no more.
      flushTasks(unit, job);
      isWritten = true;
      continue;
    }
    for (const row of waiting) {
      const task = loadTask(unit, row);
      if (
        keepQueued(
          unit,
          task,
          row.input_text ?? 'null',
          at.rest > 0 || row.input_task !== null || row.item !== null || row.attempt > 1,
        )
      )
        added++;
      else for (const line of lines) if (line.handler === task.node.handler) refused.add(line);
    }
    const isOver = rows.length < most;
    isEnd = isOver && at.rest === 0;
    at = isOver ? { from: 0, to: at.rest, rest: 0 } : { ...at, from: rows.at(-1)?.seq ?? at.from };
  } while (!isEnd && left.rows > 0 && added < LOW_OF_JOB);
  const head = queue.heads.get(job.seq);
  if (!head) {
    // With nothing of it in memory, where the reading ended is not remembered either.
    for (const line of isEnd ? refused : lines) line.refused = true;
    return;
  }
  for (const line of refused) head.refused.add(line);
  head.at = isEnd ? null : at;
  // Rows of tasks that came in this very turn are not there yet: then the pass says nothing.
  if (isEnd && level.spilledAt !== queue.turn) {
    head.outside = head.refused;
    head.refused = new Set();
  }
  if (lines.some((line) => isLow(head, line))) queue.hungry.add(head);
}

/** Where the job has more than its first tasks, those that came later are read first: they are of replicas under way. */
function passOver({ db }: Unit, { seq, plan, inputCount }: JobRecord): Pass {
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER, rest: 0 };
  if (plan.nodes.size === plan.first.length) return all;
  const last = db.query<{ n: number | null }>(FIRST_OF_REPLICA).get(seq, inputCount - 1)?.n ?? null;
  return last === null ? all : { ...all, from: last, rest: last };
}

/** The row may be behind: the task is in the queue, was handed out, or ended in this very turn. */
function waits({ memory: { queue, leased } }: Unit, { id }: TaskRow, { moved }: Reading): boolean {
  return queue.get(id) === undefined && !leased.has(id) && !moved.has(id);
}
