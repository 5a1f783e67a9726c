import { queryOptions } from '@tanstack/react-query';
import type { FailureDetail, FailureGroup } from '../../contract/failures.ts';
import type { Environment, FailureStatus } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { readList, read } from './read.ts';

export interface FailureListParams extends Paging {
  status?: FailureStatus | undefined;
  workflowId?: string | undefined;
  environment?: Environment | undefined;
  node?: string | undefined;
  code?: string | undefined;
  q?: string | undefined;
}

export const failureKeys = {
  all: ['failures'] as const,
  lists: ['failures', 'list'] as const,
  list: (params: FailureListParams) => ['failures', 'list', params] as const,
  one: (id: string) => ['failures', 'one', id] as const,
};

export const failuresQuery = (params: FailureListParams) =>
  readList(failureKeys.list(params), 'failures.list', { query: params });
/** A master of an earlier release says nothing of it. */
const withStanding = (
  detail: Omit<FailureDetail, 'standing'> & Partial<Pick<FailureDetail, 'standing'>>,
): FailureDetail => ({ ...detail, standing: detail.standing ?? { jobs: 0, succeeded: 0, running: 0, failed: 0 } });

export const failureQuery = (id: string) =>
  queryOptions({
    queryKey: failureKeys.one(id),
    queryFn: async ({ signal }) => withStanding(await call('failures.get', { params: { id }, signal })),
  });

/** What sets a group apart, for the list: computed where it is asked for, so not with every change. */
export const failureCausesQuery = (id: string) =>
  queryOptions({
    queryKey: ['failure-causes', id],
    queryFn: async ({ signal }) => (await call('failures.get', { params: { id }, signal })).causes,
    staleTime: 60_000,
  });

/** What else failed like a task. A master of an earlier release does not say. */
export const taskFailureQuery = (taskId: string, attempt: number | string) =>
  read([...failureKeys.all, 'task', taskId, attempt], 'tasks.failure', { params: { taskId } }, { retry: false });

/** What stands at the head of a group: the message itself where all had it, else what they have in common. */
export const failureTitle = ({
  message,
  sample,
  sameMessage,
}: Pick<FailureGroup, 'message' | 'sample' | 'sameMessage'>): string => (sameMessage === true ? sample : message);

export type FailureDecision = 'resolve' | 'ignore' | 'reopen';
export const decideFailure = (id: string, verdict: FailureDecision) => call(`failures.${verdict}`, { params: { id } });
