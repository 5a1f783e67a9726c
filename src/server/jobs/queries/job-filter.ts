import { DRAFT_GLOB, isDraftId, workflowIdForDraft } from '../../../contract/drafts.ts';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { ReadHandle, Value } from '../../store/port.ts';

/** Jobs of one workflow, environment ('' for none) and status. */
export interface Count {
  readonly workflowId: string;
  readonly environment: string;
  readonly status: JobStatus;
  readonly jobs: number;
}

/** One condition of a list, as SQL over `job`. */
export interface Condition {
  readonly column:
    | 'status'
    | 'workflow_id'
    | 'environment'
    | 'external_id'
    | 'created_at'
    | 'q'
    | 'found'
    | 'parent_task_id'
    | 'parent_job_id'
    | 'rerun_of'
    | 'trace'
    | 'draft';
  readonly sql: string;
  readonly values: readonly Value[];
  /** Jobs that meet this condition alone, where the counts tell. */
  readonly matches: number | null;
}

type Grouped = Pick<JobFilter, 'status' | 'workflowId' | 'environment' | 'within'>;

/** Jobs that a temporary table holds: what a search found. */
export const searchMatches = ({ total }: { total: number }): Condition => ({
  column: 'found',
  sql: 'seq IN (SELECT seq FROM temp.found)',
  values: [],
  matches: total,
});

export function filterConditions(filter: JobFilter, counts: readonly Count[]): Condition[] {
  const conditions: Condition[] = [];
  const { status, workflowId, environment, externalId, q, failureGroup, within } = filter;
  if (status?.length === 1 && status[0])
    conditions.push({
      column: 'status',
      sql: 'status = ?',
      values: [status[0]],
      matches: countFromBlocks(counts, { status }),
    });
  else if (status && status.length > 1)
    conditions.push({
      column: 'status',
      sql: `status IN (${status.map(() => '?').join(', ')})`,
      values: status,
      matches: countFromBlocks(counts, { status }),
    });
  // Draft runs are shown to those who ask for them by name.
  if (workflowId === undefined && counts.some((row) => row.jobs > 0 && isDraftId(row.workflowId)))
    conditions.push({
      column: 'draft',
      sql: `workflow_id NOT GLOB '${DRAFT_GLOB}'`,
      values: [],
      matches: countFromBlocks(counts, {}),
    });
  if (workflowId !== undefined)
    conditions.push({
      column: 'workflow_id',
      sql: 'workflow_id = ?',
      values: [workflowId],
      matches: countFromBlocks(counts, { workflowId }),
    });
  if (within !== undefined)
    conditions.push(
      workflowId === undefined
        ? {
            column: 'workflow_id',
            sql: 'workflow_id IN (SELECT value FROM json_each(?))',
            values: [JSON.stringify(within)],
            matches: countFromBlocks(counts, { within }),
          }
        : // One workflow: it is among them or not, and its drafts with it.
          {
            column: 'workflow_id',
            sql: within.includes(workflowIdForDraft(workflowId)) ? 'true' : 'false',
            values: [],
            matches: countFromBlocks(counts, { workflowId, within }),
          },
    );
  if (environment !== undefined)
    conditions.push({
      column: 'environment',
      sql: 'environment = ?',
      values: [environment],
      matches: countFromBlocks(counts, { environment }),
    });
  if (externalId !== undefined)
    conditions.push({ column: 'external_id', sql: 'external_id = ?', values: [externalId], matches: null });
  for (const [column, value] of [
    ['parent_task_id', filter.parentTaskId],
    ['parent_job_id', filter.parentJobId],
    ['rerun_of', filter.rerunOf],
  ] as const) {
    if (value !== undefined) conditions.push({ column, sql: `${column} = ?`, values: [value], matches: null });
  }
  if (filter.traceId !== undefined)
    conditions.push({
      column: 'trace',
      sql: 'trace IS NOT NULL AND substr(trace, 1, 32) = ?',
      values: [filter.traceId],
      matches: null,
    });
  if (q !== undefined && q !== '')
    conditions.push({
      column: 'q',
      sql: '(id >= ? AND id < ? OR external_id >= ? AND external_id < ?)',
      values: [q, after(q), q, after(q)],
      matches: null,
    });
  const created = createdRange(filter);
  if (created)
    conditions.push({
      column: 'created_at',
      sql: 'created_at BETWEEN ? AND ?',
      values: [created.from, created.to],
      matches: null,
    });
  if (failureGroup !== undefined)
    conditions.push({
      column: 'found',
      sql: 'seq IN (SELECT job FROM failure_job WHERE group_id = ?)',
      values: [failureGroup],
      matches: null,
    });
  return conditions;
}

/** The range of creation that is asked for, in milliseconds, both ends in it. */
export function createdRange({ createdFrom, createdTo }: JobFilter): { from: number; to: number } | null {
  if (createdFrom === undefined && createdTo === undefined) return null;
  return {
    from: createdFrom === undefined ? 0 : Date.parse(createdFrom),
    to: createdTo === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(createdTo),
  };
}

/** Counts of the jobs that the filter's status, workflow and environment leave. */
export function matching(counts: readonly Count[], { status, workflowId, environment, within }: Grouped): Count[] {
  const seen = within && new Set(within);
  return counts.filter((row) => {
    if (status !== undefined && status.length > 0 && !status.includes(row.status)) return false;
    if (workflowId === undefined ? isDraftId(row.workflowId) : row.workflowId !== workflowId) return false;
    if (seen && !seen.has(workflowIdForDraft(row.workflowId))) return false;
    return environment === undefined || row.environment === environment;
  });
}

export const countFromBlocks = (counts: readonly Count[], filter: Grouped): number =>
  matching(counts, filter).reduce((sum, { jobs }) => sum + jobs, 0);

/** The end of the range of texts that begin with `prefix`. */
const after = (prefix: string): string => `${prefix}\u{10ffff}`;

/** The counts as the database has them, for a thread that has no memory of its own. */
export const readCounts = (read: ReadHandle): Count[] =>
  read
    .query<{ w: string; e: string; s: JobStatus; n: number }>(
      'SELECT workflow_id AS w, environment AS e, status AS s, sum(jobs) AS n FROM job_block GROUP BY 1, 2, 3',
    )
    .all()
    .map(({ w, e, s, n }) => ({ workflowId: w, environment: e, status: s, jobs: n }));
