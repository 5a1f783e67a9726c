import type { Environment } from '../../../contract/vocabulary.ts';
import type { Identity } from '../../access/port.ts';
import type { App } from '../core/route.ts';

/** A key starts jobs and reads what they answer: nobody comes by one who may not do that there. Throws FORBIDDEN. */
export function mayCall(
  { scope, services: { access } }: Pick<App, 'scope' | 'services'>,
  who: Identity,
  project: string,
  environments: readonly Environment[] | null,
): void {
  scope.project(who, 'jobs.operate', project, environments);
  scope.project(who, 'payload.read', project, environments);
  if (access.projects.masks.has(project)) scope.project(who, 'payload.unmasked', project, environments);
}
