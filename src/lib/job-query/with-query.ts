import type { AskedJobFilter } from '../../contract/jobs.ts';
import { statusFilter } from '../../contract/vocabulary.ts';
import { invalidAt } from '../fault.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { queryDuration, type QueryTerm } from './fields.ts';
import { jobQueryTerms } from './parse.ts';
import { printJobQuery } from './print.ts';
import { splitTerms, type SimpleFilters } from './split.ts';

/** By which filter of the API a part of a query is said. */
const KEY_OF: Readonly<Record<keyof SimpleFilters, keyof AskedJobFilter>> = {
  status: 'displayStatus',
  workflow: 'workflowId',
  project: 'project',
  environment: 'environment',
  externalId: 'externalId',
  id: 'q',
  trigger: 'trigger',
  triggerId: 'triggerId',
  failure: 'failureGroup',
  trace: 'traceId',
  label: 'label',
  input: 'input',
  text: 'text',
  from: 'createdFrom',
  to: 'createdTo',
  age: 'createdFrom',
};

/**
 * A filter whose query says only what no other filter says: the others have indexes and counts. Ages become times, so that the
 * filter means the same jobs from here on. Throws QUERY_INVALID.
 */
export function withQuery<F extends { query?: string }>(asked: F, now: number): F {
  const filter = asked as AskedJobFilter;
  if (filter.query === undefined) return asked;
  const { query, ...others } = filter;
  const terms = jobQueryTerms(query ?? '').map((term) => atNow(term, now));
  const { filters, rest } = splitTerms(
    terms,
    (key) => filter[KEY_OF[key]] !== undefined || (key === 'status' && filter.status !== undefined),
  );
  const twice = rest.find(({ field }) => field === 'project' || field === 'failure' || field === 'trace');
  if (twice)
    throw invalidAt(
      '/query',
      `${twice.field} is set twice: once in the query is enough`,
      `${twice.field} is set twice`,
    );
  const { status, label, input, trigger, ...one } = filters;
  const found: AskedJobFilter = withoutUndefined({
    ...others,
    ...(status && statusFilter(status)),
    ...(label && { label: [...label] }),
    ...(input && { input: [...input] }),
    ...(trigger && { trigger: [...trigger] }),
    ...Object.fromEntries(Object.entries(one).map(([key, value]) => [KEY_OF[key as keyof SimpleFilters], value])),
    ...(rest.length > 0 && { query: printJobQuery(rest) }),
  });
  return found as F;
}

/** `age:<1h` as `created:>…`. */
function atNow(term: QueryTerm, now: number): QueryTerm {
  if (term.field !== 'age') return term;
  const at = (duration: string) => new Date(Math.max(0, now - (queryDuration(duration) ?? 0))).toISOString();
  return {
    ...term,
    field: 'created',
    tests: term.tests.map((test) => {
      switch (test.op) {
        case '>':
          return { op: '<', value: at(test.value) };
        case '>=':
          return { op: '<=', value: at(test.value) };
        // "1h old" is meant as "at most so old".
        case 'is':
        case 'contains':
        case '<=':
          return { op: '>=', value: at(test.value) };
        case '<':
          return { op: '>', value: at(test.value) };
        case 'range':
          return { op: 'range', from: at(test.to), to: at(test.from) };
        case 'exists':
          return test;
      }
    }),
  };
}
