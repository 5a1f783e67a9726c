import { beforeEach, expect, it } from 'vitest';
import type { Cluster } from '../../contract/cluster.ts';
import { MASTER_IDS, threeMasters } from '../../lib/cluster.fixture.ts';
import { fakeMaster } from '../process-io.fake.ts';

let cluster: Cluster;
let asked: string[];
beforeEach(() => {
  cluster = threeMasters({
    projection: {
      master: MASTER_IDS[1],
      seq: 184_200,
      complete: true,
      lagMs: 700,
      extras: ['labels'],
      writtenAt: '2026-01-01T12:00:00.000Z',
      trouble: 'canceling statement due to lock timeout',
    },
  });
  asked = [];
});
const master = fakeMaster(({ method, path }, response) => {
  asked.push(`${method} ${path}`);
  if (method === 'GET') return cluster;
  response.statusCode = method === 'POST' ? 202 : 204;
  return null;
});

it('says who writes the tables for SQL, how far they are behind, and why', async () => {
  const { code, out } = await master.yardmaster(['projection']);
  expect([code, out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))]).toEqual([
    0,
    [
      'written by | 5e0f4b63',
      'seq | 184200',
      'complete | yes',
      'lag | 700 ms',
      'extras | labels',
      'last write | 2026-01-01T12:00:00.000Z',
      'trouble | canceling statement due to lock timeout',
    ],
  ]);
  expect(JSON.parse((await master.yardmaster(['projection', '--json'])).out)).toEqual(cluster.projection);
});

it('says what to do where there are none', async () => {
  cluster = threeMasters();
  expect((await master.yardmaster(['projection', 'status'])).out).toContain('with --projection');
});

it('has them written anew, and dropped only with --yes', async () => {
  expect(await master.yardmaster(['projection', 'rebuild'])).toMatchObject({ code: 0 });
  expect(await master.yardmaster(['projection', 'drop'])).toMatchObject({ code: 2 });
  expect(await master.yardmaster(['projection', 'drop', '--yes'])).toMatchObject({ code: 0 });
  expect(asked).toEqual(['POST /api/v1/cluster/projection/rebuild', 'DELETE /api/v1/cluster/projection']);
});
