import { createLinkedList, type Linked, type LinkedList } from '../../../lib/linked-list.ts';
import type { Gate, Gates } from './concurrency-limits.ts';
import type { Plan } from '../engine/plan.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';

/** A READY task in memory. `inputText` null: it is read when the task is handed out. */
export interface Queued {
  readonly task: TaskRecord;
  readonly inputText: string | null;
  /** Its replica is under way: what was begun is finished first. */
  readonly begun: boolean;
}

export interface Place extends Queued, Linked<Place> {
  readonly entry: Entry;
}

/** The tasks of one job in one line. */
export interface Entry extends Linked<Entry> {
  readonly head: Head;
  readonly line: Line;
  readonly begun: LinkedList<Place>;
  readonly fresh: LinkedList<Place>;
  size: number;
  /** The lower, the longer ago that its turn ended. */
  stamp: number;
  /** Tasks handed out in its present turn, and when that began. */
  served: number;
  since: number;
}

/** A pass over the READY tasks of a job by their numbers: what was begun, then (from 0) what was made with the job. */
export interface Pass {
  /** The last that was looked at, and the last of this part. */
  readonly from: number;
  readonly to: number;
  /** The last of the second part; 0: this is it. */
  readonly rest: number;
}

/** A job of which tasks are in memory. */
export interface Head {
  readonly job: JobRecord;
  readonly entries: Map<Line, Entry>;
  size: number;
  /** Where the pass over its tasks in the database stands; null: it begins anew. */
  at: Pass | null;
  /** Lines of which it may have tasks in the database alone; null: any. */
  outside: Set<Line> | null;
  /** Those found in the pass over its tasks that is under way. */
  refused: Set<Line>;
}

/**
 * Tasks of one priority that ask for the same: the handler, and the limits that they come under. All of them can go
 * now, or none can, so that what cannot go is never looked through for what can.
 */
export interface Line {
  readonly level: Level;
  readonly handler: string | null;
  readonly gates: readonly Gate[];
  /** Jobs by turns: the first has waited longest. */
  readonly jobs: LinkedList<Entry>;
  size: number;
  /** There may be tasks for it of jobs of which none is in memory. */
  outside: boolean;
  /** One was found in the round over the jobs that is under way. */
  refused: boolean;
}

export interface Level {
  readonly priority: number;
  readonly lines: Line[];
  /** The line of tasks that ask for nothing, if there is one: the usual case. */
  plain: Line | null;
  readonly byName: Map<string, Line>;
  size: number;
  /** When it was served last; the lower, the longer ago. */
  served: number;
  /** The last job that was looked at in the database, and whether some never were. */
  cursor: number;
  unread: boolean;
  /** The turn in which a task came that had no place in memory: the database does not show it before the next. */
  spilledAt: number;
}

export const createLevel = (priority: number): Level => ({
  priority,
  lines: [],
  plain: null,
  byName: new Map(),
  size: 0,
  served: 0,
  cursor: 0,
  unread: false,
  spilledAt: -1,
});

export function lineOf(level: Level, handler: string | null, gates: readonly Gate[]): Line {
  const isPlain = handler === null && gates.length === 0;
  if (isPlain && level.plain) return level.plain;
  const name = `${handler ?? ''}\n${gates.map(({ scope, id }) => `${scope} ${id}`).join('\n')}`;
  let line = level.byName.get(name);
  if (!line) {
    line = { level, handler, gates, jobs: createLinkedList(), size: 0, outside: false, refused: false };
    level.lines.push(line);
    level.byName.set(name, line);
    if (isPlain) level.plain = line;
  }
  return line;
}

const handlers = new WeakMap<Plan, readonly (string | null)[]>();

/** The lines in which a job's tasks can come to stand. */
export function linesOf(level: Level, job: JobRecord, gates: Gates): readonly Line[] {
  let asked = handlers.get(job.plan);
  if (!asked) {
    const nodes = [...job.plan.nodes.values()];
    const known = new Set(nodes.flatMap(({ handler, fan }) => (fan ? [handler, fan.item.handler] : [handler])));
    handlers.set(job.plan, (asked = known.size === 0 ? [null] : [...known]));
  }
  return asked.map((handler) => lineOf(level, handler, gates.of(job)));
}

export const mayHold = (head: Head, line: Line): boolean => head.outside === null || head.outside.has(line);
