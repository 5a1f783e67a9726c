import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreDamage } from './port.ts';
import { openSource } from './read/source.ts';
import { batch, emptyFolder, settle, writerOf } from './store.fixture.ts';

const DAY = 86_400_000;

it('counts files that were set aside, and lets them go as others of their age', () => {
  const folder = emptyFolder();
  const aside = () => readdirSync(folder).filter((name) => name.includes('.damaged-'));
  const junk = (day: string) => writeFileSync(join(folder, `logs-${day}.db`), 'this is no database'.repeat(100_000));
  junk('2026-01-01');
  junk('2026-01-02');
  let now = Date.now();
  const [removed, damages]: [string[], StoreDamage[]] = [[], []];
  const writer = writerOf(folder, {
    now: () => now,
    retentionDays: 2,
    removed: (name) => removed.push(name),
    report: (damage) => damages.push(damage),
  });
  writer.insert([batch([{ n: 1 }])]);
  settle(writer);
  const both = aside();
  expect(both).toHaveLength(2);
  expect(writer.stats().bytes).toBeGreaterThan(3_800_000);

  now += 60_000;
  writer.configure({ storeBytes: 3_000_000, retentionDays: 2 });
  settle(writer);
  expect(aside()).toEqual(both.slice(1));
  now += 3 * DAY;
  settle(writer);
  expect(aside()).toEqual([]);
  expect(removed.slice(0, 2)).toEqual(both);
  expect(damages.map(({ file }) => file)).toEqual(both);
  writer.close();
});

it('makes room by them before any line that can be read goes, also where one cannot be removed', () => {
  const folder = emptyFolder();
  let now = Date.UTC(2026, 0, 1);
  const said: string[] = [];
  const writer = writerOf(folder, { now: () => now, retentionDays: 0, log: (line) => said.push(line) });
  // A new file takes the lines of later days.
  for (let n = 0; n < 3; n++, now += 30 * DAY) {
    writer.insert([batch([{ n }])]);
    settle(writer);
  }
  // They are newer than the lines. Nobody removes a folder as a file.
  mkdirSync(join(folder, 'logs-2026-05-01.db.damaged-1'));
  writeFileSync(join(folder, 'logs-2026-05-02.db.damaged-2'), Buffer.alloc(100_000));
  const rows = writer.stats().rows;
  now += 60_000;
  const storeBytes = writer.stats().bytes - 100_000;
  for (let n = 0; n < 3; n++, now += 60_000) {
    writer.configure({ storeBytes, retentionDays: 0 });
    settle(writer);
  }
  const aside = readdirSync(folder).filter((name) => name.includes('.damaged-'));
  expect(aside).toEqual(['logs-2026-05-01.db.damaged-1']);
  expect(writer.stats().rows).toBe(rows);
  expect(said.filter((line) => line.includes('cannot be removed'))).toHaveLength(1);
  writer.close();
});

it('numbers new lines above all that were acknowledged, though the newest file is no longer there', () => {
  const folder = emptyFolder();
  const writer = writerOf(folder, { arrived: 41 });
  writer.insert([batch([{ n: 1 }])]);
  writer.close();
  const source = openSource(folder, 1e6, () => {});
  const snapshot = source.snapshot();
  expect(snapshot.arrived).toBe(42);
  snapshot.release();
  source.close();
});
