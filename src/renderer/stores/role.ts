import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../contract/vocabulary.ts';
import { t } from '../../lib/language.ts';
import { sessionQuery } from '../api/access.ts';
import { useLive } from './context.tsx';
import { connectionsQuery } from './desktop.ts';
import { useRecorded } from './recorded.ts';
import { whyReadOnly, hasRole, type AccessLevel } from './permissions.ts';

const whyNot = (standing: AccessLevel, least: Role): string | undefined =>
  hasRole(standing, least) ? undefined : (whyReadOnly(standing) ?? t('Requires the role {role}', { role: least }));

/** What the one who is signed in may do. Until it is known nothing is offered; the master decides in any case. `why…`: words for why not. */
export function useRole() {
  const { data } = useQuery(sessionQuery());
  const offline = useLive((s) => s.mode === 'offline');
  const readOnly = useQuery(connectionsQuery()).data?.find(({ selected }) => selected)?.readOnly === true;
  const recorded = useRecorded();
  const own = data?.role ?? null;
  // A viewer is told of the role, which no connection changes.
  const role: AccessLevel = hasRole(own, 'operator')
    ? recorded
      ? 'bundle'
      : offline
        ? 'offline'
        : readOnly
          ? 'read-only'
          : own
    : own;
  return {
    role,
    /** Of the token, whatever holds it back now. */
    own,
    actor: data?.actor ?? null,
    canOperate: hasRole(role, 'operator'),
    canAdmin: hasRole(role, 'admin'),
    whyOperate: whyNot(role, 'operator'),
    whyAdmin: whyNot(role, 'admin'),
  };
}
