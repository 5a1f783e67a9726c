import type { BulkDryRun } from '../../../contract/api-engine.ts';

/** Jobs that would run on another version than before. */
export const newerIn = ({ versions = [] }: Pick<BulkDryRun, 'versions'>): number => versions.reduce((sum, { jobs, same }) => sum + jobs - Math.min(jobs, same), 0);
