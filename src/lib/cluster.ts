import type { Cluster, ClusterMaster, Failover } from '../contract/cluster.ts';

/** What the list of masters says. Times are compared with each other and never with this computer's clock: they are all the database's. */

/** A master that is silent for longer than the lease of ownership counts as gone. */
const LEASE_MS = 5000;
/** A standby that is further behind would take long to take over. */
const BEHIND_MS = 5000;
export const isBehind = (lagMs: number): boolean => lagMs > BEHIND_MS;

/** How long a master has given no sign of life, in milliseconds, as seen by the one that was heard last. */
export const silentMs = ({ masters }: Pick<Cluster, 'masters'>, master: ClusterMaster): number =>
  Math.max(...masters.map(({ lastSeenAt }) => Date.parse(lastSeenAt))) - Date.parse(master.lastSeenAt);

export const isSilent = (cluster: Pick<Cluster, 'masters'>, master: ClusterMaster): boolean =>
  silentMs(cluster, master) > LEASE_MS;

/** Masters that could take over now. */
export const standbysOf = (cluster: Pick<Cluster, 'masters'>): ClusterMaster[] =>
  cluster.masters.filter((master) => master.role === 'standby' && !isSilent(cluster, master));

/** The lag of the standby that is furthest behind, in milliseconds; null: there is none. */
export function worstLagMs(cluster: Pick<Cluster, 'masters'>): number | null {
  const lags = standbysOf(cluster).map(({ lagMs }) => lagMs);
  return lags.length === 0 ? null : Math.max(...lags);
}

export const epochOf = ({ partitions }: Pick<Cluster, 'partitions'>): number =>
  Math.max(0, ...partitions.map(({ epoch }) => epoch));

/** Who owns the state (partition 0); null: nobody does, or nobody who is known. */
export function ownerOf({ masters, partitions }: Pick<Cluster, 'masters' | 'partitions'>): ClusterMaster | null {
  const owner = partitions.find(({ id }) => id === 0)?.owner ?? null;
  return masters.find(({ id }) => id === owner) ?? null;
}

/** True where another master took over: a first start or the return of the same one is no failover. */
export const isTakeover = ({ from, to }: Pick<Failover, 'from' | 'to'>): boolean => from !== null && from !== to;

/** The owner was lost, and nobody had asked for it. */
export const isUnplanned = ({ reason }: Pick<Failover, 'reason'>): boolean =>
  reason === 'lease expired' || reason === 'owner gone';

/** Masters as people tell them apart: the last digits of an ID, which are its random ones; its whole where it is short. */
export const shortMasterId = (id: string): string => (id.length > 12 ? id.slice(-8) : id);
