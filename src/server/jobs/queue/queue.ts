import { createLinkedList } from '../../../lib/linked-list.ts';
import { needsOf } from './assigner.ts';
import { createPriorityLevel, findOrCreateLane, lanesForJob, hasRoomInLane } from './lanes.ts';
import type { JobRecord, TaskRecord } from '../engine/records.ts';
import type { ConcurrencyLimits, JobInLane, QueuedJob, PriorityLevel, QueueLane, QueueEntry, Queue } from './port.ts';

/** READY tasks kept in memory at most, of one lane, and what a lane may have however many there are. */
export const LANE_TASKS_IN_MEMORY = 4096;
const KEPT_OF_LANE = 1024;
export const MIN_LANE_TASKS = 32;
/** Of one job in one lane, fresh ones and all: the others wait in the database, so that every job finds a place here. */
const KEPT_OF_JOB = 64;
/** The first ones of a job have a place also where its lane is full, so that a job that comes late has its turn with the others. */
const FIRST_OF_JOB = 8;
const KEPT_BEGUN = 512;
/** With fewer, more of them are read in. */
export const REFILL_BELOW_TASKS = 16;
/** Characters of inputs kept with them; an input beyond is read when its task is handed out. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const MAX_KEPT = 16 * 1024;
/** A job's turn ends after so many tasks or so long, whichever is first: quick tasks go out in batches, long ones by turns. */
export const TURN_TASKS = 8;
export const TURN_MS = 5;
/** One in so many tasks is of a lower priority than the highest that waits. */
export const LOWER_PRIORITY_SHARE = 8;
/** Levels without tasks are kept while they have no more lanes than this. */
const KEPT_LANES = 32;

export function createQueue(concurrencyLimits: ConcurrencyLimits): Queue {
  const places = new Map<string, QueueEntry>();
  const queuedJobs = new Map<number, QueuedJob>();
  const runningLow = new Set<QueuedJob>();
  const levels: PriorityLevel[] = [];
  let characters = 0;
  let ticks = 0;
  /** Tasks handed out since a lower priority had its share, and whether the last choice was its. */
  let sinceLow = 0;
  let isLow = false;

  function levelOf(priority: number): PriorityLevel {
    let level = levels.find((known) => known.priority === priority);
    if (!level) {
      level = createPriorityLevel(priority);
      levels.push(level);
      levels.sort((a, b) => b.priority - a.priority);
    }
    return level;
  }

  const laneOf = (task: TaskRecord): QueueLane =>
    findOrCreateLane(levelOf(task.job.priority), needsOf(task), concurrencyLimits.forJob(task.job));

  function queuedJobOf(job: JobRecord): QueuedJob {
    let queuedJob = queuedJobs.get(job.seq);
    if (!queuedJob) {
      // The task for which it is made is counted already: with one READY task there is nothing but it.
      queuedJob = {
        job,
        lanes: new Map(),
        size: 0,
        cursor: null,
        lanesInDatabase: job.facts.counters.readyTasks > 1 ? null : new Set(),
        rejected: new Set(),
      };
      queuedJobs.set(job.seq, queuedJob);
      if (queuedJob.lanesInDatabase === null) runningLow.add(queuedJob);
    }
    return queuedJob;
  }

  function entryOf(queuedJob: QueuedJob, lane: QueueLane): JobInLane {
    let entry = queuedJob.lanes.get(lane);
    if (!entry) {
      entry = {
        queuedJob,
        lane,
        begun: createLinkedList(),
        fresh: createLinkedList(),
        size: 0,
        lastTurn: ++ticks,
        served: 0,
        since: 0,
        before: null,
        after: null,
      };
      queuedJob.lanes.set(lane, entry);
      lane.jobs.push(entry);
    }
    return entry;
  }

  function toEnd(entry: JobInLane): void {
    entry.lane.jobs.remove(entry);
    entry.lane.jobs.push(entry);
    entry.lastTurn = ++ticks;
    entry.served = 0;
  }

  /** Nothing of the job is here any more: what it has in the database is found there in the round over the jobs. */
  function leave(queuedJob: QueuedJob): void {
    queuedJobs.delete(queuedJob.job.seq);
    runningLow.delete(queuedJob);
    if (queuedJob.job.facts.counters.readyTasks === 0) return;
    const level = levelOf(queuedJob.job.priority);
    for (const lane of queuedJob.lanesInDatabase ?? lanesForJob(level, queuedJob.job, concurrencyLimits))
      lane.inDatabase = lane.rejected = true;
  }

  function tidy(level: PriorityLevel): void {
    if (
      level.size > 0 ||
      level.hasUnread ||
      (level.priority === 0 && level.lanes.length <= KEPT_LANES) ||
      level.lanes.some(({ inDatabase }) => inDatabase)
    )
      return;
    levels.splice(levels.indexOf(level), 1);
  }

  function firstOf(level: PriorityLevel, isOpen: (lane: QueueLane) => boolean, now: number): JobInLane | null {
    let best: JobInLane | null = null;
    for (const lane of level.lanes) {
      if (lane.size === 0 || !isOpen(lane)) continue;
      // A lane that is not empty has a first.
      let entry = lane.jobs.first as JobInLane;
      if (entry.served > 0 && now - entry.since >= TURN_MS) {
        toEnd(entry);
        entry = lane.jobs.first as JobInLane;
      }
      if (best === null || entry.lastTurn < best.lastTurn) best = entry;
    }
    return best;
  }

  const queue: Queue = {
    get size() {
      return places.size;
    },
    levels,
    jobs: queuedJobs,
    runningLow,
    turn: 0,
    level: levelOf,
    add(task, inputText, begun, must = false) {
      const { job } = task;
      const lane = laneOf(task);
      const held = queuedJobs.get(job.seq)?.lanes.get(lane)?.size ?? 0;
      const full =
        lane.size >= (held < FIRST_OF_JOB ? LANE_TASKS_IN_MEMORY : KEPT_OF_LANE) ||
        (places.size >= LANE_TASKS_IN_MEMORY && lane.size >= MIN_LANE_TASKS) ||
        held >= (begun ? KEPT_BEGUN : KEPT_OF_JOB);
      if (full && !must) return false;
      const entry = entryOf(queuedJobOf(job), lane);
      const kept =
        inputText !== null && inputText.length <= MAX_KEPT && characters + inputText.length <= KEPT_CHARACTERS
          ? inputText
          : null;
      const place: QueueEntry = { task, inputText: kept, begun, jobInLane: entry, before: null, after: null };
      (begun ? entry.begun : entry.fresh).push(place);
      places.set(task.id, place);
      characters += kept?.length ?? 0;
      entry.size++;
      entry.queuedJob.size++;
      lane.size++;
      lane.level.size++;
      return true;
    },
    leaveInDatabase(task) {
      const lane = laneOf(task);
      const queuedJob = queuedJobs.get(task.job.seq);
      lane.level.leftInDatabaseAt = queue.turn;
      if (!queuedJob) {
        lane.inDatabase = lane.rejected = true;
        return;
      }
      queuedJob.lanesInDatabase?.add(lane);
      queuedJob.rejected.add(lane);
      runningLow.add(queuedJob);
    },
    remove({ id }) {
      const place = places.get(id);
      if (!place) return null;
      const { jobInLane: entry, begun, inputText } = place;
      const { queuedJob, lane } = entry;
      places.delete(id);
      characters -= inputText?.length ?? 0;
      (begun ? entry.begun : entry.fresh).remove(place);
      entry.size--;
      queuedJob.size--;
      lane.size--;
      lane.level.size--;
      if (entry.size === 0) {
        lane.jobs.remove(entry);
        queuedJob.lanes.delete(lane);
      }
      if (queuedJob.size === 0) leave(queuedJob);
      else if (entry.size < REFILL_BELOW_TASKS && hasRoomInLane(queuedJob, lane)) runningLow.add(queuedJob);
      if (lane.level.size === 0) tidy(lane.level);
      return place;
    },
    get: (id) => places.get(id)?.task,
    pickNext(isOpen, now) {
      let high: JobInLane | null = null;
      let low: JobInLane | null = null;
      for (const level of levels) {
        const entry = level.size > 0 ? firstOf(level, isOpen, now) : null;
        if (!entry) continue;
        if (high === null) {
          high = entry;
          if (sinceLow < LOWER_PRIORITY_SHARE - 1) break;
        } else if (low === null || level.served < low.lane.level.served) low = entry;
      }
      isLow = low !== null;
      const entry = low ?? high;
      return entry && (entry.begun.first ?? entry.fresh.first);
    },
    markDispatched({ jobInLane: entry }, now) {
      sinceLow = isLow ? 0 : Math.min(sinceLow + 1, LOWER_PRIORITY_SHARE - 1);
      entry.lane.level.served = ++ticks;
      if (entry.served++ === 0) entry.since = now;
      if (entry.served >= TURN_TASKS) toEnd(entry);
    },
    entries: () => [...places.values()],
    forgetLanes() {
      for (const level of levels) {
        level.lanes.length = 0;
        level.byName.clear();
        level.plain.clear();
        level.hasUnread = true;
        level.cursor = 0;
      }
    },
    invalidate(priorities) {
      for (const priority of priorities) levelOf(priority);
      for (const level of levels) {
        level.hasUnread = true;
        level.cursor = 0;
      }
      for (const queuedJob of queuedJobs.values()) {
        queuedJob.cursor = null;
        queuedJob.lanesInDatabase = null;
        queuedJob.rejected = new Set();
        runningLow.add(queuedJob);
      }
    },
  };
  return queue;
}
