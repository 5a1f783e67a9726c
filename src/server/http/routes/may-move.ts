import { ACTIONS } from '../../../contract/actions.ts';
import { ENVIRONMENTS } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import type { App } from '../core/route.ts';

/**
 * A workflow takes its jobs and payloads along to another project. Whoever moves it must not come that way to what they may
 * not do where it is. Throws FORBIDDEN, PROJECT_NOT_FOUND.
 */
export function mayMove(
  { scope, services: { access, workflows } }: Pick<App, 'scope' | 'services'>,
  who: Identity,
  workflowId: string,
  to: string,
): void {
  scope.project(who, 'workflows.write', to);
  const from = workflows.projectOf(workflowId);
  if (from === null || from === to) return;
  const { policy, projects } = access;
  const gained = ACTIONS.find((action) =>
    [null, ...ENVIRONMENTS].some(
      (environment) =>
        policy.may(who, action, { project: to, environment }) &&
        !policy.may(who, action, { project: from, environment }),
    ),
  );
  if (gained !== undefined) throw refusal(`${who.actor} may ${gained} in project ${to}, but not in ${from}`, gained);
  const masked = (project: string) => (projects.masks.get(project) ?? []).map((path) => JSON.stringify(path));
  const kept = new Set(masked(to));
  if (
    masked(from).some((path) => !kept.has(path)) &&
    !policy.may(who, 'payload.unmasked', { project: from, environment: null })
  )
    throw refusal(`project ${from} masks fields that ${to} does not`, 'payload.unmasked');
}

const refusal = (why: string, action: string): Fault =>
  new Fault('FORBIDDEN', `${why}: somebody who may do both moves the workflow`, { extra: { action } });
