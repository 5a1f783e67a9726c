import { FAILED_STATES } from '../../state-machines/task.ts';
import { planOnce } from '../../store/plan-once.ts';
import { flushTasks, touchJob } from '../engine/transaction.ts';
import type { JobRecord, FailureSearch } from '../engine/records.ts';
import type { Memory, Transaction } from '../engine/port.ts';

/** A list whose stopped items are about to be READY again. */
export interface RetriedForeach {
  readonly replica: number;
  readonly node: string;
}

/** Tasks that one turn looks at. */
const LOOKED_AT = 2000;
/** Searches that were left before their end (an aborted operation) are forgotten, the oldest first. */
const KEPT = 100;

const WINDOW_END = planOnce(
  `SELECT max(seq) AS end, count(*) AS many FROM (SELECT seq FROM task WHERE state = ? AND state <> 'COMPLETED' AND job = ? AND seq > ? ORDER BY seq LIMIT ?)`,
);
/** A final failure that fails its replica: not that of one task, not one that was collected, nor one of the list that is being revived. */
const counts = (collecting: number): string => `id <> ? AND retry_at IS NULL
  AND (item IS NULL OR node NOT IN (${Array.from({ length: collecting }, () => '?').join(', ')}))
  AND NOT (replica = ? AND node = ? AND (error_code IN ('KILLED', 'REPLICA_TIMEOUT') OR state = 'RUN_TIMEOUT'))`;
const COLUMNS = 'id, node, error_code AS code, error_message AS message, finished_at AS at';
const first = (collecting: number): string =>
  planOnce(
    `SELECT ${COLUMNS} FROM task WHERE state = ? AND state <> 'COMPLETED' AND job = ? AND seq > ? AND seq <= ? AND ${counts(collecting)} ORDER BY seq LIMIT 1`,
  );
const known = (collecting: number): string =>
  `SELECT ${COLUMNS} FROM task WHERE id = ? AND state IN ('FAILED', 'SCHEDULE_TIMEOUT', 'RUN_TIMEOUT') AND ${counts(collecting)}`;

interface Failing {
  id: string;
  node: string;
  code: string | null;
  message: string | null;
  at: number | null;
}

export function beginFailureSearch(
  { failureSearches }: Pick<Memory, 'failureSearches'>,
  job: number,
  ofWholeJob: boolean,
): FailureSearch {
  const search = { job, ofWholeJob, state: 0, cursor: 0 };
  failureSearches.add(search);
  for (const oldest of failureSearches) if (failureSearches.size > KEPT) failureSearches.delete(oldest);
  return search;
}

/** Sets what fails the job now, `except` for a task that is about to be READY again; false where another turn has to go on with the search. */
export function findJobFailure(
  tx: Transaction,
  job: JobRecord,
  search: FailureSearch,
  { except = '', revived = null }: { except?: string; revived?: RetriedForeach | null } = {},
): boolean {
  flushTasks(tx, job);
  const collecting = [...job.plan.nodes.values()].filter(({ foreach }) => foreach?.collect).map(({ id }) => id);
  const rule = [except, ...collecting, revived?.replica ?? -1, revived?.node ?? ''];
  // What it was before is looked at first: where it still is, there is nothing to look for.
  const before = job.failure
    ? tx.db.query<Failing>(known(collecting.length)).get(job.failure.taskId, ...rule)
    : undefined;
  const found = before ?? searchOn(tx, search, collecting.length, rule);
  if (found === null) return false;
  tx.memory.failureSearches.delete(search);
  tx.undo.push(() => void tx.memory.failureSearches.add(search));
  touchJob(tx, job);
  job.failure = found
    ? { taskId: found.id, node: found.node, taskCode: found.code ?? '', taskMessage: found.message ?? '' }
    : null;
  job.failureAt = found?.at ?? null;
  return true;
}

/** Undefined: there is none. Null: not known yet. */
function searchOn(
  { db, undo }: Transaction,
  search: FailureSearch,
  collecting: number,
  rule: readonly (string | number)[],
): Failing | undefined | null {
  undo.push(() => Object.assign(search, { state: 0, cursor: 0 }));
  let left = LOOKED_AT;
  while (left > 0) {
    const state = FAILED_STATES[search.state];
    if (state === undefined) return undefined;
    const window = db
      .query<{ end: number | null; many: number }>(WINDOW_END)
      .get(state, search.job, search.cursor, left);
    if (!window || window.end === null) {
      Object.assign(search, { state: search.state + 1, cursor: 0 });
      continue;
    }
    left -= window.many;
    const found = db.query<Failing>(first(collecting)).get(state, search.job, search.cursor, window.end, ...rule);
    if (found) return found;
    search.cursor = window.end;
  }
  return null;
}
