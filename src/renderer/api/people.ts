import type { Body } from '../../contract/routes.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

/** People and service accounts, and how they sign in. */
export const peopleKeys = {
  ways: ['people', 'ways'] as const,
  users: ['people', 'users'] as const,
  user: (id: string) => ['people', 'users', id] as const,
  ownPasskeys: ['people', 'own-passkeys'] as const,
  passkeysOf: (id: string) => ['people', 'users', id, 'passkeys'] as const,
  ownTokens: ['people', 'own-tokens'] as const,
  userList: (params: Paging) => ['people', 'users', params] as const,
  device: (code: string) => ['people', 'device', code] as const,
};

export const signInWaysQuery = () => read(peopleKeys.ways, 'session.ways', {}, { staleTime: 60_000 });
export const signInByPassword = (body: Body<'session.password'>) => call('session.password', { body });
export const changePassword = (body: Body<'users.changePassword'>) => call('users.changePassword', { body });

export const usersQuery = (params: Paging) => readList(peopleKeys.userList(params), 'users.list', { query: params });
export const userQuery = (id: string) => read(peopleKeys.user(id), 'users.get', { params: { id } });
export const ownTokensQuery = (params: Paging) =>
  readList([...peopleKeys.ownTokens, params], 'me.tokens', { query: params });
export const createOwnToken = (body: Body<'me.createToken'>) => call('me.createToken', { body });
export const revokeOwnToken = (id: string) => call('me.revokeToken', { params: { id } });
export const createUser = (body: Body<'users.create'>) => call('users.create', { body });
export const updateUser = (id: string, body: Body<'users.update'>) => call('users.update', { params: { id }, body });
export const deleteUser = (id: string) => call('users.delete', { params: { id } });
export const resetPassword = (id: string) => call('users.resetPassword', { params: { id } });
export const leftOf = (id: string) => call('users.left', { params: { id } });
export const revokeLeft = (id: string) => call('users.revokeLeft', { params: { id } });
export const createServiceToken = (id: string, body: Body<'users.createToken'>) =>
  call('users.createToken', { params: { id }, body });

export const deviceQuery = (code: string) =>
  read(peopleKeys.device(code), 'device.get', { params: { code } }, { retry: false });
export const decideDevice = (code: string, decision: 'approve' | 'deny') =>
  call('device.decide', { params: { code }, body: { decision } });
