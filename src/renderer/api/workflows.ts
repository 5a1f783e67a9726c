import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Body } from '../../contract/routes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { CommitDetail } from '../../contract/workflows.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';

export interface WorkflowListParams extends Paging {
  q?: string | undefined;
  archived?: boolean | undefined;
}

/** Versions of one page of the history. */
const HISTORY_SIZE = 100;

export const workflowKeys = {
  all: ['workflows'] as const,
  list: (params: WorkflowListParams) => ['workflows', 'list', params] as const,
  one: (workflowId: string) => ['workflows', 'one', workflowId] as const,
  commitsOf: (workflowId: string) => ['workflows', 'commits', workflowId] as const,
  history: (workflowId: string) => ['workflows', 'commits', workflowId, 'history'] as const,
  commits: (workflowId: string, params: Paging) => ['workflows', 'commits', workflowId, params] as const,
  /** A commit never changes, but its environments do. */
  commit: (workflowId: string, hash: string) => ['workflows', 'commit', workflowId, hash] as const,
  diff: (workflowId: string, a: string, b: string) => ['workflows', 'diff', workflowId, a, b] as const,
  environments: (workflowId: string) => ['workflows', 'environments', workflowId] as const,
  publications: (workflowId: string, params: Paging) => ['workflows', 'publications', workflowId, params] as const,
};

export const workflowsQuery = (params: WorkflowListParams) =>
  queryOptions({
    queryKey: workflowKeys.list(params),
    queryFn: ({ signal }) => call('workflows.list', { query: params, signal }),
    placeholderData: keepPreviousData,
  });

export const workflowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.one(workflowId),
    queryFn: ({ signal }) => call('workflows.get', { params: { id: workflowId }, signal }),
  });

export const commitsQuery = (workflowId: string, params: Paging) =>
  queryOptions({
    queryKey: workflowKeys.commits(workflowId, params),
    queryFn: ({ signal }) => call('commits.list', { params: { id: workflowId }, query: params, signal }),
    placeholderData: (previous, query) => (query?.queryKey[2] === workflowId ? previous : undefined),
  });

/** The whole history, page after page as it is asked for. */
export const historyQuery = (workflowId: string) =>
  infiniteQueryOptions({
    queryKey: workflowKeys.history(workflowId),
    queryFn: ({ signal, pageParam }) =>
      call('commits.list', { params: { id: workflowId }, query: { page: pageParam, size: HISTORY_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, totalPages }) => (page + 1 < totalPages ? page + 1 : undefined),
  });

export const commitQuery = (workflowId: string, hash: string) =>
  queryOptions({
    queryKey: workflowKeys.commit(workflowId, hash),
    queryFn: ({ signal }) => call('commits.get', { params: { id: workflowId, hash }, signal, lossless: true }),
    structuralSharing: false,
  });

export const diffQuery = (workflowId: string, a: string, b: string) =>
  queryOptions({
    queryKey: workflowKeys.diff(workflowId, a, b),
    queryFn: ({ signal }) => call('commits.diff', { params: { id: workflowId, a, b }, signal, lossless: true }),
    structuralSharing: false,
    staleTime: Infinity,
  });

export const environmentsQuery = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.environments(workflowId),
    queryFn: ({ signal }) => call('workflows.environments', { params: { id: workflowId }, signal }),
  });

export const publicationsQuery = (workflowId: string, params: Paging) =>
  queryOptions({
    queryKey: workflowKeys.publications(workflowId, params),
    queryFn: ({ signal }) => call('publications.list', { params: { id: workflowId }, query: params, signal }),
    placeholderData: keepPreviousData,
  });

export const createWorkflow = (body: Body<'workflows.create'>) => call('workflows.create', { body });
export const updateWorkflow = (workflowId: string, body: Body<'workflows.update'>) =>
  call('workflows.update', { params: { id: workflowId }, body });
export const archiveWorkflow = (workflowId: string) => call('workflows.archive', { params: { id: workflowId } });
/** Throws `ApiError` STALE_PARENT with `problem.head` where another version was saved meanwhile. */
export const createCommit = (workflowId: string, body: Body<'commits.create'>) =>
  call('commits.create', { params: { id: workflowId }, body });
/** `definition`: as a draft stands, which may be none yet. */
export const checkDefinition = (workflowId: string, definition: unknown, signal?: AbortSignal) =>
  call('workflows.check', { params: { id: workflowId }, json: JSON.stringify({ definition }), signal });
/** What a saved version calls and is not published now. A master of an earlier release does not say. */
export const callWarningsQuery = (workflowId: string, commit: Pick<CommitDetail, 'hash' | 'definition'> | undefined) =>
  queryOptions({
    queryKey: [...workflowKeys.all, 'calls', workflowId, commit?.hash],
    queryFn: async ({ signal }) => (await checkDefinition(workflowId, commit?.definition, signal)).warnings ?? [],
    enabled: commit?.definition.nodes.some(({ type }) => type === 'workflow' || type === 'forEach') ?? false,
    staleTime: 0,
  });
/** `expected`: the hash seen there (null: none). Throws `ApiError` ENVIRONMENT_MOVED with `problem.current`. */
export const publish = (workflowId: string, environment: Environment, body: Body<'workflows.publish'>) =>
  call('workflows.publish', { params: { id: workflowId, environment }, body });
/** `expected`: the hash seen there. Throws `ApiError` ENVIRONMENT_MOVED. */
export const unpublish = (workflowId: string, environment: Environment, expected: string) =>
  call('workflows.unpublish', { params: { id: workflowId, environment }, query: { expected } });
