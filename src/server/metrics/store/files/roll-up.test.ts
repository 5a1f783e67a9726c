import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compactPart } from '../write/compact.ts';
import { openPartition, PART_MS } from './partition.ts';
import { Pack, type PackRow } from './pack.ts';
import type { SeriesSource } from '../port.ts';
import { RollBlock, readRolls, type Stretches } from './read-rolls.ts';
import { encodeRolls, ROLL_PARTS, rollsOf, type Roll } from './roll-up.ts';
import { Rows } from './rows.ts';
import { anyFilter, openTestStore, type TestStore } from '../store.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const AGGREGATES = ['sum', 'min', 'max', 'mean', 'count', 'first', 'last'] as const;
type Aggregate = Parameters<SeriesSource['windows']>[4];

function of(aggregate: Aggregate, values: readonly number[]): number {
  const sum = values.reduce((a, b) => a + b, 0);
  return {
    sum,
    mean: sum / values.length,
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    first: values[0] as number,
    last: values.at(-1) as number,
  }[aggregate];
}
function settle(store: TestStore): void {
  while (store.writer.tend(true));
  store.view.refresh();
}
/** One point each `everyMs`, of whole numbers that go up and down. */
const points = (count: number, everyMs: number): [number, number][] =>
  Array.from({ length: count }, (_, i) => [T + i * everyMs, (i * 7919) % 1000]);
const write = (store: TestStore, host: string, list: readonly (readonly [number, number])[]) =>
  store.lines(list.map(([ms, value]) => `m,h=${host} v=${value} ${ms}`).join('\n'), 'ms');

it('answers windows of any length as the points do, however close they lie', () => {
  const store = openTestStore();
  const series = { thick: points(14_000, 500), thin: points(350, 20_000), rare: points(9, 700_000) };
  for (const [host, list] of Object.entries(series)) write(store, host, list);
  settle(store);
  fc.assert(
    fc.property(
      fc.constantFrom(...AGGREGATES),
      fc.constantFrom(1, 5, 10, 20, 60, 120),
      fc.integer({ min: 0, max: 119 * MINUTE }),
      fc.integer({ min: 0, max: 120 * MINUTE }),
      fc.boolean(),
      (aggregate, minutes, start, length, whole) => {
        const [from, to] = whole
          ? [T + Math.floor(start / (10 * MINUTE)) * 10 * MINUTE, T + PART_MS]
          : [T + start, T + start + length];
        const every = minutes * MINUTE;
        const found = Object.fromEntries(
          [...store.source.windows(anyFilter, from, to, every, aggregate)]
            .filter(({ starts }) => starts.length > 0)
            .map(({ tags, starts, values }) => [tags['h'] as string, [...starts].map((at, i) => [at, values[i]])]),
        );
        const wanted = Object.fromEntries(
          Object.entries(series).flatMap(([host, list]) => {
            const windows = Map.groupBy(
              list.filter(([ms]) => ms >= from && ms < to),
              ([ms]) => Math.floor(ms / every) * every,
            );
            return windows.size === 0
              ? []
              : [
                  [
                    host,
                    [...windows].map(([at, some]) => [
                      at,
                      of(
                        aggregate,
                        some.map(([, value]) => value),
                      ),
                    ]),
                  ],
                ];
          }),
        );
        expect(found).toEqual(wanted);
      },
    ),
    { numRuns: 150 },
  );
  store.close();
});

it('comes out of its block as it went in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(PART_MS - 1), value: fc.double({ noNaN: true, noDefaultInfinity: true }) }), {
        maxLength: 300,
      }),
      fc.nat(3),
      (list, cuts) => {
        const sorted = [...new Map(list.map(({ at, value }) => [at, value]))].sort(([a], [b]) => a - b);
        const pieces: Rows[] = [];
        for (let i = 0; i <= cuts; i++) {
          const rows = new Rows();
          for (const [at, value] of sorted.slice(
            Math.floor((i * sorted.length) / (cuts + 1)),
            Math.floor(((i + 1) * sorted.length) / (cuts + 1)),
          )) {
            const row = rows.add(T + at, 0, '');
            rows.column(1, 'float').numbers[row] = value;
          }
          pieces.push(rows);
        }
        const made = rollsOf(7, pieces, T);
        const read: Omit<Roll, 'isDense'>[] = [];
        readRolls(new RollBlock(encodeRolls(made)), new Set(ROLL_PARTS), {
          wants: () => true,
          take(roll) {
            expect(roll.coarse()).toBeNull();
            read.push({ series: roll.series, field: roll.field, ...copied(roll) });
          },
        });
        expect(read).toEqual(made.map(({ series, field, minutes, parts }) => ({ series, field, minutes, parts })));
        // However the points came in pieces.
        const whole = rollsOf(7, pieces.length > 1 ? [joined(pieces)] : pieces, T);
        const butSums = (rolls: typeof made) =>
          rolls.map(({ parts, ...rest }) => ({ ...rest, parts: { ...parts, sum: null } }));
        expect(butSums(made)).toEqual(butSums(whole));
      },
    ),
  );
});

/** Arrays that are used again, as long as they are filled. */
const copied = ({ count, minutes, parts }: Stretches) => ({
  minutes: minutes.slice(0, count),
  parts: Object.fromEntries(
    Object.entries(parts).flatMap(([part, values]) => (values ? [[part, values.slice(0, count)]] : [])),
  ),
});

function joined(pieces: readonly Rows[]): Rows {
  const all = new Rows();
  for (const rows of pieces)
    for (let i = 0; i < rows.count; i++)
      all.column(1, 'float').numbers[all.add(rows.ms[i] as number, 0, '')] = rows.columns.get(1)?.numbers[i] as number;
  return all;
}

it('makes chunks that follow each other of many, a part of them at a time', () => {
  const store = openTestStore();
  const list = points(200_000, 30);
  // Sealed in parts that overlap a little, with late points at the end.
  for (let i = 0; i < 200_000; i += 5000) {
    write(store, 'a', list.slice(Math.max(0, i - 50), i + 5000));
    store.writer.seal();
  }
  write(store, 'a', [[T + 15, 5000]]);
  settle(store);
  const db = openPartition(store.folder, 1, T, true);
  expect(db.prepare('SELECT * FROM chunk').all()).toEqual([]);
  const packs = db.prepare<[], PackRow>('SELECT id, n, crc, head, data FROM pack ORDER BY id').all();
  const chunks = packs.flatMap((row) => Pack.open(row)?.all() ?? []);
  expect(chunks.reduce((sum, { n }) => sum + n, 0)).toBe(200_001);
  expect(chunks.length).toBeLessThan(30);
  expect(chunks.every(({ t0 }, i) => i === 0 || t0 > (chunks[i - 1] as { t1: number }).t1)).toBe(true);
  expect(
    compactPart(
      db,
      { bucket: 1, start: T },
      () => 'float',
      false,
      () => {},
    ),
  ).toBe(false);
  db.close();
  const all = [...store.source.read(anyFilter, 0, 1e15)].flatMap(({ values }) => [...(values as Float64Array)]);
  expect(all).toEqual([...list.slice(0, 1), [0, 5000] as const, ...list.slice(1)].map(([, value]) => value));
  expect(
    [...store.source.windows(anyFilter, T, T + PART_MS, 60 * MINUTE, 'max')].map(({ values }) => [...values]),
  ).toEqual([[5000, 999]]);
  store.close();
});
