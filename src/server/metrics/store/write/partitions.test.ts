import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MetricDamage } from '../port.ts';
import { anyFilter, smashPartition, type TestStore, settle, useTestStores } from '../store.fixture.ts';
import type { WriterOptions } from './port.ts';

const T = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const open = useTestStores();
const lines = (hours: number, hosts: readonly number[]) =>
  hosts.map((host) => `m,h=${host} v=${host} ${T + hours * HOUR}`).join('\n');
const HOSTS = Array.from({ length: 200 }, (_, i) => i);
const allFilesOf = (store: TestStore) => readdirSync(join(store.folder, 'bucket-1'));
const filesOf = (store: TestStore) => allFilesOf(store).filter((name) => name.endsWith('.db'));
const asideOf = (store: TestStore) => allFilesOf(store).filter((name) => name.includes('.damaged-'));
const found = (store: TestStore, host: string) => {
  store.view.refresh();
  const series = store.source.read({ ...anyFilter, tags: { h: [host] } }, 0, 1e15);
  return [...series].flatMap(({ ms }) => [...ms].map((at) => (at - T) / HOUR));
};

/** Three partitions, the first of which is overwritten before it was compacted. */
function damaged(from: number, options: Partial<WriterOptions> = {}) {
  let now = T + DAY;
  const told: MetricDamage[] = [];
  const store = open({ now: () => now, report: (damage) => told.push(damage), ...options });
  store.lines([0, 3, 6].map((hours) => lines(hours, HOSTS)).join('\n'), 'ms');
  store.writer.seal();
  const name = smashPartition(store, 0, from);
  return { store, told, name, wait: (ms: number) => (now += ms) };
}

describe.each([
  ['that is no database any more', 0],
  ['all pages of which but the first are overwritten', 4096],
])('a partition %s', (_what, from) => {
  it('keeps the others from nothing, and is told once', () => {
    const { store, told, name } = damaged(from);
    settle(store);
    expect(found(store, '7')).toEqual([3, 6]);
    expect(store.writer.stats().bytes).toBeGreaterThan(0);
    store.writer.delete('metrics', { start: T, stop: T + 4 * HOUR, tags: { h: '7' } });
    settle(store);
    expect(found(store, '7')).toEqual([6]);
    expect(told).toEqual([
      expect.objectContaining({
        file: `bucket-1/${name}`,
        what: expect.stringContaining('neither compacted nor deleted') as string,
      }),
    ]);
  });

  it('goes for its age, as the others do', () => {
    const { store, wait } = damaged(from, { rawDays: 2, rollDays: 3 });
    settle(store);
    wait(2 * DAY);
    settle(store);
    expect(filesOf(store)).toHaveLength(3);
    wait(DAY);
    settle(store);
    expect(filesOf(store)).toEqual([]);
  });

  it('goes for room', () => {
    const { store, name } = damaged(from, { mostBytes: 1 });
    settle(store);
    expect(filesOf(store)).not.toContain(name);
  });

  it('keeps its series, which nobody can know', () => {
    const { store } = damaged(from, { mostSeries: 201 });
    settle(store);
    store.writer.delete('metrics', { start: T, stop: T + DAY, tags: {} });
    expect(store.writer.stats().series).toBe(200);
  });
});

describe('a file that was set aside', () => {
  /** The first of three partitions is renamed, for points come for it; a new file takes these. */
  function setAside(options: Partial<WriterOptions> = {}) {
    const made = damaged(0, options);
    made.store.lines(lines(1, HOSTS), 'ms');
    settle(made.store);
    expect(asideOf(made.store)).not.toEqual([]);
    return made;
  }

  it('counts as what the store takes on the disk', () => {
    const { store, wait } = setAside();
    const files = ['head.db', ...allFilesOf(store).map((name) => join('bucket-1', name))];
    const sizes = files.filter((name) => !name.endsWith('-shm')).map((name) => statSync(join(store.folder, name)).size);
    wait(HOUR);
    expect(store.writer.stats().bytes).toBeGreaterThanOrEqual(sizes.reduce((sum, size) => sum + size));
  });

  it('goes for its age, as the roll-ups of its time do, and not before', () => {
    const { store, wait } = setAside({ rawDays: 1, rollDays: 3 });
    wait(2 * DAY);
    settle(store);
    expect(asideOf(store)).not.toEqual([]);
    wait(DAY);
    settle(store);
    expect(allFilesOf(store)).toEqual([]);
  });

  it('goes for room before newer points', () => {
    const { store, wait } = setAside();
    wait(HOUR);
    const mostBytes = store.writer.stats().bytes - 1;
    store.writer.configure({ mostBytes, mostSeries: 1000, mostFields: 1000, rawDays: 0, rollDays: 0, headPages: 1e6 });
    settle(store);
    expect(asideOf(store)).toEqual([]);
    expect(found(store, '7')).toEqual([1, 3, 6]);
  });

  it('goes with its bucket, and so does one that the store does not list', () => {
    const { store } = setAside();
    const bucket = store.writer.createBucket('second', 0);
    store.writer.write('second', new TextEncoder().encode(`m v=1 ${T}`), 'ms');
    store.writer.seal();
    const folder = join(store.folder, 'bucket-2');
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.db'));
    copyFileSync(join(folder, name), join(folder, `${name}.damaged-1`));
    copyFileSync(join(folder, name), join(folder, 'm-0.db'));
    store.writer.deleteBucket(bucket.id);
    expect(readdirSync(folder)).toEqual([]);
    expect(asideOf(store)).not.toEqual([]);
  });

  it('is told to be gone though a new file of its partition is there, and so is one that somebody deletes', () => {
    const removed: string[] = [];
    const { store, wait, name, told } = setAside({ removed: (file) => removed.push(file) });
    const [first = ''] = asideOf(store);
    expect(told.at(-1)).toMatchObject({ file: `bucket-1/${first}` });
    // What was told of the file before is told of that name now.
    expect(removed).toEqual([`bucket-1/${name}`]);
    wait(HOUR);
    const limits = { mostSeries: 1000, mostFields: 1000, rawDays: 0, rollDays: 0, headPages: 1e6 };
    store.writer.configure({ ...limits, mostBytes: store.writer.stats().bytes - 1 });
    settle(store);
    expect(filesOf(store)).toContain(name);
    expect(removed.slice(1)).toEqual([`bucket-1/${first}`]);

    const second = `${name}.damaged-1`;
    copyFileSync(join(store.folder, 'bucket-1', name), join(store.folder, 'bucket-1', second));
    store.writer.configure({ ...limits, mostBytes: 1e12 });
    wait(HOUR);
    settle(store);
    rmSync(join(store.folder, 'bucket-1', second));
    wait(HOUR);
    settle(store);
    expect(removed.slice(2)).toEqual([`bucket-1/${second}`]);
  });

  it('that cannot be removed takes no room from points that can be read, and is told once', () => {
    const warned: string[] = [];
    const { store, wait } = setAside({ warn: (what) => warned.push(what) });
    // Nobody removes a folder as a file.
    const [stuck = ''] = asideOf(store);
    mkdirSync(join(store.folder, 'bucket-1', `${stuck}9`));
    wait(HOUR);
    const limits = { mostSeries: 1000, mostFields: 1000, rawDays: 0, rollDays: 0, headPages: 1e6 };
    const aside = statSync(join(store.folder, 'bucket-1', stuck)).size;
    store.writer.configure({ ...limits, mostBytes: store.writer.stats().bytes - aside - 1 });
    for (let n = 0; n < 3; n++) {
      settle(store);
      wait(HOUR);
    }
    expect(asideOf(store)).toEqual([`${stuck}9`]);
    expect(found(store, '7')).toEqual([1, 3, 6]);
    expect(warned).toEqual([expect.stringContaining(`${stuck}9`)]);
  });
});
