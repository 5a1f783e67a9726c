import { expect, it } from 'vitest';
import { PART_MS } from '../files/partition.ts';
import { anyFilter, openTestStore, type TestStore, settle } from '../store.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const SERIES = 100;

/** The sums of each series, and of all of them. */
function sums(store: TestStore) {
  store.view.refresh();
  const [from, to] = [T, T + 2 * PART_MS];
  const each = Object.fromEntries(
    [...store.source.windows(anyFilter, from, to, PART_MS, 'sum')].map(({ tags, values }) => [
      `${tags['h']}${tags['job_id'] ?? ''}`,
      [...values],
    ]),
  );
  const [all] = store.source.groups(anyFilter, from, to, PART_MS, ['sum'], () => '');
  return { each, all: [...(all?.sums ?? [])] };
}
const write = (store: TestStore, at: number, value: number, ...hosts: number[]) =>
  store.lines(hosts.map((host) => `m,h=${host} v=${value} ${at}`).join('\n'), 'ms');

it('reads what was written since, of partitions whose roll-ups it knew', () => {
  const store = openTestStore();
  const hosts = Array.from({ length: SERIES }, (_, i) => i);
  write(store, T, 1, ...hosts);
  write(store, T + PART_MS, 2, ...hosts);
  settle(store);
  const before = sums(store);
  expect(before.all).toEqual([SERIES, 2 * SERIES]);
  expect(before.each['7']).toEqual([1, 2]);
  expect(sums(store)).toEqual(before);

  // Late points: their series are read from points until roll-ups are made anew.
  write(store, T + 1000, 10, 7);
  for (const stage of [() => {}, () => store.writer.seal(), () => settle(store)]) {
    stage();
    const after = sums(store);
    expect(after.all).toEqual([SERIES + 10, 2 * SERIES]);
    expect(after.each['7']).toEqual([11, 2]);
    expect(after.each['8']).toEqual([1, 2]);
  }

  // A point of a job: its series is no longer one.
  store.lines(`m,h=9,job_id=j v=5 ${T + 2000}`, 'ms');
  for (const stage of [() => {}, () => settle(store)]) {
    stage();
    const after = sums(store);
    expect(after.all).toEqual([SERIES + 15, 2 * SERIES]);
    expect(after.each['9']).toEqual([1, 2]);
    expect(after.each['9j']).toEqual([5]);
  }
  store.close();
});
