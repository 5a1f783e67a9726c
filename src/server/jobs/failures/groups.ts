import { readPage } from '../../store/rows.ts';
import type { FailureGroup } from '../../../contract/failures.ts';
import type { Overview } from '../../../contract/master.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Environment, FailureStatus } from '../../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../../lib/clock.ts';
import type { ReadHandle, Value, Store } from '../../store/port.ts';
import { parseStored } from '../../../lib/json.ts';
import type { Histogram } from './histogram.ts';
import { allJobsSucceeded } from './rerun-outcomes.ts';
import { type FailureQuery, type Decision, DECISIONS } from './port.ts';
import { Fault } from '../../../lib/fault.ts';
import type { AuditNote } from '../../access/port.ts';

interface GroupRow {
  id: string;
  workflow_id: string;
  node: string;
  code: string;
  message: string;
  sample: string;
  status: FailureStatus;
  count: number;
  first_seen_at: number;
  last_seen_at: number;
  last_job: string;
  last_task: string;
  decided_at: number | null;
  decided_by: string | null;
  reopened_at: number | null;
  same_message: number;
  histogram: string | null;
}

const COLUMNS: Readonly<Record<string, string>> = {
  lastSeenAt: 'last_seen_at',
  firstSeenAt: 'first_seen_at',
  count: 'count',
};
const DAY_MS = 24 * 3_600_000;
const SHOWN = 10;

/** One page of groups, those seen last first. There are at most as many groups as the limit allows, so they are read through. */
export function listGroups(read: ReadHandle, query: FailureQuery): Page<FailureGroup> {
  const { status, workflowId, environment, node, code, q, within } = query;
  const conditions: string[] = ['1'];
  const values: Value[] = [];
  const add = (sql: string, ...args: Value[]) => {
    conditions.push(sql);
    values.push(...args);
  };
  if (status && status.length > 0) add(`status IN (${status.map(() => '?').join(', ')})`, ...status);
  if (workflowId !== undefined) add('workflow_id = ?', workflowId);
  if (within !== undefined) add('workflow_id IN (SELECT value FROM json_each(?))', JSON.stringify(within));
  if (environment !== undefined)
    add(
      "EXISTS (SELECT 1 FROM failure_part WHERE group_id = g.id AND kind = 'environment' AND value = ?)",
      environment,
    );
  if (node !== undefined) add('node = ?', node);
  if (code !== undefined) add('code = ? COLLATE NOCASE', code);
  if (q !== undefined && q !== '') {
    const like = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
    add(
      `(${['message', 'sample', 'node', 'code', 'workflow_id'].map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')} OR id = ?)`,
      like,
      like,
      like,
      like,
      like,
      q,
    );
  }
  const where = conditions.join(' AND ');
  const [field = 'lastSeenAt', direction = 'desc'] = (query.sort ?? 'lastSeenAt,desc').split(',');
  return readPage<GroupRow, FailureGroup>(
    read,
    {
      from: `failure_group g WHERE ${where}`,
      order: `${COLUMNS[field] ?? 'last_seen_at'} ${direction === 'desc' ? 'DESC' : 'ASC'}, id`,
      values,
    },
    query,
    (row) => ({ ...groupView(read, row), haveSucceeded: allJobsSucceeded(read, row.id) }),
  );
}

export function findGroup(read: ReadHandle, id: string): FailureGroup | null {
  const row = read.query<GroupRow>('SELECT * FROM failure_group WHERE id = ?').get(id);
  return row ? groupView(read, row) : null;
}

interface PartRow {
  kind: 'environment' | 'commit' | 'worker';
  value: string;
  count: number;
  last_seen_at: number;
}

function groupView(read: ReadHandle, row: GroupRow): FailureGroup {
  const parts = read
    .query<PartRow>(
      'SELECT kind, value, count, last_seen_at FROM failure_part WHERE group_id = ? ORDER BY count DESC, value',
    )
    .all(row.id);
  const of = (kind: PartRow['kind']) => parts.filter((part) => part.kind === kind);
  return {
    id: row.id,
    status: row.status,
    workflowId: row.workflow_id,
    node: row.node,
    code: row.code,
    message: row.message,
    sample: row.sample,
    sameMessage: row.same_message === 1,
    count: row.count,
    firstSeenAt: iso(row.first_seen_at),
    lastSeenAt: iso(row.last_seen_at),
    lastJobId: row.last_job,
    lastTaskId: row.last_task,
    environments: of('environment').map(({ value, count }) => ({
      // Counted from jobs, which have one or none.
      environment: value === '' ? null : (value as Environment),
      count,
    })),
    commits: of('commit').map(({ value, count, last_seen_at }) => ({
      commit: value,
      count,
      lastSeenAt: iso(last_seen_at),
    })),
    workers: of('worker').map(({ value, count }) => ({ workerId: value, count })),
    ...(row.histogram === null ? {} : { histogram: histogramView(parseStored<Histogram>(row.histogram)) }),
    decidedAt: isoOrNull(row.decided_at),
    decidedBy: row.decided_by,
    reopenedAt: isoOrNull(row.reopened_at),
  };
}

const histogramView = ({ from, step, counts }: Histogram): NonNullable<FailureGroup['histogram']> => ({
  from: iso(from),
  stepSeconds: step / 1000,
  counts: [...counts],
});

/** Open groups of the last 24 hours for the overview, newest first. */
export function recentGroups(
  read: ReadHandle,
  now: number,
  within: readonly string[] | null = null,
): Overview['failures'] {
  const ours = within === null ? '' : ' AND workflow_id IN (SELECT value FROM json_each(?))';
  const rows = read
    .query<GroupRow & { commit_hash: string }>(
      `SELECT *, (SELECT value FROM failure_part WHERE group_id = failure_group.id AND kind = 'commit' ORDER BY last_seen_at DESC LIMIT 1) AS commit_hash FROM failure_group INDEXED BY failure_group_by_seen WHERE last_seen_at > ? AND status = 'OPEN'${ours} ORDER BY last_seen_at DESC LIMIT ?`,
    )
    .all(now - DAY_MS, ...(within === null ? [] : [JSON.stringify(within)]), SHOWN);
  return rows.map((row) => ({
    id: row.id,
    workflowId: row.workflow_id,
    node: row.node,
    code: row.code,
    message: row.sample,
    count: row.count,
    lastAt: iso(row.last_seen_at),
    lastJobId: row.last_job,
    commit: row.commit_hash,
  }));
}

const DECIDE = 'UPDATE failure_group SET status = ?, decided_at = ?, decided_by = ? WHERE id = ?';

/** Sets what people decided about a group, with its entry in the audit. Deciding the same again changes nothing. Throws FAILURE_NOT_FOUND. */
export function decide(
  store: Store,
  id: string,
  decision: Decision,
  actor: string,
  now: number,
  audit?: AuditNote,
): Promise<FailureGroup> {
  return store.write((db) => {
    const before = findGroup(db, id);
    if (!before) throw new Fault('FAILURE_NOT_FOUND', `failure group ${id.slice(0, 100)} not found`);
    const status = DECISIONS[decision];
    if (before.status === status) return before;
    db.statement(DECIDE).run(status, status === 'OPEN' ? null : now, status === 'OPEN' ? null : actor, id);
    audit?.(db, {
      action: `failure.${decision}`,
      target: `failure:${id}`,
      before: { status: before.status },
      after: { status },
    });
    return findGroup(db, id) ?? before;
  });
}
