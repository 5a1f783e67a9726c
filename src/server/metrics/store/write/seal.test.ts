import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MetricDamage } from '../port.ts';
import { anyFilter, smashPartition, type TestStore, settle, useTestStores } from '../store.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const LATER = T + 3 * 3_600_000;
const open = useTestStores();
const at = (value: number, ms: number) => `m,h=1 v=${value} ${ms}`;
const valuesOf = (store: TestStore): number[] => {
  store.view.refresh();
  return [...store.source.read(anyFilter, 0, 1e15)].flatMap(({ values }) => [...(values as Iterable<number>)]);
};
describe.each([
  ['that is no database any more', 0],
  ['all pages of which but the first are overwritten', 4096],
])('a partition %s', (_what, from) => {
  it('keeps no other points from being sealed and read, and is set aside where it gets some', () => {
    const told: MetricDamage[] = [];
    const store = open({ now: () => LATER + 86_400_000, report: (damage) => told.push(damage) });
    store.lines([at(1, T), at(2, LATER)].join('\n'), 'ms');
    settle(store);
    expect(valuesOf(store)).toEqual([1, 2]);
    const second = smashPartition(store, 1, from);

    store.lines([at(3, T + 1), at(4, LATER + 1)].join('\n'), 'ms');
    settle(store);
    store.lines(at(5, T + 2), 'ms');
    expect(valuesOf(store)).toEqual([1, 3, 5, 4]);
    store.writer.seal();
    store.lines(at(6, LATER + 2), 'ms');
    settle(store);
    expect(valuesOf(store)).toEqual([1, 3, 5, 4, 6]);

    const [kept = ''] = readdirSync(join(store.folder, 'bucket-1')).filter((name) =>
      name.startsWith(`${second}.damaged-`),
    );
    expect(told).toEqual([
      expect.objectContaining({
        file: `bucket-1/${kept}`,
        what: expect.stringContaining(`${second} was damaged`) as string,
        keep: true,
      }),
    ]);
    expect(kept).not.toBe('');
  });
});
