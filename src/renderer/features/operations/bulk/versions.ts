import type { BulkDryRun } from '../../../../contract/operations.ts';

/** Jobs that would run on another version than before. */
export const countNewerVersions = ({ versions = [] }: Pick<BulkDryRun, 'versions'>): number =>
  versions.reduce((sum, { jobs, same }) => sum + jobs - Math.min(jobs, same), 0);

/** Jobs that were run again before: a retry would do their work twice. */
export const countAlreadyRerun = ({ ineligible }: Pick<BulkDryRun, 'ineligible'>): number =>
  ineligible.find(({ reason }) => reason === 'RERUN_EXISTS')?.count ?? 0;
