import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { createDamageRegistry } from './damage.ts';
import type { FoundDamage } from './port.ts';

const MINUTE = 60_000;
const block = (n: number, over: Partial<FoundDamage> = {}): FoundDamage => ({
  part: 'logs',
  file: 'logs/logs-2026-01-01.db',
  place: `block ${n}`,
  what: `block ${n} has a wrong checksum`,
  from: n * MINUTE,
  to: (n + 1) * MINUTE,
  lost: 10,
  ...over,
});
const registry = (over: Partial<Parameters<typeof createDamageRegistry>[0]> = {}) =>
  createDamageRegistry({ file: null, now: () => 0, log: () => {}, ...over });

it('knows a damage once, however often it is reported, tells listeners of it once, and takes over what is learned later', () => {
  const damage = registry();
  const told: string[] = [];
  damage.watch(({ what }) => told.push(what));
  damage.report(block(1, { lost: null }));
  damage.report(block(1));
  damage.report(block(1));
  damage.report(block(2));
  expect(told).toEqual(['block 1 has a wrong checksum', 'block 2 has a wrong checksum']);
  expect(damage.list().map(({ lost }) => lost)).toEqual([10, 10]);
  expect(damage).toMatchObject({ found: 2, unlisted: 0 });
  expect(damage.counts()).toEqual({ database: 0, logs: 2, metrics: 0, pipeline: 0 });
});

it('warns of what an answer over a time lacks, and of nothing beside it', () => {
  const damage = registry();
  for (let n = 0; n < 3; n++) damage.report(block(n));
  damage.report(block(9, { lost: 0, what: 'a filter is damaged' }));
  damage.report(block(1, { part: 'metrics' }));
  expect(damage.warnings(['logs'], MINUTE, 2 * MINUTE)).toEqual([
    {
      code: 'DATA_DAMAGED',
      message: 'logs/logs-2026-01-01.db: block 1 has a wrong checksum',
      from: '1970-01-01T00:01:00.000Z',
      to: '1970-01-01T00:02:00.000Z',
      lost: 10,
    },
  ]);
  expect(damage.warnings(['logs'], null, null)).toHaveLength(3);
  expect(damage.warnings(['logs', 'metrics'], null, null)).toHaveLength(4);
  expect(damage.warnings(['logs'], 3 * MINUTE, null)).toEqual([]);
  expect(damage.warnings(['database'], null, null)).toEqual([]);
});

it('warns of damage whose time is not known whatever the time', () => {
  const damage = registry();
  damage.report(block(1, { from: null, to: null, lost: null }));
  expect(damage.warnings(['logs'], 0, 1)).toHaveLength(1);
});

it('forgets what was deleted or rewritten', () => {
  const damage = registry();
  for (let n = 0; n < 3; n++) damage.report(block(n));
  damage.forget('logs', 'logs/logs-2026-01-01.db', 'block 1');
  expect(damage.counts().logs).toBe(2);
  damage.forget('logs', 'logs/logs-2026-01-01.db');
  expect(damage.counts().logs).toBe(0);
});

it('lists a bounded number, and still warns of the others and counts them', () => {
  const damage = registry({ most: 2 });
  for (let n = 0; n < 5; n++) damage.report(block(n));
  expect(damage.list()).toHaveLength(3);
  expect(damage).toMatchObject({ unlisted: 3, found: 5 });
  expect(damage.counts().logs).toBe(5);
  expect(damage.warnings(['logs'], 4 * MINUTE, null)).toMatchObject([{ lost: 30, to: '1970-01-01T00:05:00.000Z' }]);
});

it('says the rest of very many warnings in one', () => {
  const damage = registry();
  for (let n = 0; n < 100; n++) damage.report(block(n));
  const warnings = damage.warnings(['logs'], null, null);
  expect(warnings).toHaveLength(20);
  expect(warnings.at(-1)).toMatchObject({ message: '81 more parts of the data are damaged', lost: 810 });
});

it('remembers over a restart what cannot be found again', () => {
  const file = join(temporaryFolder('damage'), 'damage.json');
  const before = registry({ file });
  before.report(block(1));
  before.report(block(2, { keep: true }));
  expect(registry({ file }).list()).toMatchObject([{ what: 'block 2 has a wrong checksum', lost: 10 }]);

  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"lost":10', '"lost":11'));
  const after = registry({ file });
  expect(after.warnings(['logs'], null, null)).toMatchObject([{ message: expect.stringContaining('damage.json') }]);
});
