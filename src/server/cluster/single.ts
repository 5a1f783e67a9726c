import { VERSION } from '../../contract/version.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { ClusterView } from './port.ts';
import { noProjection } from './no-projection.ts';

/** A master that shares its state with nobody: it owns it, under one epoch for ever. */
export function singleCluster(given: {
  masterId: string;
  url: () => string;
  startedAt: number;
  clock: Clock;
}): ClusterView {
  const { masterId, url, startedAt, clock } = given;
  return {
    id: masterId,
    get: () =>
      Promise.resolve({
        // Nobody else is part of it, so its ID is the master's own.
        clusterId: masterId,
        mode: 'single',
        partitions: [{ id: 0, epoch: 1, owner: masterId, seq: 0 }],
        masters: [
          {
            id: masterId,
            url: url(),
            role: 'owner',
            version: VERSION,
            seq: 0,
            lagMs: 0,
            startedAt: iso(startedAt),
            lastSeenAt: iso(clock.now()),
          },
        ],
        failovers: [],
        journal: null,
      }),
    chooseStandby: () =>
      Promise.reject(
        new Fault(
          'NO_STANDBY',
          'this is a single master: start others with the same --store postgres://… to hand over to',
        ),
      ),
    handOver: () => {},
    rebuildProjection: () => Promise.reject(noProjection()),
    dropProjection: () => Promise.reject(noProjection()),
  };
}
