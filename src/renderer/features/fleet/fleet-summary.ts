import type { ClusterHistory } from '../../stores/fleet.ts';

/** The figures of all clusters that answer; null: none of them says so. */
export interface FleetTotals {
  readonly up: number;
  readonly masters: number | null;
  readonly workersUp: number | null;
  readonly workers: number | null;
}

/** Sums up what was heard last; a cluster that does not answer counts for nothing: its figures are old. */
export function sumFleet(seen: readonly (ClusterHistory | null)[]): FleetTotals {
  const online = seen.flatMap((one) => (one?.latest.state === 'up' ? [one.latest.facts] : []));
  const sum = (name: 'mastersUp' | 'workersUp' | 'workers'): number | null => {
    const known = online.flatMap((facts) => facts?.[name] ?? []);
    return known.length === 0 ? null : known.reduce((all, value) => all + value, 0);
  };
  return { up: online.length, masters: sum('mastersUp'), workersUp: sum('workersUp'), workers: sum('workers') };
}
