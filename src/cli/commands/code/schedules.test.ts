import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Schedule } from '../../../contract/schedules.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { fakeMaster } from '../../process-io.fake.ts';

const HASH = 'a'.repeat(40);
const definition = { schemaVersion: 1, name: 'Report', nodes: [] };
const NOTHING: Omit<Schedule, 'id' | 'workflowId' | 'environment'> = {
  ...{ cron: null, everySeconds: null, at: null, timeZone: 'UTC', inputs: [{}], inputExpression: null },
  ...{ overlap: 'allow', catchUpSeconds: 3600, jitterSeconds: 0, startAt: null, endAt: null, paused: false },
  ...{ priority: 0, labels: {}, description: null, nextAt: null, lastAt: null, lastOutcome: null, waitingAt: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', createdBy: 'ann' },
};

let schedules: Schedule[];
let published: string | null;
let calls: string[];
let made: number;
const put = (given: Partial<Schedule>) =>
  schedules.push({ ...NOTHING, inputs: [{}], id: `s${++made}`, workflowId: 'report', environment: 'prod', ...given });

/** A master with one workflow and its schedules, as far as these commands ask it. */
const master = fakeMaster(({ method, path, body }, response) => {
  const [place = '', query = ''] = path.split('?');
  const [, , , what, id = ''] = place.split('/');
  const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  if (method !== 'GET') calls.push(`${method} ${place} ${body.replaceAll(/\s+/g, ' ')}`.trim());
  const page = (items: unknown[]) => ({ items, page: 0, size: 500, totalItems: items.length, totalPages: 1 });
  if (what === 'schedules') {
    if (id === 'preview') {
      if (!query.includes('cron=never')) return { times: [] };
      response.statusCode = 422;
      response.setHeader('content-type', 'application/problem+json');
      const detail = 'the schedule is not valid: cron is no cron expression';
      return { type: '', title: '', status: 422, detail, code: 'VALIDATION_FAILED', instance: '' };
    }
    if (method === 'POST') put(given as Partial<Schedule>);
    else if (method === 'DELETE') schedules = schedules.filter((one) => one.id !== id);
    else if (method === 'PATCH') Object.assign(schedules.find((one) => one.id === id) ?? {}, given);
    else return page(schedules);
    if (method === 'DELETE') response.statusCode = 204;
    return method === 'DELETE' ? '' : schedules.at(-1);
  }
  const workflow = {
    ...{ id: 'report', name: 'Report', description: null, head: HASH, archivedAt: null, project: 'default' },
    ...{
      limits: { eventsPerSecond: null, concurrency: null },
      createdAt: NOTHING.createdAt,
      updatedAt: NOTHING.createdAt,
    },
    environments: [{ environment: 'prod', hash: published, description: null, publishedAt: null, publishedBy: null }],
  };
  if (place.includes('/environments/')) {
    published = HASH;
    return { environment: 'prod', hash: HASH };
  }
  if (place.includes('/commits'))
    return {
      ...{ hash: HASH, workflowId: 'report', parent: null, definition, message: '', createdAt: NOTHING.createdAt },
      ...{ author: { name: 'ann', email: 'ann@example.org' }, restores: null, description: null, environments: [] },
      ...{ valid: true, faults: [] },
    };
  return id === '' ? page([workflow]) : workflow;
});

let folder: string;
beforeEach(() => {
  [schedules, published, calls, made] = [[], null, [], 0];
  folder = temporaryFolder('code-schedules');
});
const run = (...args: string[]) => master.yardmaster(args);
const file = () => join(folder, 'report.workflow.json');
const read = () => JSON.parse(readFileSync(file(), 'utf8')) as { schedules?: Record<string, unknown>[] };
const write = (content: object) => writeFileSync(file(), JSON.stringify(content));

it('are pulled with what differs from the defaults, and left out where there are none', async () => {
  await run('pull', folder);
  expect(read().schedules).toBeUndefined();
  put({ cron: '30 7 * * MON-FRI', timeZone: 'Europe/Berlin', labels: { team: 'a' } });
  put({ everySeconds: 60, environment: 'dev', paused: true, inputs: [{ n: 1 }] });
  await run('pull', folder);
  expect(read().schedules).toEqual([
    { environment: 'prod', cron: '30 7 * * MON-FRI', timeZone: 'Europe/Berlin', labels: { team: 'a' } },
    { environment: 'dev', everySeconds: 60, inputs: [{ n: 1 }], paused: true },
  ]);
  expect((await run('plan', folder, '--check')).code).toBe(0);
  // The same in other words.
  const { schedules: [first] = [], ...rest } = read();
  const [, second] = read().schedules ?? [];
  write({
    ...rest,
    schedules: [
      { ...first, overlap: 'allow', inputs: [{}] },
      { ...second, paused: false },
    ],
  });
  expect((await run('plan', folder, '--check')).code).toBe(0);
});

it('are created, changed and deleted by a push, which a plan shows', async () => {
  put({ cron: '0 1 * * *' });
  put({ cron: '0 2 * * *', labels: { a: 'b' } });
  put({ everySeconds: 5, environment: 'dev' });
  await run('pull', folder);
  const [one, two] = read().schedules ?? [];
  const added = { environment: 'staging', at: '2027-01-01T00:00:00Z', inputs: [{ id: 1 }] };
  write({ ...read(), schedules: [{ ...two, jitterSeconds: 9, labels: null }, one, added] });
  const plan = await run('plan', folder);
  expect(plan.out).toContain('~ schedule in prod: {"cron":"0 2 * * *","jitterSeconds":9}');
  expect(plan.out).toContain('- schedule in dev: {"everySeconds":5}');
  expect(plan.out).toContain('+ schedule in staging: {"at":"2027-01-01T00:00:00.000Z","inputs":[{"id":1}]}');
  expect((await run('plan', folder, '--check')).code).toBe(1);
  expect(calls).toEqual([]);
  expect((await run('push', folder)).code).toBe(0);
  expect(calls.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    'PATCH /api/v1/schedules/s2',
    'POST /api/v1/schedules',
    'DELETE /api/v1/schedules/s3',
  ]);
  // What the file does not say any more is as by default again.
  expect(schedules.find(({ id }) => id === 's2')).toMatchObject({ jitterSeconds: 9, labels: null, inputs: [{}] });
  calls = [];
  expect((await run('push', folder)).code).toBe(0);
  expect(calls).toEqual([]);
});

it('are left alone by a file without them, and by a push that only saves', async () => {
  await run('pull', folder);
  put({ cron: '0 1 * * *' });
  expect((await run('plan', folder, '--check')).code).toBe(0);
  write({ ...read(), schedules: [], publish: ['prod'] });
  expect((await run('push', folder, '--no-publish')).code).toBe(0);
  expect(calls).toEqual([]);
  expect((await run('push', folder)).code).toBe(0);
  expect([schedules, published]).toEqual([[], HASH]);
});

it.each([
  [{}, '"schedules" must be a list'],
  [[{ cron: '* * * * *' }], '"schedules/0" must be an object with an "environment"'],
  [[{ environment: 'dev' }], '"schedules/0" must have exactly one of cron, everySeconds, at'],
  [[{ environment: 'dev', everySeconds: 1, cron: '* * * * *' }], 'exactly one of'],
  [[{ environment: 'dev', everySeconds: 1, every: 2 }], '"schedules/0" has an unknown member "every"'],
  [[{ environment: 'dev', cron: 'never' }], 'cron is no cron expression'],
])('are refused with the file and the place: %j', async (given, message) => {
  await run('pull', folder);
  write({ ...read(), schedules: given });
  const { code, err } = await run('push', folder);
  expect(code).toBe(1);
  expect(err).toContain('report.workflow.json');
  expect(err).toContain(message);
  expect(calls).toEqual([]);
});
