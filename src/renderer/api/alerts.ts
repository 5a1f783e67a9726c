import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Channel,
  ChannelDraft,
  ChannelPatch,
  ChannelTest,
  Policy,
  PolicyBody,
} from '../../contract/alert-channels.ts';
import type { AlertRule, Preview, PreviewBody, RuleDraft, RulePatch } from '../../contract/alert-rules.ts';
import type { Alert, AlertHistory, Silence, SilenceDraft } from '../../contract/alerts.ts';
import type { MetricNames } from '../../contract/metrics.ts';
import type { Page } from '../../contract/shapes.ts';
import { type AlertState, OPEN_STATES } from '../../contract/vocabulary.ts';
import { type Query, request } from './client.ts';
import type { Paging } from './paging.ts';
import { alertInWords, historyInWords } from './rule-words.ts';

const BASE = '/api/v1/alerts';
export const alertKeys = { all: ['alerts'] as const };
const one = (kind: string, id: string) => `${BASE}/${kind}/${encodeURIComponent(id)}`;

const paged = <T>(kind: string, path: string, params: Query) =>
  queryOptions({
    queryKey: ['alerts', kind, params],
    queryFn: ({ signal }) => request<Page<T>>(path, { query: params, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

/** Each as it is shown to the reader. */
const shown =
  <T>(say: (item: T) => T) =>
  (page: Page<T>): Page<T> => ({ ...page, items: page.items.map(say) });
const alertsShown = shown<Alert>(alertInWords);
const historyShown = shown(historyInWords);

export const alertsQuery = (
  params: Paging & {
    q?: string | undefined;
    state?: readonly AlertState[] | undefined;
    heldBack?: boolean | undefined;
  },
) => queryOptions({ ...paged<Alert>('list', BASE, params as Query), select: alertsShown });
/** How many fire that nobody keeps back: for the frame. */
export const firingQuery = (size = 1) => alertsQuery({ page: 0, size, state: OPEN_STATES, heldBack: false });
export const alertHistoryQuery = (params: Paging & { kind?: AlertHistory['kind'] | undefined }) =>
  queryOptions({ ...paged<AlertHistory>('history', `${BASE}/history`, params as Query), select: historyShown });
export const rulesQuery = (params: Paging) => paged<AlertRule>('rules', `${BASE}/rules`, params as Query);
export const silencesQuery = (params: Paging) => paged<Silence>('silences', `${BASE}/silences`, params as Query);
export const channelsQuery = (params: Paging) => paged<Channel>('channels', `${BASE}/channels`, params as Query);
export const policyQuery = () =>
  queryOptions({
    queryKey: ['alerts', 'policy'],
    queryFn: ({ signal }) => request<Policy>(`${BASE}/policy`, { signal }),
  });
export const previewQuery = (body: PreviewBody | null) =>
  queryOptions({
    queryKey: ['alert-preview', body],
    queryFn: ({ signal }) => request<Preview>(`${BASE}/preview`, { method: 'POST', body, signal }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const acknowledgeAlert = (id: string, note: string) =>
  request<Alert>(`${BASE}/${encodeURIComponent(id)}/acknowledgement`, { method: 'POST', body: { note } });
export const withdrawAcknowledgement = (id: string) =>
  request<Alert>(`${BASE}/${encodeURIComponent(id)}/acknowledgement`, { method: 'DELETE' });
export const createRule = (body: RuleDraft) => request<AlertRule>(`${BASE}/rules`, { method: 'POST', body });
export const updateRule = (id: string, body: RulePatch) =>
  request<AlertRule>(one('rules', id), { method: 'PATCH', body });
export const deleteRule = (id: string) => request<undefined>(one('rules', id), { method: 'DELETE' });
export const createSilence = (body: SilenceDraft) => request<Silence>(`${BASE}/silences`, { method: 'POST', body });
export const expireSilence = (id: string) => request<undefined>(one('silences', id), { method: 'DELETE' });
export const createChannel = (body: ChannelDraft) => request<Channel>(`${BASE}/channels`, { method: 'POST', body });
export const updateChannel = (id: string, body: ChannelPatch) =>
  request<Channel>(one('channels', id), { method: 'PATCH', body });
export const deleteChannel = (id: string) => request<undefined>(one('channels', id), { method: 'DELETE' });
export const testChannel = (id: string) => request<ChannelTest>(`${one('channels', id)}/test`, { method: 'POST' });
export const previewTemplate = (body: { title?: string; message?: string }) =>
  request<{ title: string; message: string }>(`${BASE}/template`, { method: 'POST', body });
export const putPolicy = (body: PolicyBody) => request<Policy>(`${BASE}/policy`, { method: 'PUT', body });
/** What can be measured, for rules. */
export const measurementsQuery = () =>
  queryOptions({
    queryKey: ['alert-measurements'],
    queryFn: ({ signal }) => request<MetricNames>('/api/v1/metrics/names', { signal }),
    staleTime: 60_000,
    retry: false,
  });
