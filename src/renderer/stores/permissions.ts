import { type Action, BUILT_IN_ROLES, DEFAULT_PROJECT, ROLE_ACTIONS } from '../../contract/actions.ts';
import type { Session } from '../../contract/access.ts';
import { scopeOf } from '../../contract/route-scopes.ts';
import type { RouteName } from '../../contract/routes.ts';
import type { Environment, Role } from '../../contract/vocabulary.ts';
import type { Workflow } from '../../contract/workflows.ts';
import { grantCovers, type Place } from '../../lib/grant-covers.ts';
import { roleEverywhere } from '../../lib/role-everywhere.ts';
import { t } from '../../lib/language.ts';
import { ACTION_WORDS } from './action-words.ts';

export type { Place } from '../../lib/grant-covers.ts';

/** What one may do here now; the master decides in any case. */
export interface Rights {
  /** Null: not known yet. */
  readonly role: Role | null;
  /** What a person may do where; null: the role holds everywhere. */
  readonly grants: NonNullable<Session['grants']> | null;
  /** What holds everything back that changes something, whatever one may. */
  readonly held: 'offline' | 'read-only' | 'bundle' | null;
}

/** Where something is done. Null: what belongs to no project, or to all. `anywhere`: in some project at least. */
export type Where = Place | null | 'anywhere';

export const placeOf = (workflow: Pick<Workflow, 'project'>, environment: Environment | null = null): Place => ({
  project: workflow.project ?? DEFAULT_PROJECT,
  environment,
});

const roleHas = (role: Role, action: Action): boolean =>
  role !== 'worker' && (ROLE_ACTIONS[role] as readonly Action[]).includes(action);

/** By role or grants alone, whatever holds it back now. */
export function may({ role, grants }: Omit<Rights, 'held'>, action: Action, where: Where): boolean {
  if (grants === null) return role !== null && roleHas(role, action);
  return grants.some(
    (grant) => grant.actions.includes(action) && (where === 'anywhere' || grantCovers(grant, action, where)),
  );
}

/** True where a route answers at all, as the master decides it by the same table; also while rights are not known: most reach all. */
export function reaches(rights: Rights, name: RouteName): boolean {
  const scope = scopeOf(name);
  if (rights.role === null) return true;
  if (scope === null) return false;
  return scope.in === 'own' || may(rights, scope.action, scope.in === 'all' ? null : 'anywhere');
}

/** What holds everything back that changes something; null where only rights count. */
function whyHeld(held: Rights['held']): string | null {
  if (held === 'offline') return t('The master is not responding: changes are disabled.');
  if (held === 'bundle') return t('Incident bundles are read-only.');
  if (held === 'read-only')
    return t('This connection is read-only in this app. To allow changes, open Settings, Connections.');
  return null;
}

/** The lowest role of a token that may. */
const leastRole = (action: Action): Role =>
  BUILT_IN_ROLES.filter((role) => role === 'viewer' || role === 'operator' || role === 'admin').find((role) =>
    roleHas(role, action),
  ) ?? 'admin';

/** Why one may not, in words; null: one may. `what`: the beginning of a sentence about it. */
export function whyNot(rights: Rights, action: Action, where: Where, what?: string): string | null {
  if (may(rights, action, where)) return whyHeld(rights.held);
  const { role, grants } = rights;
  if (grants !== null) return whyNotGranted(action, where);
  const least = leastRole(action);
  if (what === undefined) return t('Requires the role {role}', { role: least });
  return role === null
    ? t('{what} requires the role {least}; your role is not known yet.', { what, least })
    : t('{what} requires the role {least}; yours is {role}.', { what, least, role });
}

function whyNotGranted(action: Action, where: Where): string {
  const right = ACTION_WORDS[action];
  if (where === 'anywhere') return t('No role of yours allows “{right}”. Ask an administrator.', { right });
  if (where === null)
    return t('Requires a role with “{right}” in all projects and environments. Ask an administrator.', { right });
  const { project, environment } = where;
  return environment === null
    ? t('Your roles in project {project} do not allow “{right}”. Ask an administrator.', { right, project })
    : t('Your roles in project {project} do not allow “{right}” in {environment}. Ask an administrator.', {
        right,
        project,
        environment,
      });
}

/** Why one may not do what is kept to administrators of all projects: giving roles, say. Null: one may. */
export function whyNotAdministrator(rights: Rights): string | null {
  const { role, grants, held } = rights;
  return role !== null && roleEverywhere({ role, grants }) === 'admin'
    ? whyHeld(held)
    : t('Only an administrator of all projects may do this.');
}

export const whyNoCreate = (rights: Rights): string | null =>
  whyNot(rights, 'workflows.write', 'anywhere', t('Creating a workflow'));
export const whyNoRename = (rights: Rights, place: Place | null): string | null =>
  whyNot(rights, 'workflows.write', place, t('Renaming'));
export const whyNoSave = (rights: Rights, place: Place | null): string | null =>
  whyNot(rights, 'workflows.write', place, t('Saving a version'));
export const whyNoArchive = (rights: Rights, place: Place | null): string | null =>
  whyNot(rights, 'workflows.archive', place, t('Archiving'));
export const whyNoKeys = (rights: Rights): string | null =>
  whyNot(rights, 'keys.manage', 'anywhere', t('Creating and changing keys'));

/** What somebody is called by their roles: `operator`, or `operator (shop)`. */
export function rolesText({ role, grants }: Pick<Session, 'role' | 'grants'>): string {
  if (grants === undefined) return role;
  const texts = grants.map(({ role: name, project, environments }) =>
    project === null && environments === null
      ? name
      : `${name} (${[project ?? t('all projects'), ...(environments ?? [])].join(', ')})`,
  );
  return texts.length === 0 ? t('no role') : [...new Set(texts)].join(', ');
}

/** Moving takes the right to change workflows in both projects. */
export const whyNoMove = (rights: Rights, from: Place, others: readonly string[]): string | null =>
  whyNot(rights, 'workflows.write', from, t('Moving')) ??
  (others.some((project) => may(rights, 'workflows.write', { project, environment: null }))
    ? null
    : t('You may change workflows in no other project.'));

/** Where somebody makes what they do not say a place of: the usual project, or the first one that they may. */
export function ownProject(rights: Rights, action: Action): string {
  if (may(rights, action, placeOf({}))) return DEFAULT_PROJECT;
  return (
    rights.grants?.find(({ actions, project }) => project !== null && actions.includes(action))?.project ??
    DEFAULT_PROJECT
  );
}

/** For a body: masters that know no projects refuse to be told of one. */
export const inProject = (project: string | undefined): { project?: string } =>
  project === undefined || project === DEFAULT_PROJECT ? {} : { project };
