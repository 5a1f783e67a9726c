import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CallWarning } from '../../contract/definition.ts';
import type { Body } from '../../contract/routes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { CommitDetail } from '../../contract/workflows.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { readList, read } from './read.ts';

export interface WorkflowListParams extends Paging {
  project?: string | undefined;
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
  readList(workflowKeys.list(params), 'workflows.list', { query: params });

export const workflowQuery = (workflowId: string) =>
  read(workflowKeys.one(workflowId), 'workflows.get', { params: { id: workflowId } });

export const commitsQuery = (workflowId: string, params: Paging) =>
  read(
    workflowKeys.commits(workflowId, params),
    'commits.list',
    { params: { id: workflowId }, query: params },
    { placeholderData: (previous, query) => (query?.queryKey[2] === workflowId ? previous : undefined) },
  );

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
  read(workflowKeys.commit(workflowId, hash), 'commits.get', { params: { id: workflowId, hash }, lossless: true });

export const diffQuery = (workflowId: string, a: string, b: string) =>
  read(
    workflowKeys.diff(workflowId, a, b),
    'commits.diff',
    { params: { id: workflowId, a, b }, lossless: true },
    { staleTime: Infinity },
  );

export const environmentsQuery = (workflowId: string) =>
  read(workflowKeys.environments(workflowId), 'workflows.environments', { params: { id: workflowId } });

export const publicationsQuery = (workflowId: string, params: Paging) =>
  readList(workflowKeys.publications(workflowId, params), 'publications.list', {
    params: { id: workflowId },
    query: params,
  });

export const createWorkflow = (body: Body<'workflows.create'>) => call('workflows.create', { body });
export const updateWorkflow = (workflowId: string, body: Body<'workflows.update'>) =>
  call('workflows.update', { params: { id: workflowId }, body });
export const archiveWorkflow = (workflowId: string) => call('workflows.archive', { params: { id: workflowId } });
export const setVersionTag = (workflowId: string, tag: string, hash: string) =>
  call('commits.tag', { params: { id: workflowId, tag }, body: { hash } });
export const removeVersionTag = (workflowId: string, tag: string) =>
  call('commits.untag', { params: { id: workflowId, tag } });
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
    queryFn: async ({ signal }) => {
      const { warnings = [] } = await checkDefinition(workflowId, commit?.definition, signal);
      return warnings.filter(
        (warning): warning is CallWarning => warning.code === 'CALL_UNKNOWN' || warning.code === 'CALL_NOT_PUBLISHED',
      );
    },
    enabled: commit?.definition.nodes.some(({ type }) => type === 'workflow' || type === 'forEach') ?? false,
    staleTime: 0,
  });
/** `expected`: the hash seen there (null: none). Throws `ApiError` ENVIRONMENT_MOVED with `problem.current`. */
export const publish = (workflowId: string, environment: Environment, body: Body<'workflows.publish'>) =>
  call('workflows.publish', { params: { id: workflowId, environment }, body });
/** `expected`: the hash seen there. Throws `ApiError` ENVIRONMENT_MOVED. */
export const unpublish = (workflowId: string, environment: Environment, expected: string) =>
  call('workflows.unpublish', { params: { id: workflowId, environment }, query: { expected } });
