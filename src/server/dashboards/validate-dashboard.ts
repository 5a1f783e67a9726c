import type { DashboardDefinition } from '../../contract/dashboards.ts';
import { GRID_COLUMNS } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';

/** What the schema cannot say: ids that are there once, panels within the grid, variables that exist. Throws VALIDATION_FAILED. */
export function assertValidDashboard({ panels, variables }: DashboardDefinition): void {
  const errors: { pointer: string; message: string }[] = [];
  const twice = (at: string, names: readonly string[]) =>
    names.forEach(
      (name, i) =>
        names.indexOf(name) < i &&
        errors.push({ pointer: `/definition/${at}/${i}`, message: `${JSON.stringify(name)} is used twice` }),
    );
  twice(
    'panels',
    panels.map(({ id }) => id),
  );
  twice(
    'variables',
    variables.map(({ name }) => name),
  );
  const known = new Set(variables.map(({ name }) => name));
  panels.forEach(({ grid, queries, kind }, i) => {
    if (grid.x + grid.w > GRID_COLUMNS)
      errors.push({
        pointer: `/definition/panels/${i}/grid/w`,
        message: `must end within ${GRID_COLUMNS} columns; x + w is ${grid.x + grid.w}`,
      });
    queries.forEach((query, q) => {
      if (kind === 'logs' && query.source !== 'logs')
        errors.push({
          pointer: `/definition/panels/${i}/queries/${q}/source`,
          message: 'must be "logs" in a logs panel',
        });
      for (const name of variablesOf(query))
        if (!known.has(name))
          errors.push({
            pointer: `/definition/panels/${i}/queries/${q}`,
            message: `uses the variable $${name}, which the dashboard does not define`,
          });
    });
  });
  if (errors.length > 0)
    throw new Fault(
      'VALIDATION_FAILED',
      errors.length === 1
        ? `${errors[0]?.pointer} ${errors[0]?.message}`
        : `the dashboard has ${errors.length} validation errors; see errors`,
      { errors },
    );
}

const IN_TEXT = /\$([a-z][a-zA-Z0-9_]{0,31})/g;

function variablesOf(query: DashboardDefinition['panels'][number]['queries'][number]): string[] {
  if (query.source === 'logs') return [...query.query.matchAll(IN_TEXT)].map((found) => found[1] ?? '');
  return Object.values(query.filters ?? {})
    .flat()
    .filter((value) => value.startsWith('$'))
    .map((value) => value.slice(1));
}
