import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricDamage, SeriesFilter, SeriesSource } from './port.ts';
import { createSource } from './read/source.ts';
import { openView, type View } from './read/view.ts';
import { openWriter } from './write/writer.ts';
import type { MetricWriter, WriterOptions } from './write/port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { afterEach } from 'vitest';

/** The store without its threads, for tests. */
export interface TestStore {
  readonly folder: string;
  readonly writer: MetricWriter;
  readonly view: View;
  readonly source: SeriesSource;
  readonly damaged: string[];
  readonly damages: MetricDamage[];
  /** Line protocol, times in nanoseconds unless said otherwise. */
  lines(text: string, precision?: 'ns' | 'ms' | 's'): ReturnType<MetricWriter['write']>;
  close(): void;
}

export const anyFilter: SeriesFilter = { bucket: 'metrics', measurement: null, field: null, tags: {}, where: [] };
export const noGuard = { check() {}, charge() {} };

export function openTestStore(given: Partial<WriterOptions> = {}): TestStore {
  const folder = given.folder ?? temporaryFolder('metrics');
  const writer = openWriter({
    mostSeries: 1000,
    mostFields: 1000,
    mostBytes: 2 ** 40,
    rawDays: 0,
    rollDays: 0,
    headPages: 1_000_000,
    sealBytes: 2 ** 30,
    quietMs: 0,
    now: Date.now,
    ...given,
    folder,
  });
  const damaged: string[] = [];
  const damages: MetricDamage[] = [];
  const view = openView(folder, (damage) => {
    damages.push(damage);
    damaged.push(`${damage.file}: ${damage.what}`);
  });
  return {
    folder,
    writer,
    view,
    damaged,
    damages,
    source: createSource(view, noGuard),
    lines: (text, precision = 'ns') => writer.write('metrics', new TextEncoder().encode(text), precision),
    close() {
      view.close();
      writer.close();
    },
  };
}

/** Opens stores that are closed behind each test. */
export function useTestStores(): (options?: Partial<WriterOptions>) => TestStore {
  const stores: TestStore[] = [];
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
  });
  return (options) => {
    const store = openTestStore(options);
    stores.push(store);
    return store;
  };
}

/** Seals and compacts all that there is. */
export const settle = (store: TestStore): void => {
  while (store.writer.tend(true));
};

/** Overwrites a partition of the first bucket from a byte on, under the store that has it open; gives its name. */
export function smashPartition({ folder }: Pick<TestStore, 'folder'>, index: number, from: number): string {
  const names = readdirSync(join(folder, 'bucket-1')).filter((name) => name.endsWith('.db'));
  const name = names.toSorted()[index] ?? '';
  const file = join(folder, 'bucket-1', name);
  const size = statSync(file).size;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size - from, 7), 0, size - from, from);
  closeSync(descriptor);
  return name;
}
