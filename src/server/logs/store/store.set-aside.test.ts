import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreDamage } from './port.ts';
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
