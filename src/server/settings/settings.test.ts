import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { limitFault } from '../../contract/limit-fault.ts';
import { isOfMaster } from '../../contract/settings.ts';
import type { Store } from '../store/port.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createSettings } from './settings.ts';

const admin = { name: 'admin', role: 'admin', address: null } as const;
let store: Store;
let noted: unknown[];
let said: string[];
beforeEach(async () => {
  store = openSqlite({
    file: await emptyDatabase('ym-settings-'),
    durability: 'normal',
  });
  noted = [];
  said = [];
});
afterEach(() => store.close());
const TRACES = 'https://tempo.example/trace/{traceId}';
const open = (limits = {}, httpAllow: string[] = []) =>
  createSettings({
    store,
    limits: { ...LIMITS, ...limits },
    httpAllow,
    record: (_db, _actor, entry) => void noted.push(entry),
    log: (line) => void said.push(line),
  });
const find = (settings: ReturnType<typeof open>, name: string) =>
  settings.list().find((setting) => setting.name === name);

it('an override that equals the default is a decision, and survives a restart', async () => {
  await open().patch({ jobRetentionDays: 0 }, admin);
  expect(find(open(), 'jobRetentionDays')).toMatchObject({ value: 0, default: 0, override: 0 });
});
it('an override takes effect at once where the limit is read when needed, and survives a restart', async () => {
  const settings = open({ queueDepth: 5 });
  let told = 0;
  settings.watch(() => told++);
  await settings.patch(
    { queueDepth: 7, jobRetentionMode: 'archive', httpAllow: ['10.0.0.0/8'], traceLink: TRACES },
    admin,
  );
  expect([settings.limits.queueDepth, settings.other.jobRetentionMode, told]).toEqual([7, 'archive', 1]);
  const again = open({ queueDepth: 6 });
  expect(find(again, 'queueDepth')).toEqual({
    name: 'queueDepth',
    value: 7,
    default: 6,
    override: 7,
    bounds: { least: 1, most: 10_000_000, or: 0 },
    restart: false,
  });
  expect(again.other.httpAllow).toEqual(['10.0.0.0/8']);
  expect(again.other.traceLink).toBe(TRACES);
  await again.patch({ traceLink: '' }, admin);
  expect(again.other.traceLink).toBe('');
  await again.patch({ queueDepth: null }, admin);
  expect(again.limits.queueDepth).toBe(6);
  expect(noted.at(-1)).toEqual({ action: 'setting.change', target: 'setting:queueDepth', before: 7, after: null });
});

it('leaves limits that each master takes before the state is open to the environment of each', async () => {
  const settings = open({ snapshotsKept: 3 });
  expect(settings.limits.snapshotsKept).toBe(3);
  expect(find(settings, 'snapshotsKept')).toBeUndefined();
  await expect(settings.patch({ snapshotsKept: 4 }, admin)).rejects.toThrow(
    'snapshotsKept is set on each master, by the environment variable',
  );
});

it('an override of another limit waits for the next start', async () => {
  const settings = open();
  await settings.patch({ bodyBytes: 2000 }, admin);
  expect(find(settings, 'bodyBytes')).toEqual({
    name: 'bodyBytes',
    value: LIMITS.bodyBytes,
    default: LIMITS.bodyBytes,
    override: 2000,
    bounds: { least: 1024, most: 268_435_456, or: null },
    restart: true,
  });
  expect(open().limits.bodyBytes).toBe(2000);
});

it('takes all of a change or none, with a pointer for each fault', async () => {
  const settings = open();
  const bad = {
    queueDepth: 1.5,
    retryJitter: 2,
    colour: 1,
    jobRetentionMode: 'burn',
    httpAllow: ['http://x'],
    runTimeoutSeconds: 0,
    jobRetentionDays: 0.5,
  };
  await expect(settings.patch(bad, admin)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: ['/queueDepth', '/retryJitter', '/colour', '/jobRetentionMode', '/httpAllow', '/runTimeoutSeconds'].map(
      (pointer) => ({ pointer }),
    ),
  });
  expect(settings.list().every(({ override }) => override === null)).toBe(true);
  await expect(settings.patch({ colour: null }, admin)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

it.each([
  ['retentionStepMs', 10_000, 'from 1 to 50'],
  ['workerFrameBytes', 1024, 'from 1048576 to'],
  ['taskOutputBytes', 64 * 1024 * 1024, 'at most workerFrameBytes, which is 33554432'],
  ['heartbeatSeconds', 7, 'at most workerUnstableSeconds, which is 6'],
  ['heartbeatSeconds', 0.01, 'from 0.5 to 60'],
  ['workerDownSeconds', 3, 'at least workerUnstableSeconds, which is 6'],
  ['retries', 1_000_000, 'from 0 to 100'],
  ['eventWaitingBytes', 100, 'or 0'],
  ['httpAllow', ['10.0.0.0/8', '169.254.169.254'], 'never call link-local'],
  ['httpAllow', ['metadata.google.internal'], 'never call link-local'],
  ['traceLink', 'javascript:alert(1)', 'must be an http or https URL'],
  ['grafanaLink', 'https://grafana.example/{job}', 'no placeholder'],
])('refuses %s = %j, which would cripple the master or allow nothing', async (name, value, why) => {
  const settings = open();
  await expect(settings.patch({ [name]: value }, admin)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: `/${name}`, message: expect.stringContaining(why) }],
  });
  await settings.patch({ heartbeatSeconds: 7, workerUnstableSeconds: 20, workerDownSeconds: 60 }, admin);
  await expect(settings.patch({ workerUnstableSeconds: null }, admin)).rejects.toMatchObject({
    errors: [{ pointer: '/workerUnstableSeconds' }],
  });
});

it('every default lies within its bounds', () => {
  expect(
    Object.entries(LIMITS).filter(([name, value]) => limitFault(name as keyof typeof LIMITS, value) !== null),
  ).toEqual([]);
});

it('says of every limit when it takes effect, and names no other as one that does at once', () => {
  const settings = open().list();
  expect(settings.filter(({ name }) => name in LIMITS).map(({ name }) => name)).toEqual(
    Object.keys(LIMITS).filter((name) => !isOfMaster(name)),
  );
  const live =
    readFileSync(new URL('../../contract/settings.ts', import.meta.url), 'utf8')
      .split('const LIVE')[1]
      ?.split(']);')[0] ?? '';
  expect(
    [...live.matchAll(/'(\w+)'/g)].map(([, name]) => name).filter((name) => !((name as string) in LIMITS)),
  ).toEqual([]);
});

it('leaves an override aside that it does not take any more', async () => {
  await store.write((db) =>
    db.statement(`INSERT INTO setting (name, value) VALUES ('gone', '1'), ('retries', '"x"')`).run(),
  );
  expect(open().limits.retries).toBe(LIMITS.retries);
  expect(said).toHaveLength(2);
});
