import { invalidAt } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import type { App } from '../core/route.ts';

/**
 * What names workflows serves those of its own project alone: one of another project is told at once, where whoever asks may see it. Throws
 * VALIDATION_FAILED.
 *
 * @param at pointer of the list in the body
 */
export function ofProject(
  { scope, services: { workflows } }: Pick<App, 'scope' | 'services'>,
  who: Identity,
  project: string,
  named: readonly string[],
  at: string,
): void {
  const other = named.findIndex((id) => {
    const its = workflows.projectOf(id);
    return its !== null && its !== project && scope.sees(who, 'workflows.read', id);
  });
  if (other < 0) return;
  const id = named[other] ?? '';
  const message = `must be a workflow of project ${project}; ${id} belongs to ${workflows.projectOf(id)}`;
  throw invalidAt(`${at}/${other}`, `workflow ${id} ${message}`, message);
}
