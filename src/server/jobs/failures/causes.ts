import type { FailureCause, FailureDetail, FailureGroup } from '../../../contract/failures.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { JobStatus } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import { parseJson } from '../../../lib/json.ts';
import type { ReadHandle } from '../../store/port.ts';
import { findLastRerun } from './rerun-outcomes.ts';
import { inputOf } from '../search/job-inputs.ts';
import { pathText } from '../search/field-path.ts';
import { scalarsOf } from '../search/terms.ts';

/** Jobs of the group that are shown. */
const SHOWN = 20;
/** Places in the group's time at which successes are taken, and jobs looked at there: so the whole of it is covered. */
const PLACES = 50;
const LOOKED_AT = 200;
/** Fewer than these on either side say nothing. */
const LEAST = 5;
/** A cause is in so many of the failures, and in so many more of them than of the successes, and the odds of chance are below 1 in 1,000. */
const MIN_SHARE = 0.25;
const MIN_LEAD = 0.25;
const MIN_LIFT = 1.5;
const MIN_Z = 3.3;
const MAX_CAUSES = 10;
const VALUE_CHARACTERS = 64;
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
 * What sets the failures of a group apart: each worker, commit, environment and field of the input is counted in a
 * sample of the group's jobs and in one of the same workflow's successes of the same time; what is in many more of the
 * failures is named. Bounded by the sample, however large the group is.
 */
export function findCauses(
  read: ReadHandle,
  group: FailureGroup,
  limits: Pick<Limits, 'failureSample' | 'searchFields' | 'searchDepth'>,
): Pick<FailureDetail, 'causes' | 'jobs'> {
  const failures = read.query<Seen>(FAILED).all(group.id, limits.failureSample);
  const jobs = failures.slice(0, SHOWN).map(({ job, id, status, created_at, message }) => ({
    id,
    status,
    createdAt: iso(created_at),
    message: message ?? group.message,
    lastRerun: findLastRerun(read, { seq: job, id, status }),
  }));
  if (failures.length < LEAST) return { causes: [], jobs };
  const successes = successesBeside(read, group, failures, limits.failureSample);
  if (successes.length < LEAST) return { causes: [], jobs };
  const traits = (seen: Seen) => traitsOf(read, seen, limits);
  return {
    causes: compare(count(failures, traits), failures.length, count(successes, traits), successes.length),
    jobs,
  };
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

interface Trait {
  readonly kind: FailureCause['kind'];
  readonly path: string | null;
  readonly value: string;
}

/** By a key, so that what is there twice counts once. */
function traitsOf(
  read: ReadHandle,
  seen: Seen,
  limits: Pick<Limits, 'searchFields' | 'searchDepth'>,
): Map<string, Trait> {
  const traits = new Map<string, Trait>();
  const add = (kind: Trait['kind'], path: string | null, value: string) =>
    void traits.set(JSON.stringify([kind, path, value]), { kind, path, value });
  if (seen.worker_id !== null) add('worker', null, seen.worker_id);
  add('commit', null, seen.commit_hash);
  add('environment', null, seen.environment ?? 'none');
  const text = inputOf(read, seen.job, seen.replica ?? 0, seen.input_count);
  if (text === null || text.length > INPUT_CHARACTERS) return traits;
  for (const { path, text: value } of scalarsOf(parseJson(text), limits))
    if (value.length <= VALUE_CHARACTERS) add('input', pathText(path), value);
  return traits;
}

function count(
  jobs: readonly Seen[],
  traitsOfJob: (seen: Seen) => Map<string, Trait>,
): Map<string, { trait: Trait; count: number }> {
  const counts = new Map<string, { trait: Trait; count: number }>();
  for (const job of jobs) {
    for (const [key, trait] of traitsOfJob(job)) {
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { trait, count: 1 });
    }
  }
  return counts;
}

function compare(
  failed: ReturnType<typeof count>,
  failures: number,
  succeeded: ReturnType<typeof count>,
  successes: number,
): FailureCause[] {
  const causes: FailureCause[] = [];
  for (const [key, { trait, count: inFailures }] of failed) {
    const inSuccesses = succeeded.get(key)?.count ?? 0;
    const [share, other] = [inFailures / failures, inSuccesses / successes];
    const pooled = (inFailures + inSuccesses) / (failures + successes);
    const z = (share - other) / Math.sqrt(pooled * (1 - pooled) * (1 / failures + 1 / successes));
    if (
      inFailures < LEAST ||
      share < MIN_SHARE ||
      share - other < MIN_LEAD ||
      share < other * MIN_LIFT ||
      !(z >= MIN_Z)
    )
      continue;
    causes.push({ ...trait, failures: round(share), successes: round(other) });
  }
  return causes.sort((a, b) => b.failures - b.successes - (a.failures - a.successes)).slice(0, MAX_CAUSES);
}

const round = (share: number): number => Math.round(share * 1000) / 1000;
