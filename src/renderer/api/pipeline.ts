import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { Paging } from './paging.ts';

export const pipelineKeys = { all: ['pipeline'] as const };

/** What the log pipeline holds and has counted. */
export const pipelineQuery = () =>
  queryOptions({
    queryKey: [...pipelineKeys.all, 'stats'],
    queryFn: ({ signal }) => call('logs.pipeline', { signal }),
    refetchInterval: 5000,
  });

/** Lines that the log store refused for good, the newest first. */
export const deadLettersQuery = (params: Paging) =>
  queryOptions({
    queryKey: [...pipelineKeys.all, 'dead', params],
    queryFn: ({ signal }) => call('deadLetters.list', { query: params, signal }),
    placeholderData: keepPreviousData,
  });

export type Which = { ids: string[] } | { all: true };
export const replayDeadLetters = (which: Which) => call('deadLetters.replay', { body: which });
export const discardDeadLetters = (which: Which) => call('deadLetters.discard', { body: which });
