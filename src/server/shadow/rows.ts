import { parseStored } from '../../lib/json.ts';
import type { ShadowReplay, ShadowResult, ShadowWhere } from '../../contract/shadow-replays.ts';
import type { Difference, ReplayResult } from '../../contract/replay.ts';
import type { ShadowStatus, ShadowVerdict, Environment } from '../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import type { Ignored } from './ignored-paths.ts';

export interface ReplayRow {
  id: string;
  workflow_id: string;
  commit_hash: string;
  environment: Environment;
  against: string | null;
  chosen_by: string;
  warnings: string;
  inputs: string;
  status: ShadowStatus;
  total: number;
  done: number;
  created_at: number;
  finished_at: number | null;
  created_by: string;
}

export interface ResultRow {
  replay: string;
  number: number;
  job_id: string;
  replica: number;
  commit_hash: string;
  verdict: ShadowVerdict;
  patterns: string;
  complete: number;
  facts: string;
}

/** What lists show of a result beside its columns. */
export interface ResultSummary {
  readonly reason: ShadowResult['reason'];
  readonly differences: readonly Difference[];
  readonly total: number;
  readonly assumptions: ReplayResult['assumptions'];
  readonly msBefore: number | null;
  readonly msAfter: number | null;
  readonly errorBefore: ShadowResult['errorBefore'];
  readonly errorAfter: ShadowResult['errorAfter'];
  readonly cut: boolean;
}

type Judged = Pick<ResultRow, 'verdict' | 'patterns' | 'complete'>;
const patternsOf = (row: Judged): string[] => parseStored<string[]>(row.patterns);

/** The verdict of a result once what is ignored is left out. */
export const resultVerdict = (row: Judged, ignored: Ignored): ShadowVerdict =>
  row.verdict === 'different' &&
  row.complete === 1 &&
  !ignored.isEmpty &&
  row.patterns !== '[]' &&
  patternsOf(row).every(ignored.holds)
    ? 'same'
    : row.verdict;

/** Places that a replay tells of. */
const PATHS = 50;

export function replayView(row: ReplayRow, results: Iterable<Judged>, ignored: Ignored): ShadowReplay {
  const summary = { same: 0, different: 0, failing: 0, mended: 0, unknown: 0 };
  const paths = new Map<string, number>();
  for (const result of results) {
    summary[resultVerdict(result, ignored)]++;
    if (result.verdict === 'different')
      for (const path of patternsOf(result)) if (!ignored.holds(path)) paths.set(path, (paths.get(path) ?? 0) + 1);
  }
  return {
    id: row.id,
    workflowId: row.workflow_id,
    commit: row.commit_hash,
    environment: row.environment,
    against: row.against,
    where: parseStored<ShadowWhere>(row.chosen_by),
    status: row.status,
    total: row.total,
    done: row.done,
    summary,
    paths: [...paths]
      .sort((a, b) => b[1] - a[1])
      .slice(0, PATHS)
      .map(([path, inputs]) => ({ path, inputs })),
    warnings: parseStored<string[]>(row.warnings),
    createdAt: iso(row.created_at),
    finishedAt: isoOrNull(row.finished_at),
    createdBy: row.created_by,
  };
}

export function resultView(row: ResultRow, ignored: Ignored): ShadowResult & { cut: boolean } {
  const { reason, differences, total, assumptions, msBefore, msAfter, errorBefore, errorAfter, cut } =
    parseStored<ResultSummary>(row.facts);
  const verdict = resultVerdict(row, ignored);
  return {
    number: row.number,
    jobId: row.job_id,
    replica: row.replica,
    commit: row.commit_hash,
    verdict,
    reason,
    ignored: verdict !== row.verdict,
    differences: differences.map((difference) => ({ ...difference, ignored: ignored.holds(difference.path) })),
    differencesTotal: total,
    assumptions: [...assumptions],
    msBefore,
    msAfter,
    errorBefore,
    errorAfter,
    cut,
  };
}
