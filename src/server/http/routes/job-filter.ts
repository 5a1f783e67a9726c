import type { Static, TObject } from 'typebox';
import type { jobFilters, JobFilter } from '../../../contract/jobs.ts';
import { list } from '../core/route.ts';

type Query = Static<TObject<typeof jobFilters>>;

/** The filter of a list of jobs from a query, whose repeatable keys may come once or several times; other keys stay. */
export function withFilter<Q extends Query>({
  status,
  label,
  input,
  ...rest
}: Q): Omit<Q, 'status' | 'label' | 'input'> & Pick<JobFilter, 'status' | 'label' | 'input'> {
  const [statuses, labels, inputs] = [list(status), list(label), list(input)];
  return {
    ...rest,
    ...(statuses ? { status: statuses } : {}),
    ...(labels ? { label: labels } : {}),
    ...(inputs ? { input: inputs } : {}),
  };
}
