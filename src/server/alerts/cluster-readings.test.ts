import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../contract/cluster.ts';
import { MASTER_IDS, threeMasters } from '../../lib/cluster.fixture.ts';
import { alertRigs } from '../testing/alerts.fixture.ts';

const { open } = alertRigs();
const [A, B, C] = MASTER_IDS;
const START = '2026-01-01T00:00:00.000Z';
/** Three healthy masters that keep tables for SQL, and nothing that happened lately. */
const healthy = () => threeMasters({ failovers: [], projection });
const projection: NonNullable<Cluster['projection']> = {
  master: B,
  seq: 184_200,
  complete: true,
  lagMs: 700,
  extras: [],
  writtenAt: '2026-01-01T12:00:00.000Z',
  trouble: null,
};

async function rigOf(cluster = healthy()) {
  const rig = await open();
  rig.world.cluster = cluster;
  const ids = [
    ...['no-standby', 'standby-lag', 'failover', 'append-slow', 'master-diverged'],
    ...['projection-lag', 'projection-stopped'],
  ].map((one) => `built-in-${one}`);
  return {
    rig,
    told: () =>
      rig.alerts
        .list({ page: 0, size: 100 })
        .items.filter(({ ruleId }) => ids.includes(ruleId))
        .map(({ ruleName, state, annotations }) => `${ruleName} ${state}: ${annotations['summary'] ?? ''}`),
  };
}

describe('the rules about masters', () => {
  it('are silent while all is well', async () => {
    const { rig, told } = await rigOf();
    await rig.run(10);
    await rig.run(10);
    expect(told()).toEqual([]);
  });

  it('say nothing of a single master, which lacks no standby', async () => {
    const { rig, told } = await rigOf({
      ...healthy(),
      mode: 'single',
      masters: healthy().masters.slice(0, 1),
      journal: null,
    });
    await rig.run(10);
    for (let i = 0; i < 8; i++) await rig.run(10);
    expect(told()).toEqual([]);
  });

  it('tell after a minute that nobody could take over, be it that the standbys only seem to be there', async () => {
    const cluster = healthy();
    const { rig, told } = await rigOf({
      ...cluster,
      masters: cluster.masters.map((one) =>
        one.role === 'standby' ? { ...one, lastSeenAt: '2026-01-01T11:59:00.000Z' } : one,
      ),
    });
    await rig.run();
    for (let i = 0; i < 5; i++) await rig.run(10);
    expect(told()).toEqual(['No standby Pending: No standby could take over from the owner']);
    await rig.run(10);
    expect(told()).toEqual(['No standby Alerting: No standby could take over from the owner']);
  });

  it('name the standby that lags, and the master that diverged', async () => {
    const cluster = healthy();
    const { rig, told } = await rigOf({
      ...cluster,
      masters: cluster.masters.map((one) =>
        one.id === B ? { ...one, lagMs: 12_000 } : one.id === C ? { ...one, role: 'diverged' } : one,
      ),
    });
    await rig.run();
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(told().toSorted()).toEqual([
      'Master diverged Alerting: Master https://master-c.example.org:8700 differs from the journal',
      'Standby lag Alerting: Standby https://master-b.example.org:8700 is 12 s behind',
    ]);
  });

  it('tell of an owner that was lost for ten minutes, and of none that was asked to go', async () => {
    const { rig, told } = await rigOf(
      threeMasters({
        failovers: [
          { at: START, from: A, to: B, reason: 'owner gone', epoch: 9, gapMs: 1240 },
          { at: START, from: B, to: A, reason: 'handover', epoch: 8, gapMs: 200 },
          { at: START, from: A, to: A, reason: 'restart', epoch: 7, gapMs: 9000 },
          { at: START, from: null, to: A, reason: 'start', epoch: 6, gapMs: 0 },
        ],
      }),
    );
    await rig.run();
    expect(told()).toEqual(['Failover Alerting: Master 5e0f4b63 took over from 6c0d1e2a (owner gone)']);
    for (let i = 0; i < 64; i++) await rig.run(10);
    expect(told()).toEqual([]);
  });

  it('tell that PostgreSQL is slow', async () => {
    const cluster = healthy();
    const { rig, told } = await rigOf({
      ...cluster,
      journal: cluster.journal && { ...cluster.journal, appendMs: 312.4 },
    });
    await rig.run();
    for (let i = 0; i < 3; i++) await rig.run(10);
    expect(told()).toEqual(['PostgreSQL slow Alerting: An append to the journal takes 312 ms']);
  });

  it('tell of tables for SQL that are far behind, not while they are written anew', async () => {
    const { rig, told } = await rigOf({ ...healthy(), projection: { ...projection, lagMs: 95_000 } });
    await rig.run();
    for (let i = 0; i < 6; i++) await rig.run(10);
    expect(told()).toEqual(['Tables for SQL behind Alerting: The tables for SQL are 95 s behind']);
    rig.world.cluster = { ...healthy(), projection: { ...projection, complete: false, seq: 0, lagMs: 95_000 } };
    await rig.run(10);
    expect(told()).toEqual([]);
  });

  it('tell of tables for SQL that nobody writes or can write, whatever the reason says at each attempt', async () => {
    const { rig, told } = await rigOf();
    for (const trouble of ['no master writes it', 'lock timeout', 'no space', 'lock timeout', 'a', 'b', 'c']) {
      rig.world.cluster = { ...healthy(), projection: { ...projection, lagMs: 95_000, trouble } };
      await rig.run(10);
    }
    expect(told()).toEqual(['Tables for SQL stopped Alerting: The tables for SQL are not being written']);
    rig.world.cluster = healthy();
    await rig.run(10);
    expect(told()).toEqual([]);
  });
});
