import { expect, it } from 'vitest';
import { MASTER_IDS } from '../../../lib/cluster.fixture.ts';
import { failoverNotice } from './use-failover-notices.ts';

const [A, B] = MASTER_IDS;
const at = '2026-01-01T12:00:00.000Z';

it('a notice says who took over from whom, why, and for how long nobody owned the state', () => {
  expect(failoverNotice({ at, from: A, to: B, reason: 'owner gone', epoch: 8, gapMs: 1240 })).toEqual({
    id: 'failover:8',
    kind: 'failover',
    tone: 'warn',
    title: '5e0f4b63 took over from 6c0d1e2a',
    message: 'owner gone, 1.24 s without an owner',
    path: '/cluster',
  });
  expect(failoverNotice({ at, from: A, to: B, reason: 'handover', epoch: 9, gapMs: 310 })).toMatchObject({
    tone: 'run',
    title: '6c0d1e2a handed over to 5e0f4b63',
    message: 'handover, 310 ms without an owner',
  });
  expect(failoverNotice({ at, from: A, to: B, reason: 'handover', epoch: 9, gapMs: 0 }).message).toBe('handover');
  expect(failoverNotice({ at, from: B, to: B, reason: 'restart', epoch: 10, gapMs: 9000 })).toMatchObject({
    title: 'Master 5e0f4b63 owns the state',
  });
});
