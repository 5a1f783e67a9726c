import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCrashReports } from './crash-reports.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

let clock = Date.parse('2026-01-01T00:00:00Z');
const made = () =>
  createCrashReports({
    folder: temporaryFolder('reports'),
    about: { app: '1.2.3' },
    now: () => new Date(clock),
  });

test('a report says what happened, where and in which version, the newest first', () => {
  const reports = made();
  reports.add('app', 'x is undefined', { stack: 'at y' });
  clock += 1000;
  reports.add('window', 'the process ended: oom', {});
  expect(reports.list().map(({ source, message }) => [source, message])).toEqual([
    ['window', 'the process ended: oom'],
    ['app', 'x is undefined'],
  ]);
  const [, first] = reports.list();
  expect(JSON.parse(reports.read(first?.id ?? ''))).toMatchObject({
    at: '2026-01-01T00:00:00.000Z',
    stack: 'at y',
    app: '1.2.3',
  });
});

test('the same error again and again is one report a minute', () => {
  const reports = made();
  for (let n = 0; n < 100; n++) reports.add('page', 'again', {});
  expect(reports.list()).toHaveLength(1);
  clock += 61_000;
  reports.add('page', 'again', {});
  expect(reports.list()).toHaveLength(2);
});

test('they are bounded in count and length, also where many come in one millisecond', () => {
  const reports = made();
  for (let n = 0; n < 70; n++) reports.add('page', `error ${n}`, { stack: 'x'.repeat(1_000_000) });
  expect(reports.list()).toHaveLength(50);
  for (const { id } of reports.list()) expect(reports.read(id).length).toBeLessThan(70_000);
  reports.clear();
  expect(reports.list()).toEqual([]);
});

test('nothing else of the folder, or outside it, can be read, and a damaged report hides none of the others', () => {
  const reports = made();
  reports.add('app', 'x', {});
  writeFileSync(join(reports.folder, '20260101T000000000Z-app.json'), '{');
  writeFileSync(join(reports.folder, 'other.json'), '{}');
  expect(reports.list()).toHaveLength(1);
  for (const id of ['other.json', '../connections.json', 'x']) expect(() => reports.read(id)).toThrow(/not found/);
});

test('a folder that cannot be written makes nothing worse', () => {
  const file = join(temporaryFolder('reports'), 'file');
  writeFileSync(file, '');
  const reports = createCrashReports({ folder: join(file, 'reports'), about: {}, now: () => new Date(clock) });
  reports.add('app', 'x', {});
  expect(reports.list()).toEqual([]);
  expect(readdirSync(join(file, '..'))).toEqual(['file']);
});
