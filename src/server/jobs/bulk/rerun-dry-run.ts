import type { Limits } from '../../../contract/limits.ts';
import type { BulkDryRun, RerunVersion } from '../../../contract/operations.ts';
import { rerunVersion } from '../rerun/version.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_SEQ } from '../engine/sql.ts';
import { checkedInputs, needsCheck, rerunOrigin, type RerunDeps } from './rerun-prepare.ts';
import type { RerunCount } from './rerun-queries.ts';
import type { Scan } from './scan.ts';
import type { RerunChoice, Target } from './port.ts';
import type { Origin } from '../rerun/port.ts';

/** Versions that are told of. */
const MAX_VERSIONS = 20;
/** Jobs of which the inputs are looked at, where there is time for all of them. */
const MAX_CHECKED = 50_000;

/** What a bulk rerun would do: on which versions, and what of it cannot be. The inputs are read as far as the time for it goes. */
export async function dryRunReruns(
  deps: RerunDeps & {
    readonly scan: Pick<Scan, 'countReruns' | 'rerunCandidates'>;
    readonly limits: Readonly<Pick<Limits, 'bulkCheckSeconds'>>;
  },
  target: Target,
  choice: RerunChoice,
): Promise<Omit<BulkDryRun, 'snapshot'>> {
  const counts = await deps.scan.countReruns(target, choice);
  const found = counts.reduce((sum, { jobs }) => sum + jobs, 0);
  const count = 'ids' in target ? target.ids.length : found;
  const left = new Map<string, number>();
  const leave = (reason: string, jobs: number) => jobs > 0 && void left.set(reason, (left.get(reason) ?? 0) + jobs);
  const versions = new Map<string, RerunVersion>();
  let unchecked = 0;
  for (const alike of counts) {
    if (alike.reason !== null) {
      leave(alike.reason, alike.jobs);
      continue;
    }
    const origin = originOfCount(alike);
    const version = rerunVersion(deps.versions, origin, choice.commit);
    if ('fault' in version) {
      leave(version.reason, alike.jobs);
      continue;
    }
    const { workflowId, commit } = version.runnable;
    const known = versionAt(versions, { workflowId, environment: origin.environment, commit });
    known.jobs += alike.jobs;
    if (commit === origin.commit) known.same += alike.jobs;
    if (needsCheck(deps.versions, origin, version.runnable)) unchecked += alike.jobs;
  }
  if (unchecked > 0) {
    const until = performance.now() + deps.limits.bulkCheckSeconds * 1000;
    for (const seq of await deps.scan.rerunCandidates(target, choice, MAX_CHECKED)) {
      if (unchecked === 0 || performance.now() >= until) break;
      const row = deps.read.query<JobRow>(JOB_BY_SEQ).get(seq);
      const version = row && rerunVersion(deps.versions, rerunOrigin(row), choice.commit);
      if (!row || !version || 'fault' in version || !needsCheck(deps.versions, rerunOrigin(row), version.runnable))
        continue;
      unchecked--;
      const inputs = await checkedInputs(deps, row, version.runnable);
      if (!('code' in inputs)) continue;
      leave(inputs.code, 1);
      versionAt(versions, {
        workflowId: row.workflow_id,
        environment: row.environment,
        commit: version.runnable.commit,
      }).jobs--;
    }
  }
  leave('NOT_FOUND', count - found);
  const all = [...versions.values()].filter(({ jobs }) => jobs > 0).toSorted((a, b) => b.jobs - a.jobs);
  return {
    count,
    eligible: all.reduce((sum, { jobs }) => sum + jobs, 0),
    ineligible: [...left].map(([reason, jobs]) => ({ reason, count: jobs })).toSorted((a, b) => b.count - a.count),
    versions: all.slice(0, MAX_VERSIONS),
    unchecked,
  };
}

function versionAt(
  versions: Map<string, RerunVersion>,
  at: Pick<RerunVersion, 'workflowId' | 'environment' | 'commit'>,
): RerunVersion {
  const key = JSON.stringify([at.workflowId, at.environment, at.commit]);
  const known = versions.get(key) ?? { ...at, jobs: 0, same: 0 };
  versions.set(key, known);
  return known;
}

const originOfCount = ({ workflowId, environment, commit, kind }: RerunCount): Origin => ({
  id: '',
  workflowId: workflowId ?? '',
  environment,
  commit: commit ?? '',
  kind: kind ?? 'batch',
});
