import { TASK_STATES } from '../../../../contract/vocabulary.ts';
import type { QueryLanguage } from '../../../../lib/job-query/fields.ts';
import type { ListFilters } from '../../../../lib/job-query/list-query.ts';
import { t } from '../../../../lib/language.ts';
import type { SearchChange } from '../../../ui/search-params.ts';
import type { JobSearch } from '../job-view-search.ts';

export type TaskField = 'state' | 'node' | 'replica' | 'worker' | 'code' | 'error';

/** What the query line of a job's tasks takes. */
export const TASK_LANGUAGE: QueryLanguage<TaskField> = {
  fields: {
    state: { kind: 'word', words: TASK_STATES.map((one) => one.toLowerCase()), several: true },
    node: { kind: 'text', single: true },
    replica: { kind: 'number', single: true, whole: true },
    worker: { kind: 'text', single: true },
    code: { kind: 'text', single: true },
    error: { kind: 'prose', single: true },
  },
  aliases: { status: 'state', text: 'error', message: 'error' },
  words: 'error',
};

export const TASK_HINTS: Readonly<Record<TaskField, string>> = {
  state: t('one or several, with commas'),
  node: t('ID of the node'),
  replica: t('number of the input, from 0'),
  worker: t('ID of the worker, or a part of it'),
  code: t('code of the error'),
  error: t('text of the error'),
};

/** The filters of the tab as its query line has them. */
export function taskFilters({ state, node, replica, worker, code, error }: JobSearch): ListFilters<TaskField> {
  const one = (value: string | number | undefined) => (value === undefined ? [] : [String(value)]);
  return {
    state: state?.map((one) => one.toLowerCase()) ?? [],
    node: one(node),
    replica: one(replica),
    worker: one(worker),
    code: one(code),
    error: one(error),
  };
}

/** What a line changes of the tab: what it does not say is not filtered by. */
export function tasksChange(filters: ListFilters<TaskField>): SearchChange<JobSearch> {
  const state = TASK_STATES.filter((one) => filters.state?.includes(one.toLowerCase()));
  const replica = filters.replica?.[0];
  return {
    state: state.length === 0 ? undefined : state,
    node: filters.node?.[0],
    replica: replica === undefined ? undefined : Number(replica),
    worker: filters.worker?.[0],
    code: filters.code?.[0],
    error: filters.error?.[0],
    page: undefined,
  };
}
