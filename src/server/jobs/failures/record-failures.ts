import type { Limits } from '../../../contract/limits.ts';
import type { FailureStatus } from '../../../contract/vocabulary.ts';
import type { WriteHandle } from '../../store/port.ts';
import { parseStored } from '../../../lib/json.ts';
import { addToHistogram, type Histogram } from './histogram.ts';
import { fingerprint, normalise, normaliseAll } from './fingerprint.ts';
import type { FinalFailure } from './port.ts';

type FailureLimits = Pick<Limits, 'failureGroups' | 'failureParts' | 'failureMessageCharacters'>;

interface Group {
  readonly id: string;
  readonly message: string;
  readonly newest: FinalFailure;
  readonly all: FinalFailure[];
}

const TOUCH_GROUP = `UPDATE failure_group SET count = count + ?, same_message = same_message AND ? AND sample = ?, sample = ?, last_seen_at = max(last_seen_at, ?), last_job = ?, last_task = ?,
  status = iif(status = 'RESOLVED', 'OPEN', status), reopened_at = iif(status = 'RESOLVED', ?, reopened_at),
  decided_at = iif(status = 'RESOLVED', NULL, decided_at), decided_by = iif(status = 'RESOLVED', NULL, decided_by), histogram = ? WHERE id = ?`;
const MAKE_GROUP = `INSERT INTO failure_group (id, workflow_id, node, code, message, sample, status, count, first_seen_at, last_seen_at, last_job, last_task, same_message, histogram)
  VALUES (?, ?, ?, ?, ?, ?, 'OPEN', ?, ?, ?, ?, ?, ?, ?)`;
const HISTOGRAM = 'SELECT histogram FROM failure_group WHERE id = ?';
/** A group of an earlier release, which put all statuses into one. */
const BEFORE = 'SELECT id, sample, status, same_message, decided_at, decided_by FROM failure_group WHERE id = ?';
const MOVE = [
  'UPDATE failure_group SET id = ?, message = ? WHERE id = ?',
  'UPDATE failure_part SET group_id = ? WHERE group_id = ?',
  'UPDATE failure_job SET group_id = ? WHERE group_id = ?',
] as const;
const IGNORE = "UPDATE failure_group SET status = 'IGNORED', decided_at = ?, decided_by = ? WHERE id = ?";
const TOUCH_PART =
  'UPDATE failure_part SET count = count + ?, last_seen_at = ? WHERE group_id = ? AND kind = ? AND value = ?';
const MAKE_PART = 'INSERT INTO failure_part (group_id, kind, value, count, last_seen_at) VALUES (?, ?, ?, ?, ?)';
const TRIM_PARTS = `DELETE FROM failure_part WHERE group_id = ? AND kind = ? AND value IN (
  SELECT value FROM failure_part WHERE group_id = ? AND kind = ? ORDER BY last_seen_at DESC LIMIT -1 OFFSET ?)`;
const PUT_JOB =
  'INSERT INTO failure_job (group_id, job, task, worker_id, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (group_id, job) DO UPDATE SET task = excluded.task, worker_id = excluded.worker_id, at = excluded.at';
const COUNT_GROUPS = 'SELECT count(*) AS n FROM failure_group';
const QUIETEST = 'SELECT id FROM failure_group INDEXED BY failure_group_by_seen ORDER BY last_seen_at LIMIT ?';

/**
 * Adds final failures to their groups, in the transaction that ended the tasks. A group that was resolved opens again;
 * one that is ignored stays so. A turn that fails a thousand tasks alike writes their group once.
 */
export function recordFailures(db: WriteHandle, failures: readonly FinalFailure[], limits: FailureLimits): void {
  for (const group of grouped(failures, limits.failureMessageCharacters)) {
    const { id, newest, all } = group;
    const { plan, id: jobId } = newest.job;
    const same = all.every(({ message }) => message === newest.message) ? 1 : 0;
    const times = all.map(({ at }) => at);
    const touch = () =>
      db
        .statement(TOUCH_GROUP)
        .run(
          all.length,
          same,
          newest.message,
          newest.message,
          newest.at,
          jobId,
          newest.taskId,
          newest.at,
          histogramWith(db, id, times),
          id,
        ) === 1;
    const before = touch() ? 'known' : earlierGroup(db, group, limits.failureMessageCharacters);
    const known = before === 'known' || (before?.same_message === 1 && takeOver(db, before.id, group) && touch());
    if (!known) {
      db.statement(MAKE_GROUP).run(
        id,
        plan.workflowId,
        newest.node,
        newest.code,
        group.message,
        newest.message,
        all.length,
        Math.min(...times),
        newest.at,
        jobId,
        newest.taskId,
        same,
        JSON.stringify(addToHistogram(null, times)),
      );
      if (before?.status === 'IGNORED') db.statement(IGNORE).run(before.decided_at, before.decided_by, id);
      forgetQuietest(db, limits.failureGroups);
    }
    notePart(db, group, 'environment', ({ job }) => job.environment ?? '', limits.failureParts);
    notePart(db, group, 'commit', ({ job }) => job.plan.commit, limits.failureParts);
    notePart(db, group, 'worker', ({ workerId }) => workerId, limits.failureParts);
    for (const { job, taskId, workerId, at } of all) db.statement(PUT_JOB).run(id, job.seq, taskId, workerId, at);
  }
}

/** JSON of the histogram of a group with these failures added. */
function histogramWith(db: WriteHandle, id: string, times: readonly number[]): string {
  const known = db.query<{ histogram: string | null }>(HISTOGRAM).get(id)?.histogram ?? null;
  return JSON.stringify(addToHistogram(known === null ? null : parseStored<Histogram>(known), times));
}

interface Earlier {
  readonly id: string;
  readonly sample: string;
  readonly status: FailureStatus;
  readonly same_message: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
}

/** The group of an earlier release whose newest message would be of this group now; what was decided of it goes for this one. */
function earlierGroup(db: WriteHandle, { message, newest }: Group, most: number): Earlier | null {
  const earlier = normaliseAll(message);
  if (earlier === message) return null;
  const found = db
    .query<Earlier>(BEFORE)
    .get(fingerprint(newest.job.plan.workflowId, newest.node, newest.code, earlier));
  return found && normalise(found.sample, most) === message ? found : null;
}

/** One that counted a single failure is this very group, under the name that it has now. */
function takeOver(db: WriteHandle, earlier: string, { id, message }: Group): true {
  db.statement(MOVE[0]).run(id, message, earlier);
  db.statement(MOVE[1]).run(id, earlier);
  db.statement(MOVE[2]).run(id, earlier);
  return true;
}

function grouped(failures: readonly FinalFailure[], most: number): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const failure of failures) {
    const { plan } = failure.job;
    const message = normalise(failure.message, most);
    const id = fingerprint(plan.workflowId, failure.node, failure.code, message);
    const known = groups.get(id);
    if (!known) groups.set(id, { id, message, newest: failure, all: [failure] });
    else {
      known.all.push(failure);
      if (failure.at >= known.newest.at) groups.set(id, { ...known, newest: failure });
    }
  }
  return groups.values();
}

function notePart(
  db: WriteHandle,
  { id, all }: Group,
  kind: string,
  valueOf: (failure: FinalFailure) => string | null,
  most: number,
): void {
  const counts = new Map<string, { count: number; at: number }>();
  for (const failure of all) {
    const value = valueOf(failure);
    if (value === null) continue;
    const known = counts.get(value);
    counts.set(value, { count: (known?.count ?? 0) + 1, at: Math.max(known?.at ?? 0, failure.at) });
  }
  for (const [value, { count, at }] of counts) {
    if (db.statement(TOUCH_PART).run(count, at, id, kind, value) === 1) continue;
    db.statement(MAKE_PART).run(id, kind, value, count, at);
    db.statement(TRIM_PARTS).run(id, kind, id, kind, most);
  }
}

function forgetQuietest(db: WriteHandle, most: number): void {
  const over = (db.query<{ n: number }>(COUNT_GROUPS).get()?.n ?? 0) - most;
  if (over > 0) for (const { id } of db.query<{ id: string }>(QUIETEST).all(over)) forgetGroup(db, id);
}

function forgetGroup(db: WriteHandle, id: string): void {
  db.statement('DELETE FROM failure_group WHERE id = ?').run(id);
  db.statement('DELETE FROM failure_part WHERE group_id = ?').run(id);
  db.statement('DELETE FROM failure_job WHERE group_id = ?').run(id);
}
