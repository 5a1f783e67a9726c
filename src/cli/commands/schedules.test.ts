import { expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';

const schedule = {
  ...{ id: 's1', workflowId: 'report', environment: 'prod', cron: '0 6 * * *', everySeconds: null, at: null },
  ...{ timeZone: 'Europe/Berlin', inputs: [{}], inputExpression: null, overlap: 'skip', catchUpSeconds: 60 },
  ...{ jitterSeconds: 0, startAt: null, endAt: null, paused: false, priority: 0, labels: {}, description: null },
  ...{ nextAt: '2027-01-02T05:00:00.000Z', lastAt: null, lastOutcome: null, waitingAt: null },
  ...{ createdAt: 'T', updatedAt: 'T', createdBy: 'ann' },
};
const run = {
  ...{ dueAt: '2027-01-01T05:00:00.000Z', startedAt: '2027-01-01T05:00:01.500Z', jobId: 'j1' },
  ...{ outcome: 'STARTED', reason: null, kind: 'schedule' },
};
const asked: unknown[] = [];
const page = (items: unknown[]) => ({ items, page: 0, size: 20, totalItems: items.length, totalPages: 1 });
const master = fakeMaster(({ method, path, body }) => {
  asked.push([method, path, body === '' ? null : JSON.parse(body)]);
  if (path.includes('/runs')) return page([run]);
  if (path.includes('/backfill')) return { operationId: 'o1', count: 2 };
  return method === 'GET' && !path.includes('/s1') ? page([schedule]) : schedule;
});

it('creates a schedule with what was given, and shows it', async () => {
  const line = ['schedules', 'create', 'report', 'prod', '--cron', '0 6 * * *', '--time-zone', 'Europe/Berlin'];
  const { out } = await master.yardmaster([...line, '--overlap', 'skip', '--catch-up', '60', '--label', 'team=ops']);
  expect(out).toContain('0 6 * * * (Europe/Berlin)');
  expect(asked.at(-1)).toEqual([
    'POST',
    '/api/v1/schedules',
    {
      ...{ workflowId: 'report', environment: 'prod', cron: '0 6 * * *', timeZone: 'Europe/Berlin' },
      ...{ overlap: 'skip', catchUpSeconds: 60, labels: { team: 'ops' } },
    },
  ]);
});

it('lists schedules, and what became of their due times', async () => {
  expect((await master.yardmaster(['schedules', 'list'])).out).toContain('2027-01-02T05:00:00.000Z');
  expect((await master.yardmaster(['schedules', 'runs', 's1'])).out).toMatch(/STARTED\s+1\.5\s+j1/);
});

it('begins a backfill', async () => {
  const line = ['schedules', 'backfill', 's1', '--from', '2026-01-01T00:00:00Z', '--to', '2026-01-02T00:00:00Z'];
  expect((await master.yardmaster([...line, '--rate', '60'])).out).toContain('operations show o1');
  expect(asked.at(-1)).toEqual([
    'POST',
    '/api/v1/schedules/s1/backfill',
    { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', perMinute: 60 },
  ]);
});
