/** The tag that says which workflow a series is of. */
const WORKFLOW_TAG = 'workflow_id';

/**
 * Tag filters of who may read the series of some workflows alone: what has no workflow is no project's. The condition
 * replaces the one that was asked for by what both leave, so nothing in a query widens it.
 */
export function tagsWithin(
  within: readonly string[] | null,
  filters: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  if (within === null) return filters;
  const asked = filters[WORKFLOW_TAG];
  return { ...filters, [WORKFLOW_TAG]: within.filter((id) => asked === undefined || asked.includes(id)) };
}
