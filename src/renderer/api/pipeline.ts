import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeadLetter, PipelineStats } from '../../contract/logs.ts';
import type { Page } from '../../contract/shapes.ts';
import { request } from './client.ts';
import type { Paging } from './paging.ts';

export const pipelineKeys = { all: ['pipeline'] as const };
const PATH = '/api/v1/logs/dead-letters';

/** What the log pipeline holds and has counted. */
export const pipelineQuery = () =>
  queryOptions({
    queryKey: [...pipelineKeys.all, 'stats'],
    queryFn: ({ signal }) => request<PipelineStats>('/api/v1/logs/pipeline', { signal }),
    refetchInterval: 5000,
  });

/** Lines that the log store refused for good, the newest first. */
export const deadLettersQuery = (params: Paging) =>
  queryOptions({
    queryKey: [...pipelineKeys.all, 'dead', params],
    queryFn: ({ signal }) => request<Page<DeadLetter>>(PATH, { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });

export type Which = { ids: string[] } | { all: true };
export const replayDeadLetters = (which: Which) =>
  request<{ replayed: number }>(`${PATH}/replay`, { method: 'POST', body: which });
export const discardDeadLetters = (which: Which) =>
  request<{ discarded: number }>(`${PATH}/discard`, { method: 'POST', body: which });
