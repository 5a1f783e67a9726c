import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ShadowVerdict, Environment } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
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

/** Replays of a version, the newest first. */
export const replaysQuery = (workflowId: string, commit: string) =>
  queryOptions({
    queryKey: shadowKeys.list(workflowId, commit),
    queryFn: ({ signal }) =>
      call('shadowReplays.list', { params: { id: workflowId }, query: { commit, size: 20 }, signal }),
  });

/** Looks again while it runs. */
export const replayQuery = (workflowId: string, id: string) =>
  queryOptions({
    queryKey: shadowKeys.one(workflowId, id),
    queryFn: ({ signal }) => call('shadowReplays.get', { params: { id }, signal }),
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
    queryFn: ({ signal }) => call('shadowReplays.results', { params: { id }, query: params, signal }),
    placeholderData: keepPreviousData,
  });

export const shadowResultQuery = (workflowId: string, id: string, number: number) =>
  queryOptions({
    queryKey: shadowKeys.result(workflowId, id, number),
    queryFn: ({ signal }) => call('shadowReplays.result', { params: { id, number }, signal, lossless: true }),
    structuralSharing: false,
  });

export const startReplay = (workflowId: string, body: { commit: string; environment: Environment; count: number }) =>
  call('shadowReplays.start', { params: { id: workflowId }, body });
export const abortReplay = (id: string) => call('shadowReplays.abort', { params: { id } });

export const ignoresQuery = (workflowId: string) =>
  queryOptions({
    queryKey: shadowKeys.ignores(workflowId),
    queryFn: ({ signal }) => call('shadowIgnores.get', { params: { id: workflowId }, signal }),
  });
export const putIgnores = (workflowId: string, paths: readonly string[]) =>
  call('shadowIgnores.replace', { params: { id: workflowId }, body: { paths } });
