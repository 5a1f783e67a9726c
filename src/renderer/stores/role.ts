import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Action } from '../../contract/actions.ts';
import type { RouteName } from '../../contract/routes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { sessionQuery } from '../api/access.ts';
import { workflowQuery } from '../api/workflows.ts';
import { useLive } from './context.tsx';
import { connectionsQuery } from './desktop.ts';
import { useRecorded } from './recorded.ts';
import {
  type Place,
  placeOf,
  reaches,
  type Rights,
  rolesText,
  whyNot,
  whyNotAdministrator,
  type Where,
} from './permissions.ts';

/** What the one who is signed in may do now. Until it is known nothing is offered; the master decides in any case. */
export function useRights(): Rights {
  const { data } = useQuery(sessionQuery());
  const offline = useLive((s) => s.mode === 'offline');
  const readOnly = useQuery(connectionsQuery()).data?.find(({ selected }) => selected)?.readOnly === true;
  const recorded = useRecorded();
  const held = recorded ? 'bundle' : offline ? 'offline' : readOnly ? 'read-only' : null;
  return useMemo(() => ({ role: data?.role ?? null, grants: data?.grants ?? null, held }), [data, held]);
}

/** Who is signed in, and by which roles; null: not known yet. */
export function useAccount(): { readonly actor: string; readonly roles: string } | null {
  const { data } = useQuery(sessionQuery());
  return data ? { actor: data.actor, roles: rolesText(data) } : null;
}

/** Why one may not, in words; undefined: one may. */
export const useWhy = (action: Action, where: Where = null): string | undefined =>
  whyNot(useRights(), action, where) ?? undefined;

/** Why one may not do what is kept to administrators of all projects; undefined: one may. */
export const useWhyNotAdministrator = (): string | undefined => whyNotAdministrator(useRights()) ?? undefined;

/** Whether a page or a part of one would be answered. */
export function useReach(name: RouteName): boolean {
  return reaches(useRights(), name);
}

/** Where a workflow lies, for those whose rights depend on it; null while that is not known. */
export function useWorkflowPlace(workflowId: string | null, environment: Environment | null = null): Place | null {
  const isLimited = useRights().grants !== null;
  const { data } = useQuery({ ...workflowQuery(workflowId ?? ''), enabled: isLimited && workflowId !== null });
  return isLimited && data ? placeOf(data, environment) : null;
}
