import type { ClusterStatus } from '../../contract/desktop.ts';
import { createFleet, type FleetDeps } from '../connections/fleet.ts';

export interface StatusPoller {
  /** The last look at the shown cluster; null: none yet. */
  last(): ClusterStatus | null;
  /** Looks now, and from then on in its rhythm. */
  poll(): Promise<ClusterStatus>;
  /** What a cluster says now, whichever is shown. */
  pollCluster(connection: string): Promise<ClusterStatus>;
  onChange(listener: (look: ClusterStatus) => void): void;
  stop(): void;
}

const EVERY_MS = 10_000;
/** Counts of the shown cluster for tray and badge, also while no window draws anything. */
export function createStatusPoller(deps: FleetDeps, shown: () => string, everyMs: number = EVERY_MS): StatusPoller {
  const fleet = createFleet(deps);
  // A newer look at a cluster ends the one before: whoever asks for one is not cut off by the rhythm.
  const asked = createFleet(deps);
  const listeners: ((look: ClusterStatus) => void)[] = [];
  let last: ClusterStatus | null = null;
  let timer: NodeJS.Timeout | undefined;
  let round = 0;
  async function beat(): Promise<ClusterStatus> {
    const mine = ++round;
    clearTimeout(timer);
    const look = await fleet.look(shown());
    if (mine !== round) return look;
    last = look;
    for (const listener of listeners) listener(look);
    timer = setTimeout(() => void beat(), everyMs);
    return look;
  }
  return {
    last: () => last,
    poll: beat,
    pollCluster: (connection) => asked.look(connection),
    onChange: (listener) => void listeners.push(listener),
    stop() {
      round++;
      clearTimeout(timer);
    },
  };
}
