import { expect, it } from 'vitest';
import type { ClusterMaster } from '../../contract/cluster.ts';
import { clusterView } from './cluster-view.ts';

const NOW = '2001-05-05T12:00:00.000Z';
const master = (id: string, over: Partial<ClusterMaster> = {}): ClusterMaster => ({
  id,
  url: `http://${id}`,
  role: 'standby',
  version: '1.0.0',
  seq: 10,
  lagMs: 0,
  startedAt: NOW,
  lastSeenAt: NOW,
  ...over,
});

const choose = (masters: ClusterMaster[], to: string | null = null) =>
  clusterView({
    database: {
      view: async () => ({ now: NOW, clusterId: 'c', partitions: [], masters, failovers: [], journal: null }),
    },
    me: 'a',
    appended: () => 0,
    appendMs: () => null,
    handOver: () => {},
  }).chooseStandby(to);

it('hands over to the standby that is furthest, by the clock of the database alone', async () => {
  expect(await choose([master('a', { role: 'owner' }), master('b'), master('c', { seq: 12 })])).toBe('c');
  expect(await choose([master('b', { lagMs: 90 }), master('c')])).toBe('c');
  expect(await choose([master('b'), master('c', { seq: 99, lastSeenAt: '2001-05-05T11:59:54.000Z' })])).toBe('b');
});

it('says who else may change what is kept, where somebody may', async () => {
  const view = (warnings: string[]) =>
    clusterView({
      database: {
        view: async () => ({ now: NOW, clusterId: 'c', partitions: [], masters: [], failovers: [], journal: null }),
      },
      warnings: async () => warnings,
      me: 'a',
      appended: () => 0,
      appendMs: () => null,
      handOver: () => {},
    }).get();
  expect((await view(['the role "x" may write'])).warnings).toEqual(['the role "x" may write']);
  expect(await view([])).not.toHaveProperty('warnings');
});

it('says which master cannot take over, and why', async () => {
  await expect(choose([master('a', { role: 'owner' })])).rejects.toMatchObject({ code: 'NO_STANDBY' });
  await expect(choose([master('b')], 'x')).rejects.toThrow('no other master of this cluster has the ID x');
  await expect(choose([master('b', { role: 'diverged' })], 'b')).rejects.toThrow('it is diverged');
});
