import type { Body } from '../../contract/routes.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { readList } from './read.ts';

export const secretKeys = { all: ['secrets'] as const, list: (params: Paging) => ['secrets', params] as const };

/** Names and what they are for: values are written, never read back. */
export const secretsQuery = (params: Paging) => readList(secretKeys.list(params), 'secrets.list', { query: params });
export const putSecret = (name: string, body: Body<'secrets.set'>) => call('secrets.set', { params: { name }, body });
export const changeSecret = (name: string, body: Body<'secrets.update'>) =>
  call('secrets.update', { params: { name }, body });
export const deleteSecret = (name: string) => call('secrets.delete', { params: { name } });
