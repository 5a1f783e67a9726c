import type { Environment, Role } from '../../contract/vocabulary.ts';
import { t } from '../../lib/language.ts';

/** What one may do here now: the role of the token, or what holds it back whatever the role is. Null: not known yet. */
export type AccessLevel = Role | 'offline' | 'read-only' | 'bundle' | null;

const RANK = {
  worker: 0,
  viewer: 1,
  offline: 1,
  'read-only': 1,
  bundle: 1,
  operator: 2,
  admin: 3,
} as const satisfies Record<NonNullable<AccessLevel>, number>;

export const hasRole = (standing: AccessLevel, least: Role): boolean =>
  standing !== null && RANK[standing] >= RANK[least];

/** What holds everything back that changes something; null where only the role counts. */
export function whyReadOnly(standing: AccessLevel): string | null {
  if (standing === 'offline') return t('The master is not responding: changes are disabled.');
  if (standing === 'bundle') return t('Incident bundles are read-only.');
  if (standing === 'read-only')
    return t('This connection is read-only in this app. To allow changes, open Settings, Connections.');
  return null;
}

/** Why one may not, in words; null: one may. */
export const whyRoleMissing = (role: AccessLevel, least: Role, what: string): string | null =>
  hasRole(role, least)
    ? null
    : (whyReadOnly(role) ??
      (role === null
        ? t('{what} requires the role {least}; your role is not known yet.', { what, least })
        : t('{what} requires the role {least}; yours is {role}.', { what, least, role })));

export const whyNoCreate = (role: AccessLevel): string | null =>
  whyRoleMissing(role, 'operator', t('Creating a workflow'));
export const whyNoRename = (role: AccessLevel): string | null => whyRoleMissing(role, 'operator', t('Renaming'));
export const whyNoSave = (role: AccessLevel): string | null => whyRoleMissing(role, 'operator', t('Saving a version'));
export const whyNoArchive = (role: AccessLevel): string | null => whyRoleMissing(role, 'admin', t('Archiving'));
export const whyNoKeys = (role: AccessLevel): string | null =>
  whyRoleMissing(role, 'admin', t('Creating and changing keys'));
export const requiredRoleFor = (environment: Environment): Role => (environment === 'prod' ? 'admin' : 'operator');
