import { describe, expect, it } from 'vitest';
import { MASTER_IDS, threeMasters } from './cluster.fixture.ts';
import {
  epochOf,
  isBehind,
  isTakeover,
  isUnplanned,
  ownerOf,
  shortMasterId,
  standbysOf,
  worstLagMs,
} from './cluster.ts';

const [A, B, C] = MASTER_IDS;
const silent = (id: string, seconds: number) => {
  const cluster = threeMasters();
  return {
    ...cluster,
    masters: cluster.masters.map((one) =>
      one.id === id ? { ...one, lastSeenAt: new Date(Date.parse(one.lastSeenAt) - seconds * 1000).toISOString() } : one,
    ),
  };
};

describe('the masters of a cluster', () => {
  it('have an owner, an epoch and standbys with a lag', () => {
    const cluster = threeMasters();
    expect(ownerOf(cluster)?.id).toBe(A);
    expect(epochOf(cluster)).toBe(7);
    expect(standbysOf(cluster).map(({ id }) => id)).toEqual([B, C]);
    expect(worstLagMs(cluster)).toBe(210);
    expect([isBehind(210), isBehind(5000), isBehind(5001)]).toEqual([false, false, true]);
  });

  it('count as standby only while they are heard of: a dead one cannot take over, whatever its row says', () => {
    expect(standbysOf(silent(C, 5)).map(({ id }) => id)).toEqual([B, C]);
    expect(standbysOf(silent(C, 6)).map(({ id }) => id)).toEqual([B]);
    expect(worstLagMs(silent(C, 6))).toBe(34);
  });

  it('have no owner while nobody holds the lease, and no lag where nobody follows', () => {
    const cluster = threeMasters({ partitions: [{ id: 0, epoch: 7, owner: null, seq: 1 }] });
    expect(ownerOf(cluster)).toBeNull();
    expect(worstLagMs({ masters: cluster.masters.slice(0, 1) })).toBeNull();
    expect(worstLagMs({ masters: [] })).toBeNull();
    expect(epochOf({ partitions: [] })).toBe(0);
  });
});

describe('a failover', () => {
  it('is one where another master took over', () => {
    expect(isTakeover({ from: A, to: B })).toBe(true);
    expect(isTakeover({ from: null, to: B })).toBe(false);
    expect(isTakeover({ from: B, to: B })).toBe(false);
  });

  it('is unplanned where the owner was lost', () => {
    expect((['owner gone', 'lease expired'] as const).every((reason) => isUnplanned({ reason }))).toBe(true);
    expect((['handover', 'start', 'restart'] as const).some((reason) => isUnplanned({ reason }))).toBe(false);
  });
});

it('shortens an ID to its random end, as two that begin at the same moment begin alike', () => {
  expect(shortMasterId(A)).toBe('6c0d1e2a');
  expect(shortMasterId('master-1')).toBe('master-1');
});
