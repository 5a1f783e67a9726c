import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createSettings } from './settings.ts';

const admin = { name: 'admin', role: 'admin', address: null } as const;
let store: Store;
let noted: unknown[];
let said: string[];
beforeEach(() => {
  store = openSqlite({ file: join(mkdtempSync(join(tmpdir(), 'ym-settings-')), 'yardmaster.db'), durability: 'normal' });
  noted = [];
  said = [];
});
afterEach(() => store.close());
const open = (limits = {}, httpAllow: string[] = []) => createSettings({ store, limits: { ...LIMITS, ...limits }, httpAllow, record: (_db, _actor, entry) => void noted.push(entry), say: (line) => void said.push(line) });
const find = (settings: ReturnType<typeof open>, name: string) => settings.list().find((setting) => setting.name === name);

it('an override takes effect at once where the limit is read when needed, and survives a restart', async () => {
  const settings = open({ queueDepth: 5 });
  let told = 0;
  settings.watch(() => told++);
  await settings.patch({ queueDepth: 7, jobRetentionMode: 'archive', httpAllow: ['10.0.0.0/8'] }, admin);
  expect([settings.limits.queueDepth, settings.other.jobRetentionMode, told]).toEqual([7, 'archive', 1]);
  const again = open({ queueDepth: 6 });
  expect(find(again, 'queueDepth')).toEqual({ name: 'queueDepth', value: 7, default: 6, override: 7, restart: false });
  expect(again.other.httpAllow).toEqual(['10.0.0.0/8']);
  await again.patch({ queueDepth: null }, admin);
  expect(again.limits.queueDepth).toBe(6);
  expect(noted.at(-1)).toEqual({ action: 'setting.change', target: 'setting:queueDepth', before: 7, after: null });
});

it('an override of another limit waits for the next start', async () => {
  const settings = open();
  await settings.patch({ bodyBytes: 1000 }, admin);
  expect(find(settings, 'bodyBytes')).toEqual({ name: 'bodyBytes', value: LIMITS.bodyBytes, default: LIMITS.bodyBytes, override: 1000, restart: true });
  expect(open().limits.bodyBytes).toBe(1000);
});

it('takes all of a change or none, with a pointer for each fault', async () => {
  const settings = open();
  const bad = { queueDepth: 1.5, retryJitter: 2, colour: 1, jobRetentionMode: 'burn', httpAllow: ['http://x'], runTimeoutSeconds: 0, jobRetentionDays: 0.5 };
  await expect(settings.patch(bad, admin)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: ['/queueDepth', '/retryJitter', '/colour', '/jobRetentionMode', '/httpAllow', '/runTimeoutSeconds'].map((pointer) => ({ pointer })),
  });
  expect(settings.list().every(({ override }) => override === null)).toBe(true);
  await expect(settings.patch({ colour: null }, admin)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

it('says of every limit when it takes effect, and names no other as one that does at once', () => {
  const settings = open().list();
  expect(settings.filter(({ name }) => name in LIMITS).map(({ name }) => name)).toEqual(Object.keys(LIMITS));
  const live = readFileSync(new URL('../../contract/settings.ts', import.meta.url), 'utf8').split('const LIVE')[1]?.split(']);')[0] ?? '';
  expect([...live.matchAll(/'(\w+)'/g)].map(([, name]) => name).filter((name) => !(name as string in LIMITS))).toEqual([]);
});

it('leaves an override aside that it does not take any more', async () => {
  await store.write((db) => db.statement(`INSERT INTO setting (name, value) VALUES ('gone', '1'), ('retries', '"x"')`).run());
  expect(open().limits.retries).toBe(LIMITS.retries);
  expect(said).toHaveLength(2);
});
