import type { Environment, JobKind } from '../../../contract/vocabulary.ts';
import type { ReadHandle } from '../../store/port.ts';
import { rerunRefusalSql } from './rerun-rule.ts';
import { targetCondition } from './scan-queries.ts';
import type { Search } from '../search/port.ts';
import type { RerunChoice, Target } from './port.ts';

/** Jobs that are alike for a rerun. Of those that are left alone only the reason is told. */
export interface RerunCount {
  readonly reason: string | null;
  readonly workflowId: string | null;
  readonly environment: Environment | null;
  readonly commit: string | null;
  readonly kind: JobKind | null;
  readonly jobs: number;
}

/** How many jobs there are of each kind that decides on a rerun. One statement, so one moment. */
export function countReruns(read: ReadHandle, search: Search, target: Target, choice: RerunChoice): RerunCount[] {
  const { sql, values } = targetCondition(read, search, target);
  const eligible = (column: string, name: string) => `CASE WHEN reason IS NULL THEN ${column} END AS ${name}`;
  return read
    .query<RerunCount & Record<string, unknown>>(
      `SELECT reason, ${eligible('workflow_id', 'workflowId')}, ${eligible('environment', 'environment')}, ${eligible('commit_hash', '"commit"')}, ${eligible('kind', 'kind')}, count(*) AS jobs
       FROM (SELECT workflow_id, environment, commit_hash, kind, ${rerunRefusalSql(choice)} AS reason FROM job WHERE ${sql}) GROUP BY 1, 2, 3, 4, 5`,
    )
    .all(...values);
}

/** The newest jobs that may be run again, as `seq`s. */
export function rerunCandidates(
  read: ReadHandle,
  search: Search,
  target: Target,
  choice: RerunChoice,
  most: number,
): number[] {
  const { sql, values } = targetCondition(read, search, target);
  return read
    .query<{ seq: number }>(
      `SELECT seq FROM job WHERE ${sql} AND (${rerunRefusalSql(choice)}) IS NULL ORDER BY seq DESC LIMIT ?`,
    )
    .all(...values, most)
    .map(({ seq }) => seq);
}
