import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damagedFiles, type DamagedFiles } from '../../testing/damaged-files.fixture.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDamage } from './files/head-db.ts';
import { Fault } from '../../../lib/fault.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import type { MetricDamage } from './port.ts';
import { anyFilter, openTestStore, type TestStore } from './store.fixture.ts';
import { verifyStore } from './read/verify.ts';

const T = Date.UTC(2026, 0, 1, 12);
/** Series → time → value. */
const POINTS = new Map<string, Map<number, number>>();
const lines: string[] = [];
for (let i = 0; i < 600; i++)
  for (const host of ['a', 'b', 'c']) {
    const ms = T + i * 30_000;
    const value = (i * 7919) % 1000;
    lines.push(`m,host=${host} v=${value} ${ms}`);
    const key = `m.v ${host}`;
    POINTS.set(key, (POINTS.get(key) ?? new Map()).set(ms, value));
  }

/** Sealed and compacted points, sealed ones, and some that are not sealed; as a crash leaves it, or an orderly end. */
function filled(end: 'crash' | 'orderly'): string {
  const store = openTestStore();
  store.lines(lines.slice(0, 1000).join('\n'), 'ms');
  while (store.writer.tend(true));
  store.lines(lines.slice(1000, 1500).join('\n'), 'ms');
  store.writer.seal();
  for (let from = 1500; from < 1800; from += 60) store.lines(lines.slice(from, from + 60).join('\n'), 'ms');
  const folder = temporaryFolder('metrics');
  store.view.close();
  if (end === 'orderly') store.writer.close();
  cpSync(store.folder, folder, { recursive: true });
  if (end === 'crash') store.writer.close();
  for (const name of filesIn(folder)) if (name.endsWith('-shm')) rmSync(join(folder, name));
  return folder;
}
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

function readAll(store: TestStore): Map<string, Map<number, number>> {
  const found = new Map<string, Map<number, number>>();
  store.view.refresh();
  for (const { measurement, field, tags, ms, values } of store.source.read(anyFilter, 0, T * 2)) {
    const points = new Map(Array.from(ms, (at, i) => [at, Number(values[i])]));
    found.set(`${measurement}.${field} ${tags['host']}`, points);
  }
  return found;
}

/** Every value is one that was written, and what is missing is said; or the store says that it cannot be opened. */
function expectHonest(folder: string): void {
  const damages: MetricDamage[] = [];
  let store: TestStore;
  try {
    store = openTestStore({ folder, report: (damage) => damages.push(damage) });
  } catch (error) {
    expectRefusal(error);
    return;
  }
  try {
    const found = readAll(store);
    for (const [key, points] of found)
      for (const [ms, value] of points) {
        const written = POINTS.get(key)?.get(ms);
        // Asked of two hundred thousand points: what `expect` makes for each question would be most of the time.
        if (!Object.is(value, written)) expect([key, ms, value]).toEqual([key, ms, written]);
      }
    const said = [...damages, ...store.damages].filter(({ lost }) => lost !== 0);
    for (const [key, points] of POINTS)
      for (const ms of points.keys())
        if (
          found.get(key)?.get(ms) === undefined &&
          !said.some(({ from, to }) => (from === null || from <= ms) && (to === null || to > ms))
        )
          expect.fail(`nothing is said of the missing point ${key} at ${ms}: ${JSON.stringify(said)}`);
  } catch (error) {
    expectRefusal(error);
  } finally {
    store.close();
  }
}
/** A store or a query that fails gives nothing that is wrong. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof Fault) && !isDamage(error)) throw error;
}

it('says that the store is damaged where a name in the schema is', () => {
  const whole = filled('orderly');
  for (const name of ['kind INTEGER', 'measurement TEXT', 'tags TEXT', 'retention INTEGER', 'raw INTEGER']) {
    const folder = temporaryFolder('damaged');
    cpSync(whole, folder, { recursive: true });
    const head = readFileSync(join(folder, 'head.db'));
    const at = head.indexOf(name);
    expect(at).toBeGreaterThan(0);
    head[at] = (head[at] ?? 0) ^ 1;
    writeFileSync(join(folder, 'head.db'), head);
    expect(() => openTestStore({ folder }), name).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }) as Error);
  }
});

for (const end of ['orderly', 'crash'] as const)
  describe(`a store that ${end === 'crash' ? 'a crash' : 'an orderly end'} left`, () => {
    let files: DamagedFiles;
    beforeAll(() => void (files = damagedFiles(filled(end))));

    it('has all points and no damage', () => {
      const damages: MetricDamage[] = [];
      const store = openTestStore({ folder: files.copied(), report: (damage) => damages.push(damage) });
      expect(readAll(store)).toEqual(POINTS);
      for (const page of verifyStore(store.view)) void page;
      expect([...damages, ...store.damages]).toEqual([]);
      store.close();
    });

    it('gives the right points, or says what is missing, after any bit was flipped', () =>
      files.flipBits(25, expectHonest));
    it('does so where a file was cut', () => files.cutFiles(25, expectHonest));
    it('does so where two pages of a file changed places', () => files.swapPages(4096, 25, expectHonest));
  });
