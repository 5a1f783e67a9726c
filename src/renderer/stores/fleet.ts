import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ClusterStatus, FleetSearch } from '../../contract/desktop.ts';
import type { Connection } from '../../contract/ipc.ts';
import { CLUSTER_TIMEOUT_MS, type ClusterReader, readClusterStatus, searchCluster } from '../../lib/fleet.ts';
import { t } from '../../lib/language.ts';
import { createApiClient } from '../../lib/api-client.ts';
import { send } from '../api/client.ts';
import { callShell, connectionsQuery, desktop } from './desktop.ts';

/** A cluster of the fleet; in a browser there is one, that of the page. */
export type Cluster = Pick<Connection, 'id' | 'name' | 'url' | 'colour' | 'production' | 'readOnly' | 'selected'> &
  Partial<Pick<Connection, 'skew' | 'kind'>>;

/** What is known of a cluster: the last look, and the last one that brought facts, where the last did not. */
export interface ClusterHistory {
  readonly latest: ClusterStatus;
  readonly at: number;
  readonly good: { readonly look: ClusterStatus; readonly at: number } | null;
}

const LOOK_MS = 10_000;

/** All clusters that this console can ask. */
export function useClusters(): readonly Cluster[] {
  const { data } = useQuery(connectionsQuery());
  if (desktop()) return data ?? [];
  return [
    {
      id: 'this',
      name: window.location.host,
      url: window.location.origin,
      colour: null,
      production: false,
      readOnly: false,
      selected: true,
    },
  ];
}

/** Each cluster has a request, a time limit and a rhythm of its own: one that is down delays no other. */
export const fleetQuery = (id: string) =>
  queryOptions({
    queryKey: ['fleet', 'look', id],
    queryFn: async ({ client, queryKey, signal }): Promise<ClusterHistory> => {
      const look = desktop() ? await callShell('fleet:status', { id }) : await readClusterStatus(ownMaster(signal));
      const before = client.getQueryData<ClusterHistory>(queryKey);
      const at = Date.now();
      return { latest: look, at, good: look.state === 'up' ? { look, at } : (before?.good ?? null) };
    },
    staleTime: LOOK_MS / 2,
    refetchInterval: LOOK_MS,
    retry: false,
  });

export const fleetSearchQuery = (id: string, text: string) =>
  queryOptions({
    queryKey: ['fleet', 'search', id, text],
    queryFn: ({ signal }): Promise<FleetSearch> =>
      desktop() ? callShell('fleet:search', { id, text }) : searchCluster(ownMaster(signal), text),
    enabled: text !== '',
    staleTime: 10_000,
    retry: false,
  });

/** The master of this page, asked as the shell asks the others. */
function ownMaster(ended: AbortSignal): ClusterReader {
  const late = AbortSignal.timeout(CLUSTER_TIMEOUT_MS);
  const signal = AbortSignal.any([ended, late]);
  return {
    since: () => performance.now(),
    why: (error) =>
      late.aborted
        ? t('no response within {seconds} s', { seconds: CLUSTER_TIMEOUT_MS / 1000 })
        : error instanceof Error
          ? error.message
          : String(error),
    answer: createApiClient((request) => send({ ...request, signal })).answer,
    async read(found) {
      const text = await found.text();
      try {
        return JSON.parse(text);
      } catch {
        return undefined;
      }
    },
  };
}
