import type { JobListParams } from '../../api/jobs.ts';
import type { Created, JobsSearch } from './search.ts';

const MINUTES: Readonly<Record<Created, number>> = { '15m': 15, '1h': 60, '24h': 1440, '7d': 10_080 };

/** What the list's request asks for. `minute`: now, in minutes since the epoch, which relative times count from. */
export function listParams(search: JobsSearch, minute: number): JobListParams {
  const params: JobListParams = {
    page: search.page ?? 0,
    size: search.size ?? 50,
    sort: search.sort ?? 'createdAt,desc',
    status: search.status,
    workflowId: search.workflow,
    environment: search.environment,
    q: search.q,
    createdFrom: search.created ? new Date((minute - MINUTES[search.created]) * 60_000).toISOString() : search.from,
    createdTo: search.created ? undefined : search.to,
  };
  return params;
}

/** True where some filter narrows the list. */
export const isFiltered = ({ status, workflow, environment, q, created, from, to }: JobsSearch): boolean => [status, workflow, environment, q, created, from, to].some((value) => value !== undefined);
