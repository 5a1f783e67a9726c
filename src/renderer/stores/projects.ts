import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../contract/projects.ts';
import { signInWaysQuery } from '../api/people.ts';
import { allProjectsQuery } from '../api/projects.ts';
import { useRecorded } from './recorded.ts';
import { useReach } from './role.ts';

/** Projects that one may see; none while there is only one, as for who works alone: then nothing tells of them. */
export function useProjects(): readonly Project[] {
  const reach = useReach('projects.list');
  const recorded = useRecorded();
  const items = useQuery({ ...allProjectsQuery(), enabled: reach && !recorded }).data?.items ?? [];
  return items.length > 1 ? items : [];
}

/** True where somebody works alone: there are neither people nor a second project. */
export function useAlone(): boolean {
  const { data: ways } = useQuery(signInWaysQuery());
  return useProjects().length === 0 && !ways?.password && !ways?.passkey && !ways?.provider;
}
