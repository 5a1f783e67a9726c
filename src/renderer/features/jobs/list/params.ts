import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import type { JobFilters } from '../../../api/operations.ts';
import { statusFilter } from '../../../../contract/vocabulary.ts';
import type { JobRowsParams } from './use-job-rows.ts';
import { NO_FILTERS, type Created, type JobsSearch } from '../jobs-list-search.ts';
import { keysOf } from '../../../../contract/tables.ts';

const MINUTES: Readonly<Record<Created, number>> = { '15m': 15, '1h': 60, '24h': 1440, '7d': 10_080 };

/** What the list's request asks for. `minute`: now, in minutes since the epoch, which relative times count from. */
export function listParams(search: JobsSearch, minute: number): JobRowsParams {
  return {
    sort: search.sort ?? 'createdAt,desc',
    ...statusFilter(search.status),
    workflowId: search.workflow,
    project: search.project,
    environment: search.environment,
    label: search.label,
    input: search.input,
    text: search.text,
    failureGroup: search.failureGroup,
    trigger: search.trigger,
    triggerId: search.triggerId,
    query: search.query,
    q: search.q,
    createdFrom: search.created ? new Date((minute - MINUTES[search.created]) * 60_000).toISOString() : search.from,
    createdTo: search.created ? undefined : search.to,
  };
}

/** The filters alone, as bulk operations and exports take them: what is absent is left out. */
export function filtersFromParams(params: JobRowsParams): JobFilters {
  const { sort: _sort, ...filters } = params;
  return withoutUndefined(filters);
}

/** Filters that are `name=value`; several hold together. */
export type PairKey = 'input' | 'label';
export const addPair = (pairs: readonly string[] | undefined, name: string, value: string): string[] => [
  ...new Set([...(pairs ?? []), `${name}=${value}`]),
];

/** True where some filter narrows the list. */
export const isFiltered = (search: JobsSearch): boolean => keysOf(NO_FILTERS).some((key) => search[key] !== undefined);
