import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

export const pipelineKeys = { all: ['pipeline'] as const };

/** What the log pipeline holds and has counted. */
export const pipelineQuery = () => read([...pipelineKeys.all, 'stats'], 'logs.pipeline', {}, { refetchInterval: 5000 });

/** Lines that the log store refused for good, the newest first. */
export const deadLettersQuery = (params: Paging) =>
  readList([...pipelineKeys.all, 'dead', params], 'deadLetters.list', { query: params });

export type DeadLetterSelection = { ids: string[] } | { all: true };
export const replayDeadLetters = (which: DeadLetterSelection) => call('deadLetters.replay', { body: which });
export const discardDeadLetters = (which: DeadLetterSelection) => call('deadLetters.discard', { body: which });
