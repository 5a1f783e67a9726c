import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../contract/vocabulary.ts';
import { sessionQuery } from '../api/access.ts';

/** What the one who is signed in may do. Until it is known nothing is offered; the master decides in any case. */
export function useRole(): { role: Role | null; actor: string | null; canOperate: boolean; canAdmin: boolean } {
  const { data } = useQuery(sessionQuery());
  const role = data?.role ?? null;
  return { role, actor: data?.actor ?? null, canOperate: role === 'operator' || role === 'admin', canAdmin: role === 'admin' };
}
