import type { Cluster } from '../../contract/cluster.ts';
import type { Signal } from '../../contract/vocabulary.ts';
import { isTakeover, isUnplanned, shortMasterId, standbysOf } from '../../lib/cluster.ts';
import type { Labels } from './fingerprint.ts';

export type ClusterSignal = Extract<Signal, `cluster${string}`>;
export const isClusterSignal = (signal: Signal): signal is ClusterSignal => signal.startsWith('cluster');

export interface Reading {
  readonly value: number;
  readonly labels: Labels;
}

/** What rules read of the masters now; of failovers those since `from` (milliseconds). Nothing of a single master, which lacks nothing. */
export function clusterReadings(signal: ClusterSignal, cluster: Cluster, from: number): Reading[] {
  if (cluster.mode === 'single') return [];
  switch (signal) {
    case 'clusterStandbys':
      return [{ value: standbysOf(cluster).length, labels: {} }];
    case 'clusterLag':
      return standbysOf(cluster).map(({ id, url, lagMs }) => ({ value: lagMs / 1000, labels: { master_id: id, url } }));
    case 'clusterFailovers':
      return lastTakeovers(cluster, from);
    case 'clusterAppend': {
      const appendMs = cluster.journal?.appendMs ?? null;
      return appendMs === null ? [] : [{ value: appendMs, labels: {} }];
    }
    case 'clusterDiverged':
      return cluster.masters
        .filter(({ role }) => role === 'diverged')
        .map(({ id, url }) => ({ value: 1, labels: { master_id: id, url } }));
    case 'clusterProjectionLag': {
      const { projection } = cluster;
      // While everything is written for the first time or anew, and where it is known why it stopped, that is what counts.
      if (!projection?.complete || projection.trouble !== null) return [];
      return [{ value: projection.lagMs / 1000, labels: {} }];
    }
    case 'clusterProjectionStopped':
      // Not the trouble as a label: it may be another text at each attempt, and the alert would begin anew.
      return cluster.projection ? [{ value: cluster.projection.trouble === null ? 0 : 1, labels: {} }] : [];
  }
}

/** How many seconds nobody owned the state; a pair of masters that did it more than once tells of the last time. */
function lastTakeovers({ failovers }: Cluster, from: number): Reading[] {
  const found = new Map<string, Reading>();
  for (const failover of failovers) {
    if (Date.parse(failover.at) < from || !isUnplanned(failover) || !isTakeover(failover)) continue;
    const labels = {
      from: shortMasterId(failover.from ?? ''),
      to: shortMasterId(failover.to),
      reason: failover.reason,
    };
    const key = JSON.stringify(labels);
    // Newest first.
    if (!found.has(key)) found.set(key, { value: failover.gapMs / 1000, labels });
  }
  return [...found.values()];
}
