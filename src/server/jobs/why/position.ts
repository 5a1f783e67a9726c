import type { ReadHandle } from '../../store/port.ts';
import type { Entry, Head } from '../lines.ts';
import type { Memory } from '../memory.ts';
import type { JobRow, TaskRow } from '../rows.ts';
import { FIRST_OF_REPLICA, WITHHELD } from '../sql.ts';

/** Sums over the jobs that wait, from their index alone. */
export const HIGHER = 'SELECT sum(ready) AS n FROM job INDEXED BY job_waiting WHERE ready > 0 AND priority > ?';
export const ROUNDS_OF_OTHERS = 'SELECT sum(min(ready, ?)) AS n FROM job INDEXED BY job_waiting WHERE ready > 0 AND priority = ? AND seq <> ?';
export const BETWEEN = 'SELECT count(*) AS n FROM job INDEXED BY job_waiting WHERE ready >= ? AND ready > 0 AND priority = ? AND seq > ? AND seq < ?';
export const BETWEEN_IN_JOB = `SELECT count(*) AS n FROM task WHERE state = 'READY' AND ready_deadline < ${WITHHELD} AND job = ? AND seq > ? AND seq < ?`;

type Counted = Pick<JobRow, 'seq' | 'priority' | 'input_count'>;
type Count = (sql: string, ...args: number[]) => number;

/**
 * The place of a READY task in the order of turns: all of higher priorities, then round by round one task of each job
 * of its own. It reads one index entry for each job that waits, and for each task of its own job before it.
 */
export function positionOf(read: ReadHandle, memory: Memory, job: Counted, task: Pick<TaskRow, 'id' | 'seq'>): number {
  const number: Count = (sql, ...args) => read.query<{ n: number | null }>(sql).get(...args)?.n ?? 0;
  const head = memory.queue.heads.get(job.seq);
  const rank = rankOf(number, head, job, task);
  const higher = number(HIGHER, job.priority);
  const rounds = rank === 1 ? 0 : number(ROUNDS_OF_OTHERS, rank - 1, job.priority, job.seq);
  return higher + rounds + aheadInRound(number, memory, job, rank) + rank;
}

/** Its place among the tasks of its own job, from 1: those in memory come first, then what was begun, then the others. */
function rankOf(number: Count, head: Head | undefined, job: Counted, { id, seq }: Pick<TaskRow, 'id' | 'seq'>): number {
  const last = number(FIRST_OF_REPLICA, job.seq, job.input_count - 1);
  const isBegun = seq > last;
  let before = 0;
  let listed = 0;
  for (const entry of head?.entries.values() ?? []) {
    let place = 0;
    for (const held of placesOf(entry)) {
      place++;
      if (held.id === id) return place;
      if (isBegun ? held.seq > last && held.seq < seq : held.seq < seq || held.seq > last) before++;
    }
    listed += place;
  }
  const waiting = isBegun ? number(BETWEEN_IN_JOB, job.seq, last, seq) : number(BETWEEN_IN_JOB, job.seq, 0, seq) + number(BETWEEN_IN_JOB, job.seq, last, Number.MAX_SAFE_INTEGER);
  return listed + waiting - before + 1;
}

function* placesOf(entry: Entry) {
  for (let place = entry.begun.first; place; place = place.after) yield place.task;
  for (let place = entry.fresh.first; place; place = place.after) yield place.task;
}

/** Jobs of its priority whose turn in the round of the task comes before that of its own job. */
function aheadInRound(number: Count, { queue }: Memory, job: Counted, rank: number): number {
  const level = queue.levels.find(({ priority }) => priority === job.priority);
  const own = queue.heads.get(job.seq);
  const stamp = own ? Math.min(...[...own.entries.values()].map((entry) => entry.stamp)) : Number.POSITIVE_INFINITY;
  let ahead = 0;
  const inMemory = [...queue.heads.values()].filter((head) => head.job.priority === job.priority && head !== own);
  for (const { job: other, entries } of inMemory) {
    if (other.facts.counters.readyTasks >= rank && [...entries.values()].some((entry) => entry.stamp < stamp)) ahead++;
  }
  if (own || !level) return ahead;
  // The round over the jobs in the database goes on from its cursor.
  const from = level.cursor;
  const spans: [number, number][] = job.seq > from ? [[from, job.seq]] : [[from, Number.MAX_SAFE_INTEGER], [0, job.seq]];
  for (const [after, before] of spans) {
    ahead += number(BETWEEN, rank, job.priority, after, before);
    ahead -= inMemory.filter(({ job: other }) => other.seq > after && other.seq < before && other.facts.counters.readyTasks >= rank).length;
  }
  return ahead;
}
