import type { Overview } from '../../contract/api.ts';
import { iso } from '../../lib/clock.ts';
import type { ReadHandle } from '../store/port.ts';
import type { JobRecord } from './records.ts';
import type { JobRow } from './rows.ts';

/** Groups shown, and kept; failed jobs read at the start. */
const SHOWN = 10;
const KEPT = 200;
const READ_AT_START = 500;
const WINDOW_MS = 24 * 3_600_000;

interface Group {
  workflowId: string;
  node: string;
  code: string;
  message: string;
  count: number;
  lastAt: number;
  lastJobId: string;
}

/** Failed jobs of the last 24 hours, alike ones together, for the overview. The newest groups are kept. */
export interface Failures {
  add(job: Pick<JobRecord, 'id' | 'plan' | 'failure' | 'failureAt'>): void;
  read(now: number): Overview['failures'];
}

export function openFailures(db: ReadHandle, now: number): Failures {
  const groups = new Map<string, Group>();

  function note(workflowId: string, node: string, code: string, message: string, at: number, jobId: string) {
    const key = JSON.stringify([workflowId, node, code, message]);
    const group = groups.get(key) ?? { workflowId, node, code, message, count: 0, lastAt: at, lastJobId: jobId };
    groups.delete(key);
    groups.set(key, { ...group, count: group.count + 1, lastAt: at, lastJobId: jobId });
    // A map keeps the order of insertion: the first is the one that was longest quiet.
    if (groups.size > KEPT) for (const oldest of groups.keys()) return void groups.delete(oldest);
  }

  const rows = (['FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED'] as const).flatMap((status) => db.query<JobRow>('SELECT * FROM job WHERE status = ? ORDER BY seq DESC LIMIT ?').all(status, READ_AT_START));
  for (const row of rows.sort((a, b) => a.seq - b.seq)) {
    if (row.failure_code !== null && (row.failure_at ?? 0) > now - WINDOW_MS) note(row.workflow_id, row.failure_node ?? '', row.failure_code, row.failure_message ?? '', row.failure_at ?? 0, row.id);
  }

  return {
    add({ id, plan, failure, failureAt }) {
      if (failure) note(plan.workflowId, failure.node, failure.taskCode, failure.taskMessage, failureAt ?? 0, id);
    },
    read(time) {
      return [...groups.values()]
        .filter(({ lastAt }) => lastAt > time - WINDOW_MS)
        .sort((a, b) => b.lastAt - a.lastAt)
        .slice(0, SHOWN)
        .map((group) => ({ ...group, lastAt: iso(group.lastAt) }));
    },
  };
}
