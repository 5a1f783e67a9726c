import type { Environment } from '../../contract/vocabulary.ts';
import { readList } from './read.ts';

export interface ActivityParams {
  readonly workflowId: readonly string[];
  readonly environment?: Environment | undefined;
  readonly hours?: number | undefined;
  readonly bars?: number | undefined;
}

/** It is computed, and jobs end all the time: it is read again now and then, not with every change. */
const EVERY_MS = 30_000;

/** How jobs of workflows went lately. */
export const activityQuery = (params: ActivityParams) =>
  readList(
    ['workflow-activity', params],
    'workflowActivity.list',
    { query: { ...params, workflowId: [...params.workflowId] } },
    { enabled: params.workflowId.length > 0, refetchInterval: EVERY_MS, staleTime: EVERY_MS, retry: false },
  );
