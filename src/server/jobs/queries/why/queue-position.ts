import type { ReadHandle } from '../../../store/port.ts';
import type { JobRow, TaskRow } from '../../engine/rows.ts';
import { FIRST_OF_REPLICA, WITHHELD } from '../../engine/sql.ts';
import type { JobInLane } from '../../queue/port.ts';
import type { Memory } from '../../engine/port.ts';
import type { QueueView } from '../port.ts';

/** Sums over the jobs that wait, from their index alone. */
export const READY_OF_HIGHER_PRIORITY =
  'SELECT sum(ready) AS n FROM job INDEXED BY job_waiting WHERE ready > 0 AND priority > ?';
export const ROUNDS_OF_OTHERS =
  'SELECT sum(min(ready, ?)) AS n FROM job INDEXED BY job_waiting WHERE ready > 0 AND priority = ? AND seq <> ?';
export const READY_BEFORE_JOB =
  'SELECT count(*) AS n FROM job INDEXED BY job_waiting WHERE ready >= ? AND ready > 0 AND priority = ? AND seq > ? AND seq < ?';
export const READY_BEFORE_TASK = `SELECT count(*) AS n FROM task WHERE state = 'READY' AND ready_deadline < ${WITHHELD} AND job = ? AND seq > ? AND seq < ?`;

type Counted = Pick<JobRow, 'seq' | 'priority' | 'input_count'>;
type Count = (sql: string, ...args: number[]) => number;

/** What memory knows of the place of a READY task. */
export function queueView(
  read: ReadHandle,
  { queue }: Memory,
  job: Counted,
  { id, seq }: Pick<TaskRow, 'id' | 'seq'>,
): QueueView {
  const last = read.query<{ n: number | null }>(FIRST_OF_REPLICA).get(job.seq, job.input_count - 1)?.n ?? 0;
  const own = queue.jobs.get(job.seq);
  const isBegun = seq > last;
  let [before, listed] = [0, 0];
  let rank: number | null = null;
  for (const entry of own?.lanes.values() ?? []) {
    let place = 0;
    for (const held of placesOf(entry)) {
      place++;
      if (held.id === id) rank = place;
      if (isBegun ? held.seq > last && held.seq < seq : held.seq < seq || held.seq > last) before++;
    }
    listed += place;
  }
  const stamp = own ? Math.min(...[...own.lanes.values()].map((entry) => entry.lastTurn)) : Number.POSITIVE_INFINITY;
  const others = [...queue.jobs.values()]
    .filter((queuedJob) => queuedJob.job.priority === job.priority && queuedJob !== own)
    .map(({ job: other, lanes: entries }) => ({
      seq: other.seq,
      ready: other.facts.counters.readyTasks,
      first: [...entries.values()].some((entry) => entry.lastTurn < stamp),
    }));
  const level = queue.levels.find(({ priority }) => priority === job.priority);
  return {
    job: job.seq,
    priority: job.priority,
    task: seq,
    last,
    rank,
    listed,
    before,
    others,
    cursor: own ? null : (level?.cursor ?? null),
  };
}

/**
 * The place of a READY task in the order of turns: all of higher priorities, then round by round one task of each job
 * of its own. It reads one index entry for each job that waits, and for each task of its own job before it.
 */
export function queuePosition(read: ReadHandle, seen: QueueView): number {
  const number: Count = (sql, ...args) => read.query<{ n: number | null }>(sql).get(...args)?.n ?? 0;
  const { job, priority } = seen;
  const rank = rankOf(number, seen);
  const rounds = rank === 1 ? 0 : number(ROUNDS_OF_OTHERS, rank - 1, priority, job);
  return number(READY_OF_HIGHER_PRIORITY, priority) + rounds + aheadInRound(number, seen, rank) + rank;
}

/** Its place among the tasks of its own job, from 1: those in memory come first, then what was begun, then the others. */
function rankOf(number: Count, { job, task, last, rank, listed, before }: QueueView): number {
  if (rank !== null) return rank;
  const waiting =
    task > last
      ? number(READY_BEFORE_TASK, job, last, task)
      : number(READY_BEFORE_TASK, job, 0, task) + number(READY_BEFORE_TASK, job, last, Number.MAX_SAFE_INTEGER);
  return Math.max(0, listed + waiting - before) + 1;
}

function* placesOf(entry: JobInLane) {
  for (let place = entry.begun.first; place; place = place.after) yield place.task;
  for (let place = entry.fresh.first; place; place = place.after) yield place.task;
}

/** Jobs of its priority whose turn in the round of the task comes before that of its own job. */
function aheadInRound(number: Count, { job, priority, others, cursor }: QueueView, rank: number): number {
  const inRound = others.filter(({ ready }) => ready >= rank);
  let ahead = inRound.filter(({ first }) => first).length;
  if (cursor === null) return ahead;
  // The round over the jobs in the database goes on from its cursor.
  const spans: [number, number][] =
    job > cursor
      ? [[cursor, job]]
      : [
          [cursor, Number.MAX_SAFE_INTEGER],
          [0, job],
        ];
  for (const [after, before] of spans)
    ahead +=
      number(READY_BEFORE_JOB, rank, priority, after, before) -
      inRound.filter(({ seq }) => seq > after && seq < before).length;
  return ahead;
}
