import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { Alert, AlertHistory } from '../../contract/alerts.ts';
import type { Body } from '../../contract/routes.ts';
import type { Page } from '../../contract/shapes.ts';
import { type AlertState, OPEN_STATES } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { translatedAlert, translatedHistory } from './alert-labels.ts';
import { read, readList } from './read.ts';

export const alertKeys = { all: ['alerts'] as const };

/** Read again now and then. */
const polled = { refetchInterval: 15_000 };

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
    ...readList(['alerts', 'list', params], 'alerts.list', { query: params }, polled),
    select: alertsShown,
  });
/** How many fire that nobody keeps back: for the frame. */
export const firingQuery = (size = 1) => alertsQuery({ page: 0, size, state: OPEN_STATES, heldBack: false });
/** How many fire that are silenced or held back by another. */
export const heldBackQuery = () => alertsQuery({ page: 0, size: 1, state: OPEN_STATES, heldBack: true });
export const alertHistoryQuery = (params: Paging & { kind?: AlertHistory['kind'] | undefined }) =>
  queryOptions({
    ...readList(['alerts', 'history', params], 'alerts.history', { query: params }, polled),
    select: historyShown,
  });
export const rulesQuery = (params: Paging) =>
  readList(['alerts', 'rules', params], 'alertRules.list', { query: params }, polled);
export const silencesQuery = (params: Paging) =>
  readList(['alerts', 'silences', params], 'silences.list', { query: params }, polled);
export const channelsQuery = (params: Paging) =>
  readList(['alerts', 'channels', params], 'channels.list', { query: params }, polled);
export const policyQuery = () => read(['alerts', 'policy'], 'alertPolicy.get', {});
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
  read(['alert-measurements'], 'metrics.names', {}, { staleTime: 60_000, retry: false });
