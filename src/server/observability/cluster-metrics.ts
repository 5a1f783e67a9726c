import { every } from '../../lib/clock.ts';
import { epochOf, standbysOf, worstLagMs } from '../../lib/cluster.ts';
import type { ClusterView } from '../cluster/port.ts';

const LOOK_MS = 5000;

/** What is measured of the masters; lags and sizes are null where there are none. */
export interface ClusterReadings {
  readonly epoch: number;
  readonly masters: number;
  readonly standbys: number;
  readonly standbyLagMs: number | null;
  readonly journalBytes: number | null;
  readonly appendMs: number | null;
  /** Of the tables for SQL. */
  readonly projectionLagMs: number | null;
  /** How often the state got an owner anew: each owner tells of all that were before it, for none of them sees its own end. */
  readonly failovers: number;
}

export interface ClusterWatch {
  /** As they stood within the last seconds; null: not known. */
  readings(): ClusterReadings | null;
  close(): Promise<void>;
}

/** Looks at the masters now and then: with several of them a look asks the database. */
export function watchCluster(cluster: Pick<ClusterView, 'get'>): ClusterWatch {
  let seen: ClusterReadings | null = null;
  const look = async () => {
    const now = await cluster.get();
    const epoch = epochOf(now);
    seen = {
      epoch,
      masters: now.masters.length,
      standbys: standbysOf(now).length,
      standbyLagMs: worstLagMs(now),
      journalBytes: now.journal?.bytes ?? null,
      appendMs: now.journal?.appendMs ?? null,
      projectionLagMs: now.projection?.lagMs ?? null,
      failovers: Math.max(0, epoch - 1),
    };
  };
  // Who cannot be asked is not an error of this master: the alert rules tell of it.
  const forget = () => void (seen = null);
  void look().catch(forget);
  const stop = every(LOOK_MS, look, forget);
  return { readings: () => seen, close: stop };
}

/**
 * Fields of the point that a master makes of itself. A single master has no cluster to measure. `failoversBefore` null: it is its first point,
 * and the failover that made it the owner is no one else's to count.
 */
export function clusterFields(seen: ClusterReadings | null, failoversBefore: number | null): Record<string, number> {
  if (seen === null || seen.journalBytes === null) return {};
  return {
    gauge_cluster_epoch: seen.epoch,
    gauge_cluster_masters: seen.masters,
    gauge_cluster_standbys: seen.standbys,
    ...(seen.standbyLagMs === null ? {} : { gauge_cluster_standby_lag_ms: seen.standbyLagMs }),
    gauge_cluster_journal_bytes: seen.journalBytes,
    ...(seen.appendMs === null ? {} : { gauge_cluster_append_ms: seen.appendMs }),
    ...(seen.projectionLagMs === null ? {} : { gauge_cluster_projection_lag_ms: seen.projectionLagMs }),
    counter_cluster_failovers:
      failoversBefore === null ? Math.min(1, seen.failovers) : seen.failovers - failoversBefore,
  };
}
