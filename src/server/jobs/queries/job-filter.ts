import { DRAFT_GLOB, isDraftId, workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { JobFilter } from '../../../contract/jobs.ts';
import {
  FAILING_STATUSES,
  type DisplayStatus,
  type JobStatus,
  type TriggerKind,
} from '../../../contract/vocabulary.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { queryConditions } from './query-conditions.ts';

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
    | 'display'
    | 'workflow_id'
    | 'environment'
    | 'external_id'
    | 'created_at'
    | 'q'
    | 'found'
    | 'query'
    | 'parent_task_id'
    | 'parent_job_id'
    | 'rerun_of'
    | 'trace'
    | 'trigger'
    | 'trigger_kind'
    | 'trigger_id'
    | 'draft';
  readonly sql: string;
  readonly values: readonly Value[];
  /** Jobs that meet this condition alone, where the counts tell. */
  readonly matches: number | null;
}

export const valuesOf = (conditions: readonly Condition[]): Value[] => conditions.flatMap(({ values }) => [...values]);

type Grouped = Pick<JobFilter, 'status' | 'workflowId' | 'environment' | 'within'>;

/** Jobs that temporary tables hold: what a search found, and what it leaves out. */
export const searchMatches = ({
  total,
  excluded = 0,
}: {
  total: number | null;
  excluded?: number | null;
}): Condition[] => [
  ...(total === null
    ? []
    : [{ column: 'found', sql: 'seq IN (SELECT seq FROM temp.found)', values: [], matches: total } as const]),
  ...(excluded === null || excluded === 0
    ? []
    : [{ column: 'query', sql: 'seq NOT IN (SELECT seq FROM temp.excluded)', values: [], matches: null } as const]),
];

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
  if (filter.displayStatus !== undefined && filter.displayStatus.length > 0)
    conditions.push(...displayConditions(filter.displayStatus, counts));
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
  if (filter.trigger !== undefined && filter.trigger.length > 0) conditions.push(startedBy(filter.trigger));
  if (filter.triggerId !== undefined)
    conditions.push({ column: 'trigger_id', sql: 'trigger_id = ?', values: [filter.triggerId], matches: null });
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
  conditions.push(...queryConditions(filter.query, QUERY_WORDS));
  return conditions;
}

/** Jobs whose kind tells what started them. */
const CALLED = 'kind IN (%) AND trigger_kind IS NULL AND rerun_of IS NULL';
const TRIGGERS: Readonly<Record<TriggerKind, string>> = {
  event: CALLED.replace('%', "'event'"),
  api: CALLED.replace('%', "'batch', 'draft'"),
  workflow: CALLED.replace('%', "'child'"),
  rerun: 'rerun_of IS NOT NULL',
  schedule: "trigger_kind = 'schedule'",
  backfill: "trigger_kind = 'backfill'",
  webhook: "trigger_kind = 'webhook'",
};

/** One kind that has an index is found by it. */
function startedBy(kinds: readonly TriggerKind[]): Condition {
  const [first] = kinds;
  const stored = kinds.length === 1 && (first === 'schedule' || first === 'backfill' || first === 'webhook');
  return {
    column: stored ? 'trigger_kind' : 'trigger',
    sql: `(${kinds.map((kind) => TRIGGERS[kind]).join(' OR ')})`,
    values: [],
    matches: null,
  };
}

/** What `displayStatus` of the contract says, over the columns of `job`. */
const DISPLAYED: Readonly<Record<DisplayStatus, { readonly statuses: readonly JobStatus[]; readonly sql: string }>> = {
  QUEUED: { statuses: ['RUNNING'], sql: "status = 'RUNNING' AND running = 0 AND completed = 0" },
  RUNNING: { statuses: ['RUNNING'], sql: "status = 'RUNNING' AND (running > 0 OR completed > 0)" },
  COMPLETED: { statuses: ['COMPLETED'], sql: "status = 'COMPLETED'" },
  EMPTY: { statuses: ['EMPTY'], sql: "status = 'EMPTY'" },
  FAILED: { statuses: ['FAILED'], sql: "status = 'FAILED' AND killed_at IS NULL" },
  PARTIAL_FAILURE: { statuses: ['PARTIAL_FAILURE'], sql: "status = 'PARTIAL_FAILURE' AND killed_at IS NULL" },
  TIMEOUT: { statuses: ['TIMEOUT'], sql: "status = 'TIMEOUT' AND killed_at IS NULL" },
  MIXED: { statuses: ['MIXED'], sql: "status = 'MIXED' AND killed_at IS NULL" },
  CANCELLED: {
    statuses: ['RUNNING', ...FAILING_STATUSES],
    sql: "killed_at IS NOT NULL AND status NOT IN ('COMPLETED', 'EMPTY')",
  },
};

const QUERY_WORDS = {
  displayed: (status: DisplayStatus) => DISPLAYED[status].sql,
  trigger: (kind: TriggerKind) => TRIGGERS[kind],
};

/** First what an index finds: the statuses, or the few jobs that were killed; then what tells them apart. */
function displayConditions(displayed: readonly DisplayStatus[], counts: readonly Count[]): Condition[] {
  const status = [...new Set(displayed.flatMap((one) => DISPLAYED[one].statuses))];
  const found: Condition = displayed.every((one) => one === 'CANCELLED')
    ? {
        column: 'found',
        sql: 'seq IN (SELECT seq FROM job INDEXED BY job_killed WHERE killed_at IS NOT NULL)',
        values: [],
        matches: null,
      }
    : {
        column: 'status',
        sql: `status IN (${status.map(() => '?').join(', ')})`,
        values: status,
        matches: countFromBlocks(counts, { status }),
      };
  const sql = `(${displayed.map((one) => `(${DISPLAYED[one].sql})`).join(' OR ')})`;
  return [found, { column: 'display', sql, values: [], matches: null }];
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
