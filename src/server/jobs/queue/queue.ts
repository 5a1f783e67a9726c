import { createLinkedList } from '../../../lib/linked-list.ts';
import type { Gates } from './concurrency-limits.ts';
import {
  createLevel,
  lineOf,
  linesOf,
  mayHold,
  type Entry,
  type Head,
  type Level,
  type Line,
  type Place,
  type Queued,
} from './lanes.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';

/** READY tasks kept in memory at most, of one line, and what a line may have however many there are. */
export const KEPT_TASKS = 4096;
const KEPT_OF_LINE = 1024;
export const LEAST_OF_LINE = 32;
/** Of one job in one line, fresh ones and all: the others wait in the database, so that every job finds a place here. */
const KEPT_OF_JOB = 64;
/** The first ones of a job have a place also where its line is full, so that a job that comes late has its turn with the others. */
const FIRST_OF_JOB = 8;
const KEPT_BEGUN = 512;
/** With fewer, more of them are read in. */
export const LOW_OF_JOB = 16;
/** Characters of inputs kept with them; an input beyond is read when its task is handed out. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const LONGEST_KEPT = 16 * 1024;
/** A job's turn ends after so many tasks or so long, whichever is first: quick tasks go out in batches, long ones by turns. */
export const TURN_TASKS = 8;
export const TURN_MS = 5;
/** One in so many tasks is of a lower priority than the highest that waits. */
export const SHARE = 8;
/** Levels without tasks are kept while they have no more lines than this. */
const KEPT_LINES = 32;

/**
 * The queue: priorities, in each lines of tasks that ask for the same, in each line jobs by turns, in each job the
 * replicas under way first. Here is its head; every task in it is in the database too, so it may be incomplete, but
 * never wrong. `load-queue-head.ts` reads the rest in. See docs/queue.md.
 */
export interface Queue {
  readonly size: number;
  /** Highest priority first. */
  readonly levels: readonly Level[];
  readonly heads: ReadonlyMap<number, Head>;
  /** Jobs that run low here and may have more in the database. */
  readonly hungry: Set<Head>;
  /** Counts turns of the engine. */
  turn: number;
  level(priority: number): Level;
  /** False where there is no place for it. `must`: it was here a moment ago. */
  add(task: TaskRecord, inputText: string | null, begun: boolean, must?: boolean): boolean;
  /** A READY task has no place here: it waits in the database alone. */
  spill(task: TaskRecord): void;
  /** What was taken out; null: it was not here. */
  remove(task: TaskRecord): Queued | null;
  get(id: string): TaskRecord | undefined;
  /** Whose turn it is among the lines that are open. */
  pick(isOpen: (line: Line) => boolean, now: number): Place | null;
  /** It is handed out: call before it is removed. */
  serve(place: Place, now: number): void;
  /** All places, for who empties the queue; `forget` afterwards, so that everything is read anew. */
  places(): Place[];
  forget(): void;
  /** After a roll-back: what is here stays, and all that was learned of what is not is learned anew. `priorities`: those of the jobs that were touched. */
  doubt(priorities: Iterable<number>): void;
}

export function createQueue(gates: Gates): Queue {
  const places = new Map<string, Place>();
  const heads = new Map<number, Head>();
  const hungry = new Set<Head>();
  const levels: Level[] = [];
  let characters = 0;
  let ticks = 0;
  /** Tasks handed out since a lower priority had its share, and whether the last choice was its. */
  let sinceLow = 0;
  let isLow = false;

  function levelOf(priority: number): Level {
    let level = levels.find((known) => known.priority === priority);
    if (!level) {
      level = createLevel(priority);
      levels.push(level);
      levels.sort((a, b) => b.priority - a.priority);
    }
    return level;
  }

  const lineFor = ({ job, node }: TaskRecord): Line => lineOf(levelOf(job.priority), node.handler, gates.of(job));

  function headOf(job: JobRecord): Head {
    let head = heads.get(job.seq);
    if (!head) {
      // The task for which it is made is counted already: with one READY task there is nothing but it.
      head = {
        job,
        entries: new Map(),
        size: 0,
        at: null,
        outside: job.facts.counters.readyTasks > 1 ? null : new Set(),
        refused: new Set(),
      };
      heads.set(job.seq, head);
      if (head.outside === null) hungry.add(head);
    }
    return head;
  }

  function entryOf(head: Head, line: Line): Entry {
    let entry = head.entries.get(line);
    if (!entry) {
      entry = {
        head,
        line,
        begun: createLinkedList(),
        fresh: createLinkedList(),
        size: 0,
        stamp: ++ticks,
        served: 0,
        since: 0,
        before: null,
        after: null,
      };
      head.entries.set(line, entry);
      line.jobs.push(entry);
    }
    return entry;
  }

  function toEnd(entry: Entry): void {
    entry.line.jobs.remove(entry);
    entry.line.jobs.push(entry);
    entry.stamp = ++ticks;
    entry.served = 0;
  }

  /** Nothing of the job is here any more: what it has in the database is found there in the round over the jobs. */
  function leave(head: Head): void {
    heads.delete(head.job.seq);
    hungry.delete(head);
    if (head.job.facts.counters.readyTasks === 0) return;
    const level = levelOf(head.job.priority);
    for (const line of head.outside ?? linesOf(level, head.job, gates)) line.outside = line.refused = true;
  }

  function tidy(level: Level): void {
    if (
      level.size > 0 ||
      level.unread ||
      (level.priority === 0 && level.lines.length <= KEPT_LINES) ||
      level.lines.some(({ outside }) => outside)
    )
      return;
    levels.splice(levels.indexOf(level), 1);
  }

  function firstOf(level: Level, isOpen: (line: Line) => boolean, now: number): Entry | null {
    let best: Entry | null = null;
    for (const line of level.lines) {
      if (line.size === 0 || !isOpen(line)) continue;
      let entry = line.jobs.first as Entry;
      if (entry.served > 0 && now - entry.since >= TURN_MS) {
        toEnd(entry);
        entry = line.jobs.first as Entry;
      }
      if (best === null || entry.stamp < best.stamp) best = entry;
    }
    return best;
  }

  const queue: Queue = {
    get size() {
      return places.size;
    },
    levels,
    heads,
    hungry,
    turn: 0,
    level: levelOf,
    add(task, inputText, begun, must = false) {
      const { job } = task;
      const line = lineFor(task);
      const held = heads.get(job.seq)?.entries.get(line)?.size ?? 0;
      const full =
        line.size >= (held < FIRST_OF_JOB ? KEPT_TASKS : KEPT_OF_LINE) ||
        (places.size >= KEPT_TASKS && line.size >= LEAST_OF_LINE) ||
        held >= (begun ? KEPT_BEGUN : KEPT_OF_JOB);
      if (full && !must) return false;
      const entry = entryOf(headOf(job), line);
      const kept =
        inputText !== null && inputText.length <= LONGEST_KEPT && characters + inputText.length <= KEPT_CHARACTERS
          ? inputText
          : null;
      const place: Place = { task, inputText: kept, begun, entry, before: null, after: null };
      (begun ? entry.begun : entry.fresh).push(place);
      places.set(task.id, place);
      characters += kept?.length ?? 0;
      entry.size++;
      entry.head.size++;
      line.size++;
      line.level.size++;
      return true;
    },
    spill(task) {
      const line = lineFor(task);
      const head = heads.get(task.job.seq);
      line.level.spilledAt = queue.turn;
      if (!head) {
        line.outside = line.refused = true;
        return;
      }
      head.outside?.add(line);
      head.refused.add(line);
      hungry.add(head);
    },
    remove({ id }) {
      const place = places.get(id);
      if (!place) return null;
      const { entry, begun, inputText } = place;
      const { head, line } = entry;
      places.delete(id);
      characters -= inputText?.length ?? 0;
      (begun ? entry.begun : entry.fresh).remove(place);
      entry.size--;
      head.size--;
      line.size--;
      line.level.size--;
      if (entry.size === 0) {
        line.jobs.remove(entry);
        head.entries.delete(line);
      }
      if (head.size === 0) leave(head);
      else if (entry.size < LOW_OF_JOB && mayHold(head, line)) hungry.add(head);
      if (line.level.size === 0) tidy(line.level);
      return place;
    },
    get: (id) => places.get(id)?.task,
    pick(isOpen, now) {
      let high: Entry | null = null;
      let low: Entry | null = null;
      for (const level of levels) {
        const entry = level.size > 0 ? firstOf(level, isOpen, now) : null;
        if (!entry) continue;
        if (high === null) {
          high = entry;
          if (sinceLow < SHARE - 1) break;
        } else if (low === null || level.served < low.line.level.served) low = entry;
      }
      isLow = low !== null;
      const entry = low ?? high;
      return entry && (entry.begun.first ?? entry.fresh.first);
    },
    serve({ entry }, now) {
      sinceLow = isLow ? 0 : Math.min(sinceLow + 1, SHARE - 1);
      entry.line.level.served = ++ticks;
      if (entry.served++ === 0) entry.since = now;
      if (entry.served >= TURN_TASKS) toEnd(entry);
    },
    places: () => [...places.values()],
    forget() {
      for (const level of levels) {
        level.lines.length = 0;
        level.byName.clear();
        level.plain = null;
        level.unread = true;
        level.cursor = 0;
      }
    },
    doubt(priorities) {
      for (const priority of priorities) levelOf(priority);
      for (const level of levels) {
        level.unread = true;
        level.cursor = 0;
      }
      for (const head of heads.values()) {
        head.at = null;
        head.outside = null;
        head.refused = new Set();
        hungry.add(head);
      }
    },
  };
  return queue;
}
