import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const overviewKeys = { overview: ['overview'] as const, settings: ['settings'] as const };

export const overviewQuery = () =>
  queryOptions({
    queryKey: overviewKeys.overview,
    queryFn: ({ signal }) => call('master.overview', { signal }),
  });
export const settingsQuery = () =>
  queryOptions({
    queryKey: overviewKeys.settings,
    queryFn: ({ signal }) => call('settings.get', { signal }),
    staleTime: 60_000,
  });

/** Overrides by name; null takes one back. */
export const patchSettings = (changes: Readonly<Record<string, unknown>>) => call('settings.update', { body: changes });
