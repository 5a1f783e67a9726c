import type { Job } from '../../contract/jobs.ts';
import type { Page } from '../../contract/shapes.ts';
import type { JobListParams } from '../api/jobs.ts';

/** What a list may be asked for without its rows, order or total hanging on what becomes of a job: what never changes of one. */
const LASTING: ReadonlySet<string> = new Set<keyof JobListParams>([
  'page',
  'size',
  'sort',
  'workflowId',
  'environment',
  'externalId',
  'parentTaskId',
  'parentJobId',
  'rerunOf',
  'trigger',
  'triggerId',
  'traceId',
  'q',
  'createdFrom',
  'createdTo',
]);

/**
 * Whether a list of jobs may have other rows, another order or another total now that these jobs have changed, so that it has
 * to be read again. False only where putting the changed jobs into its rows makes it what the master would answer.
 */
export function jobListMayDiffer(
  params: JobListParams,
  list: Page<Job> | undefined,
  changed: ReadonlyMap<string, Job>,
): boolean {
  if (!Array.isArray(list?.items)) return true;
  const { page = 0, sort = 'createdAt,desc', workflowId, environment } = params;
  if (Object.entries(params).some(([key, value]) => value !== undefined && !LASTING.has(key))) return true;
  if (!sort.startsWith('createdAt,')) return true;
  const rows = new Set(list.items.map(({ id }) => id));
  const last = list.items.at(-1);
  // Of the first full page of the newest: what is older than its last row was counted before.
  const oldest = page === 0 && sort === 'createdAt,desc' && last && list.totalPages > 1 ? last.createdAt : null;
  return [...changed.values()].some(
    (job) =>
      !rows.has(job.id) &&
      !(workflowId !== undefined && job.workflowId !== workflowId) &&
      !(environment !== undefined && job.environment !== environment) &&
      !(oldest !== null && job.createdAt < oldest),
  );
}
