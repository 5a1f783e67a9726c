import { ENVIRONMENTS, FAILURE_STATUSES } from '../../../contract/vocabulary.ts';
import type { QueryLanguage } from '../../../lib/job-query/fields.ts';
import type { ListFilters } from '../../../lib/job-query/list-query.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import { t } from '../../../lib/language.ts';
import type { SearchChange } from '../../ui/search-params.ts';
import type { FailuresSearch } from './failures-search.ts';

export type FailureField = 'status' | 'workflow' | 'environment' | 'node' | 'code' | 'text';

const STATUSES = [...FAILURE_STATUSES, 'all'] as const;

/** What the query line of failures takes. */
export const FAILURE_LANGUAGE: QueryLanguage<FailureField> = {
  fields: {
    status: { kind: 'word', words: STATUSES.map((one) => one.toLowerCase()), single: true },
    workflow: { kind: 'text', single: true },
    environment: { kind: 'word', words: ENVIRONMENTS, single: true },
    node: { kind: 'text', single: true },
    code: { kind: 'text', single: true },
    text: { kind: 'prose', single: true },
  },
  aliases: { env: 'environment', error: 'text', message: 'text' },
  words: 'text',
};

export const FAILURE_HINTS: Readonly<Record<FailureField, string>> = {
  status: t('open, resolved or ignored'),
  workflow: t('ID of the workflow'),
  environment: ENVIRONMENTS.join(', '),
  node: t('node that failed'),
  code: t('code of the error'),
  text: t('text in the message, node or code'),
};

/** The filters of the page as its query line has them; open failures are what it shows where no status is said. */
export function failureFilters({
  status,
  workflow,
  environment,
  node,
  code,
  q,
}: FailuresSearch): ListFilters<FailureField> {
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  return {
    status: one(status?.toLowerCase()),
    workflow: one(workflow),
    environment: one(environment),
    node: one(node),
    code: one(code),
    text: one(q),
  };
}

/** What a line changes of the page: what it does not say is not filtered by. */
export function failuresChange(filters: ListFilters<FailureField>): SearchChange<FailuresSearch> {
  const [status] = STATUSES.filter((one) => one.toLowerCase() === filters.status?.[0]);
  const environment = filters.environment?.[0];
  return {
    status: status === 'OPEN' ? undefined : status,
    workflow: filters.workflow?.[0],
    environment: isOneOf(ENVIRONMENTS, environment) ? environment : undefined,
    node: filters.node?.[0],
    code: filters.code?.[0],
    q: filters.text?.[0],
    page: undefined,
  };
}
