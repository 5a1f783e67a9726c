import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { Alert, AlertHistory } from '../../contract/alerts.ts';
import type { Body } from '../../contract/routes.ts';
import type { Page } from '../../contract/shapes.ts';
import { type AlertState, OPEN_STATES } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { translatedAlert, translatedHistory } from './alert-labels.ts';

export const alertKeys = { all: ['alerts'] as const };

/** A list of one kind, read again now and then. */
const listOf = <P, T>(kind: string, params: P, read: (signal: AbortSignal) => Promise<Page<T>>) =>
  queryOptions({
    queryKey: ['alerts', kind, params],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

/** Each as it is shown to the reader. */
const shown =
  <T>(say: (item: T) => T) =>
  (page: Page<T>): Page<T> => ({ ...page, items: page.items.map(say) });
const alertsShown = shown<Alert>(translatedAlert);
const historyShown = shown<AlertHistory>(translatedHistory);

export const alertsQuery = (
  params: Paging & {
    q?: string | undefined;
    state?: readonly AlertState[] | undefined;
    heldBack?: boolean | undefined;
  },
) =>
  queryOptions({
    ...listOf('list', params, (signal) => call('alerts.list', { query: params, signal })),
    select: alertsShown,
  });
/** How many fire that nobody keeps back: for the frame. */
export const firingQuery = (size = 1) => alertsQuery({ page: 0, size, state: OPEN_STATES, heldBack: false });
export const alertHistoryQuery = (params: Paging & { kind?: AlertHistory['kind'] | undefined }) =>
  queryOptions({
    ...listOf('history', params, (signal) => call('alerts.history', { query: params, signal })),
    select: historyShown,
  });
export const rulesQuery = (params: Paging) =>
  listOf('rules', params, (signal) => call('alertRules.list', { query: params, signal }));
export const silencesQuery = (params: Paging) =>
  listOf('silences', params, (signal) => call('silences.list', { query: params, signal }));
export const channelsQuery = (params: Paging) =>
  listOf('channels', params, (signal) => call('channels.list', { query: params, signal }));
export const policyQuery = () =>
  queryOptions({ queryKey: ['alerts', 'policy'], queryFn: ({ signal }) => call('alertPolicy.get', { signal }) });
export const previewQuery = (body: Body<'alertRules.preview'> | null) =>
  queryOptions({
    queryKey: ['alert-preview', body],
    queryFn: body === null ? skipToken : ({ signal }) => call('alertRules.preview', { body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const acknowledgeAlert = (id: string, note: string) =>
  call('alerts.acknowledge', { params: { id }, body: { note } });
export const withdrawAcknowledgement = (id: string) => call('alerts.unacknowledge', { params: { id } });
export const createRule = (body: Body<'alertRules.create'>) => call('alertRules.create', { body });
export const updateRule = (id: string, body: Body<'alertRules.update'>) =>
  call('alertRules.update', { params: { id }, body });
export const deleteRule = (id: string) => call('alertRules.delete', { params: { id } });
export const createSilence = (body: Body<'silences.create'>) => call('silences.create', { body });
export const expireSilence = (id: string) => call('silences.expire', { params: { id } });
export const createChannel = (body: Body<'channels.create'>) => call('channels.create', { body });
export const updateChannel = (id: string, body: Body<'channels.update'>) =>
  call('channels.update', { params: { id }, body });
export const deleteChannel = (id: string) => call('channels.delete', { params: { id } });
export const testChannel = (id: string) => call('channels.test', { params: { id } });
export const previewTemplate = (body: Body<'channels.previewTemplate'>) => call('channels.previewTemplate', { body });
export const putPolicy = (body: Body<'alertPolicy.replace'>) => call('alertPolicy.replace', { body });
/** What can be measured, for rules. */
export const measurementsQuery = () =>
  queryOptions({
    queryKey: ['alert-measurements'],
    queryFn: ({ signal }) => call('metrics.names', { signal }),
    staleTime: 60_000,
    retry: false,
  });
