import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ShadowDetail, ShadowIgnores, ShadowReplay, ShadowResult } from '../../contract/shadow-replays.ts';
import type { Page } from '../../contract/shapes.ts';
import type { ShadowVerdict, Environment } from '../../contract/vocabulary.ts';
import { request } from './client.ts';
import type { Paging } from './paging.ts';

const RUNNING_MS = 500;

export const shadowKeys = {
  of: (workflowId: string) => ['shadow', workflowId] as const,
  list: (workflowId: string, commit: string) => ['shadow', workflowId, 'list', commit] as const,
  one: (workflowId: string, id: string) => ['shadow', workflowId, 'one', id] as const,
  results: (workflowId: string, id: string, done: number, params: object) =>
    ['shadow', workflowId, 'results', id, done, params] as const,
  result: (workflowId: string, id: string, number: number) => ['shadow', workflowId, 'result', id, number] as const,
  ignores: (workflowId: string) => ['shadow', workflowId, 'ignores'] as const,
};

const workflow = (id: string) => `/api/v1/workflows/${encodeURIComponent(id)}`;
const replay = (id: string) => `/api/v1/shadow-replays/${encodeURIComponent(id)}`;

/** Replays of a version, the newest first. */
export const replaysQuery = (workflowId: string, commit: string) =>
  queryOptions({
    queryKey: shadowKeys.list(workflowId, commit),
    queryFn: ({ signal }) =>
      request<Page<ShadowReplay>>(`${workflow(workflowId)}/shadow-replays`, { query: { commit, size: 20 }, signal }),
  });

/** Looks again while it runs. */
export const replayQuery = (workflowId: string, id: string) =>
  queryOptions({
    queryKey: shadowKeys.one(workflowId, id),
    queryFn: ({ signal }) => request<ShadowReplay>(replay(id), { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'RUNNING' ? RUNNING_MS : false),
  });

/** `done`: how many there are, so that the list follows a replay that runs. */
export const shadowResultsQuery = (
  workflowId: string,
  id: string,
  done: number,
  params: Paging & { verdict?: ShadowVerdict | undefined },
) =>
  queryOptions({
    queryKey: shadowKeys.results(workflowId, id, done, params),
    queryFn: ({ signal }) => request<Page<ShadowResult>>(`${replay(id)}/results`, { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });

export const shadowResultQuery = (workflowId: string, id: string, number: number) =>
  queryOptions({
    queryKey: shadowKeys.result(workflowId, id, number),
    queryFn: ({ signal }) => request<ShadowDetail>(`${replay(id)}/results/${number}`, { signal, lossless: true }),
    structuralSharing: false,
  });

export const startReplay = (workflowId: string, body: { commit: string; environment: Environment; count: number }) =>
  request<ShadowReplay>(`${workflow(workflowId)}/shadow-replays`, { method: 'POST', body });
export const abortReplay = (id: string) => request<ShadowReplay>(`${replay(id)}/abort`, { method: 'POST' });

export const ignoresQuery = (workflowId: string) =>
  queryOptions({
    queryKey: shadowKeys.ignores(workflowId),
    queryFn: ({ signal }) => request<ShadowIgnores>(`${workflow(workflowId)}/shadow-ignores`, { signal }),
  });
export const putIgnores = (workflowId: string, paths: readonly string[]) =>
  request<ShadowIgnores>(`${workflow(workflowId)}/shadow-ignores`, { method: 'PUT', body: { paths } });
