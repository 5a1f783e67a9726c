import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { threeMasters } from '../../lib/cluster.fixture.ts';
import { clusterFields, watchCluster } from './cluster-metrics.ts';

describe('what is measured of a cluster', () => {
  it('is how its masters stand', async () => {
    const watch = watchCluster({ get: () => Promise.resolve(threeMasters()) });
    onTestFinished(() => watch.close());
    await vi.waitFor(() => expect(watch.readings()).not.toBeNull());
    expect(watch.readings()).toEqual({
      epoch: 7,
      masters: 3,
      standbys: 2,
      standbyLagMs: 210,
      journalBytes: 48_234_496,
      appendMs: 1.8,
      projectionLagMs: null,
      failovers: 6,
    });
    expect(clusterFields(watch.readings(), 6)).toMatchObject({
      gauge_cluster_epoch: 7,
      gauge_cluster_standby_lag_ms: 210,
      counter_cluster_failovers: 0,
    });
  });

  it('is nothing while nobody can be asked, and no points with a single master', async () => {
    const broken = watchCluster({ get: () => Promise.reject(new Error('no connection')) });
    onTestFinished(() => broken.close());
    await Promise.resolve();
    expect(broken.readings()).toBeNull();
    const single = watchCluster({ get: () => Promise.resolve(threeMasters({ mode: 'single', journal: null })) });
    onTestFinished(() => single.close());
    await vi.waitFor(() => expect(single.readings()).not.toBeNull());
    expect(clusterFields(single.readings(), 0)).toEqual({});
  });
});

it('counts every owner once, whichever master tells of it: none of them sees its own end', () => {
  const readings = {
    epoch: 7,
    masters: 3,
    standbys: 2,
    standbyLagMs: 0,
    journalBytes: 1,
    appendMs: 1,
    projectionLagMs: null,
  };
  const counted = (failovers: number, before: number | null) =>
    clusterFields({ ...readings, failovers }, before)['counter_cluster_failovers'];
  expect([counted(6, null), counted(6, 6)]).toEqual([1, 0]);
  // The very first owner followed nobody.
  expect([counted(0, null), counted(0, 0)]).toEqual([0, 0]);
});
