import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ApiKey, ApiKeyCreated, AuditEntry, Session, Token, TokenCreated } from '../../contract/access.ts';
import type { RateLimitsChange } from '../../contract/rate-limits.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Environment, Role } from '../../contract/vocabulary.ts';
import { type Query, request } from './client.ts';
import type { Paging } from './paging.ts';

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
  audit: (params: AuditParams) => ['access', 'audit', params] as const,
};

const id = encodeURIComponent;

export const sessionQuery = () =>
  queryOptions({
    queryKey: accessKeys.session,
    queryFn: ({ signal }) => request<Session>('/api/v1/session', { signal }),
    staleTime: 60_000,
  });
/** Longest wait for the answer: nothing is drawn before that of a link. */
const SIGN_IN_MS = 10_000;
export const signIn = (token: string) =>
  request<void>('/api/v1/session', { method: 'POST', body: { token }, signal: AbortSignal.timeout(SIGN_IN_MS) });
export const signOut = () => request<void>('/api/v1/session', { method: 'DELETE' });

export const keysQuery = (params: Paging) =>
  queryOptions({
    queryKey: accessKeys.keyList(params),
    queryFn: ({ signal }) => request<Page<ApiKey>>('/api/v1/keys', { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });
export interface KeyDraft {
  name: string;
  workflows: string[];
  environments: Environment[];
  expiresAt?: string | null;
}
export const createKey = (body: KeyDraft) => request<ApiKeyCreated>('/api/v1/keys', { method: 'POST', body });
export const revokeKey = (keyId: string) => request<void>(`/api/v1/keys/${id(keyId)}`, { method: 'DELETE' });
export const updateKey = (keyId: string, body: { name?: string; limits?: RateLimitsChange }) =>
  request<ApiKey>(`/api/v1/keys/${id(keyId)}`, { method: 'PATCH', body });
export const rotateKey = (keyId: string, overlapSeconds: number) =>
  request<{ id: string; key: string; prefix: string }>(`/api/v1/keys/${id(keyId)}/rotate`, {
    method: 'POST',
    body: { overlapSeconds },
  });

export const tokensQuery = (params: Paging) =>
  queryOptions({
    queryKey: accessKeys.tokenList(params),
    queryFn: ({ signal }) => request<Page<Token>>('/api/v1/tokens', { query: { ...params }, signal }),
    placeholderData: keepPreviousData,
  });
export const createToken = (body: { name: string; role: Role; expiresAt?: string | null }) =>
  request<TokenCreated>('/api/v1/tokens', { method: 'POST', body });
export const revokeToken = (tokenId: string) => request<void>(`/api/v1/tokens/${id(tokenId)}`, { method: 'DELETE' });

export const auditQuery = (params: AuditParams) =>
  queryOptions({
    queryKey: accessKeys.audit(params),
    queryFn: ({ signal }) => request<Page<AuditEntry>>('/api/v1/audit', { query: params as Query, signal }),
    placeholderData: keepPreviousData,
  });
