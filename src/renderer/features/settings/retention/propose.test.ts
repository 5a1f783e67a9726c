import { expect, it } from 'vitest';
import type { Settings } from '../../../../contract/settings.ts';
import { keepEverything, proposeRetention, type Retention } from './propose.ts';

const GIB = 1024 ** 3;
const embedded = { kind: 'embedded', address: null, state: 'ok', reason: null, since: null };

function settings(freeBytes: number | null, overrides: Retention = {}, more: object = {}, defaults: Retention = {}) {
  const values = {
    jobRetentionDays: 0,
    jobRetentionCount: 0,
    logRetentionDays: 0,
    metricsRetentionDays: 0,
    metricsRollupRetentionDays: 0,
    logStoreBytes: 10 * GIB,
    metricsStoreBytes: 10 * GIB,
    ...defaults,
  };
  const list = Object.entries(values).map(([name, value]) => {
    const override = (overrides as Record<string, number>)[name] ?? null;
    return { name, default: value, value: override ?? value, override, bounds: null, restart: false };
  });
  return {
    settings: list,
    logs: embedded,
    metrics: embedded,
    ...(freeBytes === null ? {} : { disk: { freeBytes, totalBytes: 4 * freeBytes } }),
    ...more,
  } as unknown as Settings;
}

it('proposes more days, the larger the free disk is', () => {
  const days = [4, 40, 400, 4000].map((gib) => proposeRetention(settings(gib * GIB)));
  expect(days.map((one) => one?.jobRetentionDays)).toEqual([7, 30, 90, 180]);
  expect(days.map((one) => one?.logRetentionDays)).toEqual([3, 14, 30, 60]);
});
it('lets the stores take no more than a share of a small disk', () => {
  expect(proposeRetention(settings(8 * GIB))).toMatchObject({ logStoreBytes: 2 * GIB, metricsStoreBytes: GIB });
  expect(proposeRetention(settings(400 * GIB))).not.toHaveProperty('logStoreBytes');
});
it('proposes nothing once something was decided, also to keep everything, or an option said so', () => {
  expect(proposeRetention(settings(40 * GIB, { logRetentionDays: 5 }))).toBeNull();
  expect(proposeRetention(settings(40 * GIB, keepEverything()))).toBeNull();
  expect(proposeRetention(settings(40 * GIB, {}, {}, { jobRetentionDays: 30 }))).toBeNull();
});
it('proposes nothing where the master does not tell its disk', () => {
  expect(proposeRetention(settings(null))).toBeNull();
});
it('leaves stores elsewhere to themselves', () => {
  const proposal = proposeRetention(settings(4 * GIB, {}, { logs: { ...embedded, kind: 'victorialogs' } }));
  expect(Object.keys(proposal ?? {})).toEqual([
    'jobRetentionDays',
    'metricsRetentionDays',
    'metricsRollupRetentionDays',
    'metricsStoreBytes',
  ]);
});
