import { cpSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../lib/temporary-folder.fixture.ts';
import { anyFilter, openTestStore, type TestStore, settle, useTestStores } from '../store.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const open = useTestStores();
const COUNT = 600;
const all = (value: number, ms: number) =>
  Array.from({ length: COUNT }, (_, i) => `m,h=${i} v=${value} ${ms}`).join('\n');
const valuesOf = (store: TestStore, host: string): number[] => {
  store.view.refresh();
  return [...store.source.read({ ...anyFilter, tags: { h: [host] } }, 0, 1e15)].flatMap(({ values }) => [
    ...(values as Iterable<number>),
  ]);
};
/** One whose seals go on by a step with each write. */
const STEPWISE = { sealBytes: 1000, sealShareMs: 0, now: () => T + 60_000 };

it('points are stored and read while others are sealed', () => {
  const store = open(STEPWISE);
  store.lines(all(1, T), 'ms');
  const partitions = () => store.writer.stats().bytes;
  for (let i = 2; i < 40; i++) {
    // Few enough that nothing has to wait for the end of the seal.
    store.lines(`m,h=7 v=${i} ${T + i}`, 'ms');
    expect(valuesOf(store, '7')).toEqual([1, ...Array.from({ length: i - 1 }, (_, n) => n + 2)]);
    expect(valuesOf(store, '599')).toEqual([1]);
  }
  expect(partitions()).toBeGreaterThan(0);
  settle(store);
  expect(store.writer.stats().points).toBe(COUNT + 38);
  expect(valuesOf(store, '7')).toHaveLength(39);
  expect(store.damaged).toEqual([]);
});

it('where more comes in than is sealed, it waits', () => {
  const store = open(STEPWISE);
  for (let i = 0; i < 5; i++) store.lines(all(i, T + i), 'ms');
  settle(store);
  expect(valuesOf(store, '7')).toEqual([0, 1, 2, 3, 4]);
});

it('a seal under way goes on after a kill, and after a stop', () => {
  const store = openTestStore(STEPWISE);
  store.lines(all(1, T), 'ms');
  for (let i = 2; i < 20; i++) store.lines(`m,h=7 v=${i} ${T + i}`, 'ms');
  const killed = temporaryFolder('metrics');
  cpSync(store.folder, killed, { recursive: true });
  store.close();
  for (const folder of [killed, store.folder]) {
    const again = open({ ...STEPWISE, folder });
    expect(valuesOf(again, '7')).toHaveLength(19);
    settle(again);
    expect(valuesOf(again, '7')).toHaveLength(19);
    expect(valuesOf(again, '599')).toEqual([1]);
    expect(again.writer.stats().points).toBe(COUNT + 18);
  }
});

it('a delete takes what was written before it from a seal under way', () => {
  const store = open(STEPWISE);
  store.lines(all(1, T), 'ms');
  store.lines(`m,h=7 v=2 ${T + 1}`, 'ms');
  store.writer.delete('metrics', { start: T, stop: T + 10, tags: { h: '7' } });
  store.lines(`m,h=7 v=3 ${T + 2}`, 'ms');
  expect(valuesOf(store, '7')).toEqual([3]);
  expect(valuesOf(store, '8')).toEqual([1]);
});
