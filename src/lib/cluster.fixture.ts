import type { Cluster } from '../contract/cluster.ts';

const [A, B, C] = [
  '0198a3f2-7c11-7d2e-9a51-3f9b6c0d1e2a',
  '0198a3f2-7c58-7b90-8c04-a1d75e0f4b63',
  '0198a3f2-7ca0-71f4-b7e8-5c2290be77d1',
] as const;
export const MASTER_IDS = [A, B, C] as const;

/** Three masters: the first owns the state under epoch 7, after it had taken over from the second. */
export function threeMasters(over: Partial<Cluster> = {}): Cluster {
  const master = (
    id: string,
    host: string,
    role: Cluster['masters'][number]['role'],
    seq: number,
    lagMs: number,
  ): Cluster['masters'][number] => ({
    id,
    url: `https://${host}:8700`,
    role,
    version: '1.0.0',
    seq,
    lagMs,
    startedAt: '2026-01-01T08:00:00.000Z',
    lastSeenAt: '2026-01-01T12:00:00.000Z',
  });
  return {
    clusterId: '0198a3f2-7000-7abc-8def-0123456789ab',
    mode: 'cluster',
    partitions: [{ id: 0, epoch: 7, owner: A, seq: 184_220 }],
    masters: [
      master(A, 'master-a.example.org', 'owner', 184_220, 0),
      master(B, 'master-b.example.org', 'standby', 184_218, 34),
      master(C, 'master-c.example.org', 'standby', 184_201, 210),
    ],
    failovers: [
      { at: '2026-01-01T11:58:00.000Z', from: B, to: A, reason: 'owner gone', epoch: 7, gapMs: 1240 },
      { at: '2026-01-01T09:30:00.000Z', from: A, to: B, reason: 'handover', epoch: 6, gapMs: 310 },
      { at: '2026-01-01T08:00:02.000Z', from: null, to: A, reason: 'start', epoch: 5, gapMs: 0 },
    ],
    journal: {
      entries: 12_340,
      bytes: 48_234_496,
      appendMs: 1.8,
      snapshots: [
        { seq: 180_000, at: '2026-01-01T11:50:00.000Z', bytes: 18_350_080, by: B },
        { seq: 170_000, at: '2026-01-01T11:20:00.000Z', bytes: 17_825_792, by: B },
      ],
    },
    ...over,
  };
}
