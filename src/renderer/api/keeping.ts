import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Secret } from '../../contract/secrets.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Page } from '../../contract/shapes.ts';
import { request } from './client.ts';
import type { Paging } from './paging.ts';

export const secretKeys = { all: ['secrets'] as const, list: (params: Paging) => ['secrets', params] as const };

const base = (name: string) => `/api/v1/secrets/${encodeURIComponent(name)}`;

/** Names and what they are for: values are written, never read back. */
export const secretsQuery = (params: Paging) =>
  queryOptions({
    queryKey: secretKeys.list(params),
    queryFn: ({ signal }) => request<Page<Secret>>('/api/v1/secrets', { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });
export const putSecret = (name: string, body: { value: string; description?: string | null }) =>
  request<Secret>(base(name), { method: 'PUT', body });
export const deleteSecret = (name: string) => request<void>(base(name), { method: 'DELETE' });

/** Overrides by name; null takes one back. */
export const patchSettings = (changes: Readonly<Record<string, unknown>>) =>
  request<Settings>('/api/v1/settings', { method: 'PATCH', body: changes });
