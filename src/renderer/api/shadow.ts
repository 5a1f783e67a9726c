import type { ShadowVerdict, Environment } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

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
  read(shadowKeys.list(workflowId, commit), 'shadowReplays.list', {
    params: { id: workflowId },
    query: { commit, size: 20 },
  });

/** Looks again while it runs. */
export const replayQuery = (workflowId: string, id: string) =>
  read(
    shadowKeys.one(workflowId, id),
    'shadowReplays.get',
    { params: { id } },
    { refetchInterval: (query) => (query.state.data?.status === 'RUNNING' ? RUNNING_MS : false) },
  );

/** `done`: how many there are, so that the list follows a replay that runs. */
export const shadowResultsQuery = (
  workflowId: string,
  id: string,
  done: number,
  params: Paging & { verdict?: ShadowVerdict | undefined },
) =>
  readList(shadowKeys.results(workflowId, id, done, params), 'shadowReplays.results', {
    params: { id },
    query: params,
  });

export const shadowResultQuery = (workflowId: string, id: string, number: number) =>
  read(shadowKeys.result(workflowId, id, number), 'shadowReplays.result', { params: { id, number }, lossless: true });

export const startReplay = (workflowId: string, body: { commit: string; environment: Environment; count: number }) =>
  call('shadowReplays.start', { params: { id: workflowId }, body });
export const abortReplay = (id: string) => call('shadowReplays.abort', { params: { id } });

export const ignoresQuery = (workflowId: string) =>
  read(shadowKeys.ignores(workflowId), 'shadowIgnores.get', { params: { id: workflowId } });
export const putIgnores = (workflowId: string, paths: readonly string[]) =>
  call('shadowIgnores.replace', { params: { id: workflowId }, body: { paths } });
