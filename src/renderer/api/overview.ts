import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '../../contract/master.ts';
import type { Settings } from '../../contract/settings.ts';
import { request } from './client.ts';

export const overviewKeys = { overview: ['overview'] as const, settings: ['settings'] as const };

export const overviewQuery = () =>
  queryOptions({
    queryKey: overviewKeys.overview,
    queryFn: ({ signal }) => request<Overview>('/api/v1/overview', { signal }),
  });
export const settingsQuery = () =>
  queryOptions({
    queryKey: overviewKeys.settings,
    queryFn: ({ signal }) => request<Settings>('/api/v1/settings', { signal }),
    staleTime: 60_000,
  });
