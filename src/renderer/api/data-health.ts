import { read } from './read.ts';

export const dataHealthKeys = { health: ['data-health'] as const };

/** What of the stored data is damaged. */
export const dataHealthQuery = () =>
  read(dataHealthKeys.health, 'data.health', {}, { staleTime: 30_000, refetchInterval: 60_000 });
