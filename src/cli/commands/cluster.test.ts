import { beforeEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../contract/cluster.ts';
import { MASTER_IDS, threeMasters } from '../../lib/cluster.fixture.ts';
import { fakeMaster } from '../process-io.fake.ts';

const [A, B, C] = MASTER_IDS;
let cluster: Cluster;
/** What the next requests meet before they are answered: nobody owns the state. */
let orphaned: number;
let asked: string[];
let taker: string;
beforeEach(() => {
  cluster = threeMasters();
  orphaned = 0;
  asked = [];
  taker = '';
});

const master = fakeMaster(({ method, path, body }, response) => {
  asked.push(`${method} ${path} ${body}`.trim());
  const problem = (status: number, code: string, detail: string) => {
    response.statusCode = status;
    response.setHeader('retry-after', '0');
    return { type: 'about:blank', title: code, status, code, detail, instance: path };
  };
  if (orphaned > 0) {
    orphaned--;
    return problem(503, 'NO_OWNER', 'no master owns the state');
  }
  if (method === 'GET') return cluster;
  const to = (JSON.parse(body) as { to?: string }).to ?? B;
  if (cluster.mode === 'single') return problem(409, 'NO_STANDBY', 'this is a single master');
  cluster = threeMasters({
    failovers: [
      { at: '2026-01-01T12:01:00.000Z', from: A, to: taker || to, reason: 'handover', epoch: 8, gapMs: 310 },
      ...cluster.failovers,
    ],
  });
  response.statusCode = 202;
  return { to };
});

describe('yardmaster cluster', () => {
  it('shows who owns the state, who could take over, and what happened', async () => {
    const { code, out } = await master.yardmaster(['cluster']);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'cluster | 0198a3f2-7000-7abc-8def-0123456789ab',
      'mode | cluster',
      'owner | 6c0d1e2a (https://master-a.example.org:8700)',
      'epoch | 7',
      'journal | 12340 entries, 46.0 MiB',
      'append | 1.8 ms',
      'snapshots | 2, the last at 2026-01-01T11:50:00.000Z (17.5 MiB, seq 180000)',
      '',
      'ID | URL | ROLE | VERSION | SEQ | LAG | STARTED | LAST SEEN',
      '6c0d1e2a | https://master-a.example.org:8700 | owner | 1.0.0 | 184220 | - | 2026-01-01T08:00:00.000Z | 2026-01-01T12:00:00.000Z',
      '5e0f4b63 | https://master-b.example.org:8700 | standby | 1.0.0 | 184218 | 34 ms | 2026-01-01T08:00:00.000Z | 2026-01-01T12:00:00.000Z',
      '90be77d1 | https://master-c.example.org:8700 | standby | 1.0.0 | 184201 | 210 ms | 2026-01-01T08:00:00.000Z | 2026-01-01T12:00:00.000Z',
      '',
      'FAILOVER AT | FROM | TO | REASON | GAP | EPOCH',
      '2026-01-01T11:58:00.000Z | 5e0f4b63 | 6c0d1e2a | owner gone | 1.2 s | 7',
      '2026-01-01T09:30:00.000Z | 6c0d1e2a | 5e0f4b63 | handover | 310 ms | 6',
      '2026-01-01T08:00:02.000Z | - | 6c0d1e2a | start | 0 ms | 5',
    ]);
  });

  it('prints the document of the master with --json, for `status` as by itself', async () => {
    for (const args of [['cluster'], ['cluster', 'status']]) {
      const { code, out } = await master.yardmaster([...args, '--json']);
      expect([code, JSON.parse(out)]).toEqual([0, cluster]);
    }
  });

  it('says plainly that a single master has nobody to take over, and that a cluster lost its standbys', async () => {
    cluster = threeMasters({ mode: 'single', masters: cluster.masters.slice(0, 1), failovers: [], journal: null });
    expect((await master.yardmaster(['cluster'])).out).toContain('no standby that could take over');
    cluster = threeMasters({ warnings: ['PostgreSQL: the role "x" may write'] });
    expect((await master.yardmaster(['cluster'])).out).toContain('the role "x" may write');
    cluster = threeMasters({ masters: threeMasters().masters.slice(0, 1) });
    expect((await master.yardmaster(['cluster'])).out).toContain('No standby could take over: start another master');
  });

  it('waits as `Retry-After` says while nobody owns the state', async () => {
    orphaned = 3;
    const { code, err } = await master.yardmaster(['cluster', '--json']);
    expect([code, err, asked.length]).toEqual([0, '', 4]);
  });
});

describe('yardmaster cluster handover', () => {
  it.each([
    ['an ID', C],
    ['the end of one', C.slice(-8)],
    ['a URL', 'https://master-c.example.org:8700/'],
  ])('hands over to the standby that %s names, and says when it owns the state', async (_, to) => {
    const { code, out } = await master.yardmaster(['cluster', 'handover', '--to', to, '--yes']);
    expect([code, out]).toEqual([
      0,
      '90be77d1 (https://master-c.example.org:8700) owns the state under epoch 8, after 310 ms without an owner',
    ]);
    expect(asked).toContain(`POST /api/v1/cluster/handover {"to":"${C}"}`);
  });

  it('leaves the choice to the owner without --to', async () => {
    const { code, out } = await master.yardmaster(['cluster', 'handover', '--yes', '--json']);
    expect([code, JSON.parse(out)]).toMatchObject([0, { to: B, reason: 'handover', epoch: 8 }]);
    expect(asked).toContain('POST /api/v1/cluster/handover {}');
  });

  it('asks at a terminal, and elsewhere wants --yes', async () => {
    const at = (line: string) =>
      master.yardmaster(['cluster', 'handover'], { interactive: true, firstLine: async () => line });
    expect(await at('n')).toMatchObject({ code: 1, err: expect.stringContaining('not handed over') });
    expect(await at('')).toMatchObject({ code: 1 });
    expect(await master.yardmaster(['cluster', 'handover'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
    expect(await at('y')).toMatchObject({ code: 0 });
  });

  it('refuses a name of no master, or of several', async () => {
    for (const to of ['nobody', '01', 'e'])
      expect(await master.yardmaster(['cluster', 'handover', '--to', to, '--yes'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('names no master'),
      });
  });

  it('says that there is no standby, and that another master took over', async () => {
    taker = C;
    expect(await master.yardmaster(['cluster', 'handover', '--to', B, '--yes'])).toMatchObject({
      code: 1,
      err: 'yardmaster: 5e0f4b63 (https://master-b.example.org:8700) did not take over: 90be77d1 (https://master-c.example.org:8700) did (handover); see `yardmaster cluster`',
    });
    cluster = threeMasters({ mode: 'single' });
    const { code, err } = await master.yardmaster(['cluster', 'handover', '--yes', '--json']);
    expect([code, JSON.parse(err).code]).toEqual([1, 'NO_STANDBY']);
  });
});
