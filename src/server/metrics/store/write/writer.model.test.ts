import { cpSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { anyFilter, openTestStore, type TestStore } from '../store.fixture.ts';
import { temporaryFolder } from '../../../../lib/temporary-folder.fixture.ts';

/** The store beside a map that keeps every value by series, field and instant: they must always tell the same. */

const T = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
/** Few instants, over four partitions and their borders, so that points meet. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((n) => T + n * 17_000),
  fc.constantFrom(T - 1, T + 2 * HOUR - 1, T + 2 * HOUR, T + 3 * HOUR, T - 5 * HOUR),
);
const series = fc.constantFrom('a,h=1', 'a,h=2', 'a,h=1,job_id=j1,task_id=t1', 'a,h=1,job_id=j2', 'b');
const value = fc.oneof(
  fc
    .oneof(
      fc.integer({ min: -1000, max: 1000 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(-0, 0.1, 1e300, 5e-324),
    )
    .map((n) => ['f', Object.is(n, -0) ? '-0' : String(n), n] as const),
  fc
    .oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -5n, max: 5n }))
    .map((n) => ['i', `${n}i`, n] as const),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => ['u', `${n}u`, n] as const),
  fc.boolean().map((b) => ['b', String(b), b ? 1 : 0] as const),
  fc
    .string({ unit: codePoint })
    .map((s) => s.replaceAll('\r', ''))
    .map((s) => ['s', `"${s.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`, s] as const),
);
const points = fc.array(fc.record({ series, value, ms: time, ns: fc.constantFrom(0, 0, 0, 1, 999_999) }), {
  minLength: 1,
  maxLength: 12,
});
const step = fc.oneof(
  { weight: 6, arbitrary: points.map((list) => ({ write: list })) },
  { weight: 2, arbitrary: fc.constant({ seal: true }) },
  { weight: 1, arbitrary: fc.constant({ compact: true }) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        start: time,
        stop: time,
        tags: fc.constantFrom<Record<string, string>>(
          {},
          { h: '1' },
          { _measurement: 'b' },
          { job_id: 'j1' },
          { _field: 'f' },
        ),
      })
      .map((gone) => ({ gone })),
  },
  { weight: 1, arbitrary: fc.constant({ kill: true }) },
);

/** Series and field, then instant → value. */
type Model = Map<string, Map<string, number | bigint | string>>;

const keyOf = (tags: Readonly<Record<string, string>>, measurement: string, field: string) =>
  `${[
    measurement,
    ...Object.entries(tags)
      .map(([key, one]) => `${key}=${one}`)
      .sort(),
  ].join(',')} ${field}`;
const stampOf = (ms: number, ns: number) => `${String(ms).padStart(15, '0')}.${String(ns).padStart(6, '0')}`;

function told(store: TestStore, from = 0, to = 1e15): Record<string, Record<string, unknown>> {
  store.view.refresh();
  const found: Record<string, Record<string, unknown>> = {};
  for (const { measurement, field, tags, ms, ns, values } of store.source.read(anyFilter, from, to)) {
    const list: Record<string, unknown> = (found[keyOf(tags, measurement, field)] = {});
    for (const [i, at] of ms.entries())
      list[stampOf(at, ns?.[i] ?? 0)] =
        typeof values[i] === 'number' && (field === 'i' || field === 'u') ? BigInt(values[i]) : values[i];
  }
  return found;
}

const asRecord = (model: Model) =>
  Object.fromEntries(
    [...model]
      .filter(([, list]) => list.size > 0)
      .map(([key, list]) => [key, Object.fromEntries([...list].sort(([a], [b]) => (a < b ? -1 : 1)))]),
  );

function remove(model: Model, start: number, stop: number, tags: Record<string, string>): void {
  for (const [key, list] of model) {
    const [head, field] = key.split(' ') as [string, string];
    const [measurement, ...pairs] = head.split(',');
    if (
      !Object.entries(tags).every(([tag, one]) =>
        tag === '_measurement'
          ? one === measurement
          : tag === '_field'
            ? one === field
            : pairs.includes(`${tag}=${one}`),
      )
    )
      continue;
    for (const stamp of list.keys())
      if (Number(stamp.slice(0, 15)) >= start && Number(stamp.slice(0, 15)) <= stop) list.delete(stamp);
  }
}

it('tells what a plain map would, through late and double points, deletes, seals, compactions and kills', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      let store = openTestStore();
      const model: Model = new Map();
      for (const one of steps) {
        if ('write' in one) {
          store.lines(
            one.write
              .map(
                (point) =>
                  `${point.series} ${point.value[0]}=${point.value[1]} ${BigInt(point.ms) * 1_000_000n + BigInt(point.ns)}`,
              )
              .join('\n'),
          );
          for (const {
            series: head,
            value: [field, , exact],
            ms,
            ns,
          } of one.write) {
            const [measurement, ...pairs] = head.split(',');
            const key = keyOf(Object.fromEntries(pairs.map((pair) => pair.split('='))), measurement as string, field);
            (model.get(key) ?? (model.set(key, new Map()).get(key) as Map<string, unknown>)).set(
              stampOf(ms, ns),
              exact,
            );
          }
        } else if ('seal' in one) store.writer.seal();
        else if ('compact' in one) while (store.writer.tend(true));
        else if ('gone' in one) {
          store.writer.delete('metrics', { start: one.gone.start, stop: one.gone.stop, tags: one.gone.tags });
          remove(model, one.gone.start, one.gone.stop, one.gone.tags);
        } else {
          // What a SIGKILL leaves: the files as they are, write-ahead logs and all.
          const folder = temporaryFolder('metrics');
          cpSync(store.folder, folder, { recursive: true });
          store.close();
          store = openTestStore({ folder });
        }
        expect(told(store)).toEqual(asRecord(model));
      }
      const sums = [...store.source.windows({ ...anyFilter, field: ['b'] }, T, T + 2 * HOUR, 60_000, 'sum')]
        .flatMap(({ measurement, field, tags, starts, values }) =>
          [...starts].map((start, i) => `${keyOf(tags, measurement, field)} ${start} ${values[i]}`),
        )
        .sort();
      const expected = new Map<string, number>();
      for (const [key, list] of model)
        for (const [stamp, one] of list) {
          const ms = Number(stamp.slice(0, 15));
          const window = `${key} ${Math.floor(ms / 60_000) * 60_000}`;
          if (key.endsWith(' b') && ms >= T && ms < T + 2 * HOUR)
            expected.set(window, (expected.get(window) ?? 0) + Number(one));
        }
      expect(sums).toEqual([...expected].map(([window, sum]) => `${window} ${sum}`).sort());
      expect(store.damaged).toEqual([]);
      store.close();
    }),
    { numRuns: 30 },
  );
}, 120_000);
