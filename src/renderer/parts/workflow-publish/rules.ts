import type { Commit, EnvironmentPointer, Publication, Workflow } from '../../../contract/api.ts';
import type { Environment, Role } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { heldBack, mayBe, type Standing } from '../../stores/standing.ts';

/** Who may do what with workflows, and the words for why not. `null`: it is allowed. */
const needs = (role: Standing, least: Role, what: string): string | null =>
  mayBe(role, least)
    ? null
    : (heldBack(role) ??
      (role === null
        ? t('{what} needs the role {least}; your role is not known yet.', { what, least })
        : t('{what} needs the role {least}; yours is {role}.', { what, least, role })));

/** What the message is about that a version was saved and can be published. */
export const savedMessage = (workflowId: string): string => `saved ${workflowId}`;

export const whyNoCreate = (role: Standing): string | null => needs(role, 'operator', t('Creating a workflow'));
export const whyNoRename = (role: Standing): string | null => needs(role, 'operator', t('Renaming'));
export const whyNoSave = (role: Standing): string | null => needs(role, 'operator', t('Saving a version'));
export const whyNoArchive = (role: Standing): string | null => needs(role, 'admin', t('Archiving'));
export const whyNoKeys = (role: Standing): string | null => needs(role, 'admin', t('Making and changing keys'));
export const leastRoleFor = (environment: Environment): Role => (environment === 'prod' ? 'admin' : 'operator');

export function whyNoPublish(
  role: Standing,
  environment: Environment,
  commit: Pick<Commit, 'valid'> | null,
): string | null {
  const denied = needs(role, leastRoleFor(environment), t('Publishing to {environment}', { environment }));
  if (denied) return denied;
  if (commit === null) return t('There is no version yet. Save one in the editor.');
  return commit.valid ? null : t('This version has faults. Mend them in the editor and save a new one.');
}

export function whyNoUnpublish(role: Standing, pointer: EnvironmentPointer): string | null {
  if (pointer.hash === null) return t('Nothing is published there.');
  return needs(
    role,
    leastRoleFor(pointer.environment),
    t('Taking {environment} offline', { environment: pointer.environment }),
  );
}

/** Why an entry of the log cannot be gone back to. */
export function whyNoRollBack(role: Standing, entry: Publication, current: string | null): string | null {
  if (entry.hash === null) return t('This entry took the environment offline.');
  if (entry.hash === current)
    return t('{environment} points to this version already.', { environment: entry.environment });
  return needs(
    role,
    leastRoleFor(entry.environment),
    t('Publishing to {environment}', { environment: entry.environment }),
  );
}

/** What an environment pointed to before its present version, by the newest entries of the log; null: nothing, or it is not known. */
export function versionBefore({ environment, hash }: EnvironmentPointer, log: readonly Publication[]): string | null {
  if (hash === null) return null;
  return (
    log.find((entry) => entry.environment === environment && entry.hash !== null && entry.hash !== hash)?.hash ?? null
  );
}

/** Whose calls a version for `environment` is tried on: its own, or of the one nearest to prod that has any version where it has none. */
export const calledIn = ({ environments }: Pick<Workflow, 'environments'>, environment: Environment): Environment => {
  const published = environments.filter((pointer) => pointer.hash !== null).map((pointer) => pointer.environment);
  return published.includes(environment) ? environment : (published.at(-1) ?? environment);
};

/** Where a call by hand goes unless its author says so: the first environment that answers, never prod by itself. */
export const triedIn = ({ environments }: Pick<Workflow, 'environments'>): Environment =>
  environments.find(({ environment, hash }) => hash !== null && environment !== 'prod')?.environment ?? 'dev';

/** prod is confirmed by typing the workflow's id. */
export const confirmed = (environment: Environment, workflowId: string, typed: string): boolean =>
  environment !== 'prod' || typed.trim() === workflowId;

/** Path of the endpoint that an environment answers on. */
export const endpointPath = (workflowId: string, environment: Environment): string =>
  `/api/v1/events/${workflowId}/${environment}`;

export const WORKFLOW_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** What is wrong with an id, or null. */
export function idFault(id: string): string | null {
  if (id === '') return t('Give it an id.');
  if (id.length > 63) return t('At most 63 characters; this has {count}.', { count: id.length });
  if (/[A-Z]/.test(id)) return t('Small letters only.');
  if (id.startsWith('-')) return t('Begin with a letter or a digit.');
  return WORKFLOW_ID_PATTERN.test(id) ? null : t('Small letters, digits and hyphens only.');
}

/** An id that follows from a name, for the form to offer. */
export const idFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
