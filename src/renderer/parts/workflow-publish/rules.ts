import type { Commit, EnvironmentPointer, Publication } from '../../../contract/api.ts';
import type { Environment, Role } from '../../../contract/vocabulary.ts';

/** Who may do what with workflows, and the words for why not. `null`: it is allowed. */
const RANK: Readonly<Record<Role, number>> = { worker: 0, viewer: 1, operator: 2, admin: 3 };
const needs = (role: Role | null, least: Role, what: string): string | null =>
  role !== null && RANK[role] >= RANK[least] ? null : `${what} needs the role ${least}; ${role === null ? 'your role is not known yet' : `yours is ${role}`}.`;

export const whyNoCreate = (role: Role | null): string | null => needs(role, 'operator', 'Creating a workflow');
export const whyNoRename = (role: Role | null): string | null => needs(role, 'operator', 'Renaming');
export const whyNoSave = (role: Role | null): string | null => needs(role, 'operator', 'Saving a version');
export const whyNoArchive = (role: Role | null): string | null => needs(role, 'admin', 'Archiving');
export const whyNoKeys = (role: Role | null): string | null => needs(role, 'admin', 'Making and changing keys');
export const leastRoleFor = (environment: Environment): Role => (environment === 'prod' ? 'admin' : 'operator');

export function whyNoPublish(role: Role | null, environment: Environment, commit: Pick<Commit, 'valid'> | null): string | null {
  const denied = needs(role, leastRoleFor(environment), `Publishing to ${environment}`);
  if (denied) return denied;
  if (commit === null) return 'There is no version yet. Save one in the editor.';
  return commit.valid ? null : 'This version has faults. Mend them in the editor and save a new one.';
}

export function whyNoUnpublish(role: Role | null, pointer: EnvironmentPointer): string | null {
  if (pointer.hash === null) return 'Nothing is published there.';
  return needs(role, leastRoleFor(pointer.environment), `Taking ${pointer.environment} offline`);
}

/** Why an entry of the log cannot be gone back to. */
export function whyNoRollBack(role: Role | null, entry: Publication, current: string | null): string | null {
  if (entry.hash === null) return 'This entry took the environment offline.';
  if (entry.hash === current) return `${entry.environment} points to this version already.`;
  return needs(role, leastRoleFor(entry.environment), `Publishing to ${entry.environment}`);
}

/** prod is confirmed by typing the workflow's id. */
export const confirmed = (environment: Environment, workflowId: string, typed: string): boolean => environment !== 'prod' || typed.trim() === workflowId;

/** Path of the endpoint that an environment answers on. */
export const endpointPath = (workflowId: string, environment: Environment): string => `/api/v1/events/${workflowId}/${environment}`;

export const WORKFLOW_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** What is wrong with an id, or null. */
export function idFault(id: string): string | null {
  if (id === '') return 'Give it an id.';
  if (id.length > 63) return `At most 63 characters; this has ${id.length}.`;
  if (/[A-Z]/.test(id)) return 'Small letters only.';
  if (id.startsWith('-')) return 'Begin with a letter or a digit.';
  return WORKFLOW_ID_PATTERN.test(id) ? null : 'Small letters, digits and hyphens only.';
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
