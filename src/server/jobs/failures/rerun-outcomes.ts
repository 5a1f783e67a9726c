import type { FailureDetail } from '../../../contract/failures.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { ReadHandle } from '../../store/port.ts';

interface Seen {
  seq: number;
  id: string;
  status: JobStatus;
  finished_at: number | null;
}

const OF_GROUP =
  'SELECT j.seq, j.id, j.status, j.finished_at FROM failure_job f JOIN job j ON j.seq = f.job WHERE f.group_id = ? ORDER BY f.job DESC LIMIT ?';
const NEWEST_RERUN =
  'SELECT seq, id, status, finished_at FROM job INDEXED BY job_by_rerun WHERE rerun_of = ? ORDER BY seq DESC LIMIT 1';
/** Reruns of reruns that are followed. */
const MAX_STEPS = 50;

/**
 * What the jobs of a group came to by now, each by its newest rerun where it was run again. A job whose rerun failed in the
 * same way is not counted beside it: the rerun is in the group itself. Bounded by the limit, however large the group is.
 */
export function countRerunOutcomes(
  read: ReadHandle,
  groupId: string,
  { failureStanding }: Pick<Limits, 'failureStanding'>,
): FailureDetail['standing'] {
  const seen = read.query<Seen>(OF_GROUP).all(groupId, failureStanding);
  const inGroup = new Set(seen.map(({ seq }) => seq));
  const standing = { jobs: 0, succeeded: 0, running: 0, failed: 0 };
  for (const job of seen) {
    const last = lastOf(read, job, inGroup);
    if (last === null) continue;
    standing.jobs++;
    if (last.finished_at === null) standing.running++;
    else if (hasSucceeded(last)) standing.succeeded++;
    else standing.failed++;
  }
  return standing;
}

const hasSucceeded = ({ status, finished_at }: Seen): boolean =>
  finished_at !== null && (status === 'COMPLETED' || status === 'EMPTY');

/** A group of more jobs is looked at in its panel alone. */
const MAX_IN_LIST = 1000;

/** True where each job of a group has succeeded since; the first that has not ends the search. */
export function allJobsSucceeded(read: ReadHandle, groupId: string): boolean {
  const seen = read.query<Seen>(OF_GROUP).all(groupId, MAX_IN_LIST + 1);
  if (seen.length === 0 || seen.length > MAX_IN_LIST) return false;
  const inGroup = new Set(seen.map(({ seq }) => seq));
  return seen.every((job) => {
    const last = lastOf(read, job, inGroup);
    return last === null || hasSucceeded(last);
  });
}

/** What a job was run again as last, also as a rerun of a rerun; null: it never was. */
export function findLastRerun(
  read: ReadHandle,
  job: { seq: number; id: string; status: JobStatus },
): { id: string; status: JobStatus } | null {
  const last = lastOf(read, { ...job, finished_at: null }, new Set());
  return last === null || last.seq === job.seq ? null : { id: last.id, status: last.status };
}

/** The job, or its last rerun; null where one on the way is counted by itself. */
function lastOf(read: ReadHandle, job: Seen, inGroup: ReadonlySet<number>): Seen | null {
  let last = job;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = read.query<Seen>(NEWEST_RERUN).get(last.id);
    if (!next) break;
    if (inGroup.has(next.seq)) return null;
    last = next;
  }
  return last;
}
