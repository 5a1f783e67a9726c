import { queryOptions } from '@tanstack/react-query';
import type { AccessGrant } from '../../contract/projects.ts';
import type { Body, Query } from '../../contract/routes.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

/** Projects, roles, and who has which role where. */
export const projectKeys = { projects: ['projects'] as const, roles: ['roles'] as const, grants: ['grants'] as const };

export const projectsQuery = (params: Paging) =>
  readList([...projectKeys.projects, params], 'projects.list', { query: params }, { staleTime: 60_000 });
/** All of them that one may see, for choices. */
export const allProjectsQuery = () => projectsQuery({ page: 0, size: 500 });
export const createProject = (body: Body<'projects.create'>) => call('projects.create', { body });
export const updateProject = (id: string, body: Body<'projects.update'>) =>
  call('projects.update', { params: { id }, body });
export const deleteProject = (id: string) => call('projects.delete', { params: { id } });

export const rolesQuery = () =>
  read(projectKeys.roles, 'roles.list', { query: { page: 0, size: 500 } }, { staleTime: 60_000 });
export const setRole = (id: string, body: Body<'roles.set'>) => call('roles.set', { params: { id }, body });
export const deleteRole = (id: string) => call('roles.delete', { params: { id } });

export type GrantFilter = Pick<Query<'grants.list'>, 'subjectKind' | 'subject' | 'role' | 'project'>;
export const grantsQuery = (params: Paging & GrantFilter) =>
  readList([...projectKeys.grants, params], 'grants.list', { query: params });
/** All there are, however many: who has which of them is told beside people and projects. */
export const everyGrantQuery = () =>
  queryOptions({
    queryKey: [...projectKeys.grants, 'every'] as const,
    async queryFn({ signal }) {
      const all: AccessGrant[] = [];
      for (let page = 0; ; page++) {
        const found = await call('grants.list', { query: { page, size: 500 }, signal });
        all.push(...found.items);
        if (page + 1 >= found.totalPages) return all;
      }
    },
  });
export const createGrant = (body: Body<'grants.create'>) => call('grants.create', { body });
export const deleteGrant = (id: string) => call('grants.delete', { params: { id } });
