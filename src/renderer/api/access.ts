import type { Body } from '../../contract/routes.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

export interface AuditParams extends Paging {
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
}

export const accessKeys = {
  session: ['access', 'session'] as const,
  keys: ['access', 'keys'] as const,
  keyList: (params: Paging) => ['access', 'keys', params] as const,
  tokens: ['access', 'tokens'] as const,
  tokenList: (params: Paging) => ['access', 'tokens', params] as const,
  tokenUse: (id: string) => ['access', 'tokens', 'use', id] as const,
  sessions: ['access', 'sessions'] as const,
  sessionList: (params: Paging) => ['access', 'sessions', params] as const,
  audit: (params: AuditParams) => ['access', 'audit', params] as const,
};

export const sessionQuery = () => read(accessKeys.session, 'session.get', {}, { staleTime: 60_000 });
/** Longest wait for the answer: nothing is drawn before that of a link. */
const SIGN_IN_MS = 10_000;
export const signIn = (token: string) =>
  call('session.signIn', { body: { token }, signal: AbortSignal.timeout(SIGN_IN_MS) });
export const signOut = () => call('session.signOut');

export const keysQuery = (params: Paging) => readList(accessKeys.keyList(params), 'keys.list', { query: params });
export type KeyDraft = Body<'keys.create'>;
export const createKey = (body: KeyDraft) => call('keys.create', { body });
export const revokeKey = (id: string) => call('keys.revoke', { params: { id } });
export const updateKey = (id: string, body: Body<'keys.update'>) => call('keys.update', { params: { id }, body });
export const rotateKey = (id: string, overlapSeconds: number) =>
  call('keys.rotate', { params: { id }, body: { overlapSeconds } });

export const tokensQuery = (params: Paging) => readList(accessKeys.tokenList(params), 'tokens.list', { query: params });
export const tokenUseQuery = (id: string) => read(accessKeys.tokenUse(id), 'tokens.workers', { params: { id } });
export const createToken = (body: Body<'tokens.create'>) => call('tokens.create', { body });
export const revokeToken = (id: string) => call('tokens.revoke', { params: { id } });

export const sessionsQuery = (params: Paging) =>
  readList(accessKeys.sessionList(params), 'sessions.list', { query: params });
export const endSession = (id: string) => call('sessions.end', { params: { id } });

export const auditQuery = (params: AuditParams) => readList(accessKeys.audit(params), 'audit.list', { query: params });
