import type { FailureDetail, FailureGroup } from '../../../contract/failures.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { JobStatus } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import { parseJson } from '../../../lib/json.ts';
import type { ReadHandle } from '../../store/port.ts';
import { findLastRerun } from './rerun-outcomes.ts';
import { inputOf } from '../search/job-inputs.ts';
import { scalarsOf } from '../search/terms.ts';
import { compareRuns, FEWEST, LEAST, type Run } from './compare-runs.ts';

/** Jobs of the group that are shown. */
const SHOWN = 20;
/** Places in the group's time at which successes are taken, and jobs looked at there: so the whole of it is covered. */
const PLACES = 50;
const LOOKED_AT = 200;
const INPUT_CHARACTERS = 256 * 1024;

interface Seen {
  job: number;
  id: string;
  status: JobStatus;
  created_at: number;
  environment: string | null;
  commit_hash: string;
  input_count: number;
  worker_id: string | null;
  replica: number;
  message: string | null;
}

const FAILED = `SELECT f.job, j.id, j.status, j.created_at, j.environment, j.commit_hash, j.input_count, f.worker_id, t.replica, t.error_message AS message
  FROM failure_job f JOIN job j ON j.seq = f.job LEFT JOIN task t ON t.id = f.task WHERE f.group_id = ? ORDER BY f.job DESC LIMIT ?`;
const SUCCEEDED = `SELECT j.seq AS job, j.id, j.status, j.created_at, j.environment, j.commit_hash, j.input_count, 0 AS replica, NULL AS message,
    (SELECT worker_id FROM task WHERE job = j.seq AND replica = 0 AND node = ? LIMIT 1) AS worker_id
  FROM (SELECT seq FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ${LOOKED_AT}) c
  JOIN job j ON j.seq = c.seq WHERE j.status = 'COMPLETED' LIMIT ?`;

/**
 * What sets the failures of a group apart from a sample of the same workflow's successes of the same time, and the version
 * that brought them. Bounded by the sample, however large the group is.
 */
export function findCauses(
  read: ReadHandle,
  group: FailureGroup,
  limits: Pick<Limits, 'failureSample' | 'searchFields' | 'searchDepth'>,
): Pick<FailureDetail, 'causes' | 'jobs' | 'introducedBy'> {
  const failures = read.query<Seen>(FAILED).all(group.id, limits.failureSample);
  const jobs = failures.slice(0, SHOWN).map(({ job, id, status, created_at, message }) => ({
    id,
    status,
    createdAt: iso(created_at),
    message: message ?? group.message,
    lastRerun: findLastRerun(read, { seq: job, id, status }),
  }));
  const introducedBy = findIntroducedBy(read, group);
  if (failures.length < FEWEST) return { causes: [], jobs, introducedBy };
  const successes = successesBeside(read, group, failures, limits.failureSample);
  if (successes.length < FEWEST) return { causes: [], jobs, introducedBy };
  const look = (sample: readonly Seen[]) => sample.map((seen) => describeRun(read, seen, limits));
  return { causes: compareRuns(look(failures), look(successes)), jobs, introducedBy };
}

/** Completed jobs of the same workflow from the first of the failures to the last, and a little around, spread over all of it. */
function successesBeside(
  read: ReadHandle,
  { workflowId, node }: FailureGroup,
  failures: readonly Seen[],
  most: number,
): Seen[] {
  const [first, last] = [failures.at(-1)?.job ?? 0, failures[0]?.job ?? 0];
  const around = Math.max(500, Math.round((last - first) / 10));
  const [from, to] = [Math.max(0, first - around), last + around];
  const step = Math.max(1, Math.ceil((to - from + 1) / PLACES));
  const each = Math.ceil(most / PLACES);
  const found: Seen[] = [];
  for (let place = from; place <= to; place += step)
    found.push(...read.query<Seen>(SUCCEEDED).all(node, workflowId, place, place + step, each));
  return found;
}

function describeRun(read: ReadHandle, seen: Seen, limits: Pick<Limits, 'searchFields' | 'searchDepth'>): Run {
  const text = inputOf(read, seen.job, seen.replica ?? 0, seen.input_count);
  return {
    worker: seen.worker_id,
    commit: seen.commit_hash,
    environment: seen.environment ?? 'none',
    hour: `${iso(seen.created_at).slice(11, 13)}:00`,
    fields: text === null || text.length > INPUT_CHARACTERS ? null : scalarsOf(parseJson(text), limits),
  };
}

const OLDEST =
  'SELECT j.seq, j.commit_hash FROM failure_job f JOIN job j ON j.seq = f.job WHERE f.group_id = ? ORDER BY f.job LIMIT 1';
const BEFORE = `SELECT commit_hash, count(*) AS n FROM
  (SELECT commit_hash, status FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND seq < ? ORDER BY seq DESC LIMIT ${LOOKED_AT})
  WHERE status = 'COMPLETED' GROUP BY 1`;

/** The version of the oldest of the failures, where jobs of other versions completed before it and none of those ever failed so. */
function findIntroducedBy(read: ReadHandle, { id, workflowId, commits }: FailureGroup): string | null {
  const oldest = read.query<{ seq: number; commit_hash: string }>(OLDEST).get(id);
  if (!oldest) return null;
  const failed = new Set(commits.map(({ commit }) => commit));
  const completed = read
    .query<{ commit_hash: string; n: number }>(BEFORE)
    .all(workflowId, oldest.seq)
    .reduce((sum, { commit_hash: commit, n }) => sum + (failed.has(commit) ? 0 : n), 0);
  return completed >= LEAST ? oldest.commit_hash : null;
}
