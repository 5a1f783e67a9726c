import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallWarning, Definition, Fault } from '../../contract/definition.ts';
import type { RateLimitsChange } from '../../contract/rate-limits.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type {
  Commit,
  CommitDetail,
  CommitDiff,
  EnvironmentPointer,
  Publication,
  Workflow,
} from '../../contract/workflows.ts';
import { type Query, request } from './client.ts';
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

const base = (workflowId: string) => `/api/v1/workflows/${encodeURIComponent(workflowId)}`;
const asQuery = (params: object): Query => params as Query;

export const workflowsQuery = (params: WorkflowListParams) =>
  queryOptions({
    queryKey: workflowKeys.list(params),
    queryFn: ({ signal }) => request<Page<Workflow>>('/api/v1/workflows', { query: asQuery(params), signal }),
    placeholderData: keepPreviousData,
  });

export const workflowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.one(workflowId),
    queryFn: ({ signal }) => request<Workflow>(base(workflowId), { signal }),
  });

export const commitsQuery = (workflowId: string, params: Paging) =>
  queryOptions({
    queryKey: workflowKeys.commits(workflowId, params),
    queryFn: ({ signal }) => request<Page<Commit>>(`${base(workflowId)}/commits`, { query: asQuery(params), signal }),
    placeholderData: (previous, query) => (query?.queryKey[2] === workflowId ? previous : undefined),
  });

/** The whole history, page after page as it is asked for. */
export const historyQuery = (workflowId: string) =>
  infiniteQueryOptions({
    queryKey: workflowKeys.history(workflowId),
    queryFn: ({ signal, pageParam }) =>
      request<Page<Commit>>(`${base(workflowId)}/commits`, { query: { page: pageParam, size: HISTORY_SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, totalPages }) => (page + 1 < totalPages ? page + 1 : undefined),
  });

export const commitQuery = (workflowId: string, hash: string) =>
  queryOptions({
    queryKey: workflowKeys.commit(workflowId, hash),
    queryFn: ({ signal }) => request<CommitDetail>(`${base(workflowId)}/commits/${hash}`, { signal, lossless: true }),
    structuralSharing: false,
  });

export const diffQuery = (workflowId: string, a: string, b: string) =>
  queryOptions({
    queryKey: workflowKeys.diff(workflowId, a, b),
    queryFn: ({ signal }) =>
      request<CommitDiff>(`${base(workflowId)}/commits/${a}/diff/${b}`, { signal, lossless: true }),
    structuralSharing: false,
    staleTime: Infinity,
  });

export const environmentsQuery = (workflowId: string) =>
  queryOptions({
    queryKey: workflowKeys.environments(workflowId),
    queryFn: ({ signal }) => request<{ items: EnvironmentPointer[] }>(`${base(workflowId)}/environments`, { signal }),
  });

export const publicationsQuery = (workflowId: string, params: Paging) =>
  queryOptions({
    queryKey: workflowKeys.publications(workflowId, params),
    queryFn: ({ signal }) =>
      request<Page<Publication>>(`${base(workflowId)}/publications`, { query: asQuery(params), signal }),
    placeholderData: keepPreviousData,
  });

export const createWorkflow = (body: { id: string; name: string; description?: string | null }) =>
  request<Workflow>('/api/v1/workflows', { method: 'POST', body });
export const updateWorkflow = (
  workflowId: string,
  body: { name?: string; description?: string | null; limits?: RateLimitsChange },
) => request<Workflow>(base(workflowId), { method: 'PATCH', body });
export const archiveWorkflow = (workflowId: string) => request<void>(base(workflowId), { method: 'DELETE' });
/** Throws `ApiError` STALE_PARENT with `problem.head` where another version was saved meanwhile. */
export const createCommit = (
  workflowId: string,
  body: { definition: Definition; message: string; parent: string | null },
) => request<CommitDetail>(`${base(workflowId)}/commits`, { method: 'POST', body });
export const checkDefinition = (workflowId: string, definition: unknown, signal?: AbortSignal) =>
  request<{ faults: Fault[]; warnings?: CallWarning[] }>(`${base(workflowId)}/check`, {
    method: 'POST',
    body: { definition },
    signal,
  });
/** What a saved version calls and is not published now. A master of an earlier release does not say. */
export const callWarningsQuery = (workflowId: string, commit: Pick<CommitDetail, 'hash' | 'definition'> | undefined) =>
  queryOptions({
    queryKey: [...workflowKeys.all, 'calls', workflowId, commit?.hash],
    queryFn: async ({ signal }) => (await checkDefinition(workflowId, commit?.definition, signal)).warnings ?? [],
    enabled: commit?.definition.nodes.some(({ type }) => type === 'workflow' || type === 'forEach') ?? false,
    staleTime: 0,
  });
/** `expected`: the hash seen there (null: none). Throws `ApiError` ENVIRONMENT_MOVED with `problem.current`. */
export const publish = (
  workflowId: string,
  environment: Environment,
  body: { hash: string; description?: string; expected?: string | null },
) => request<EnvironmentPointer>(`${base(workflowId)}/environments/${environment}`, { method: 'PUT', body });
/** `expected`: the hash seen there. Throws `ApiError` ENVIRONMENT_MOVED. */
export const unpublish = (workflowId: string, environment: Environment, expected: string) =>
  request<void>(`${base(workflowId)}/environments/${environment}`, { method: 'DELETE', query: { expected } });
