import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeriesSource } from '../port.ts';
import { anyFilter, openTestStore } from '../store.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
type Aggregate = Parameters<SeriesSource['windows']>[4];

const value = fc.oneof(
  fc.integer({ min: -5000, max: 5000 }).map((n) => n / 100),
  fc.integer({ min: -50, max: 50 }),
  // As text, -0 is 0.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);
/** Rows of which each has some of the fields, one of them whole numbers up to 2^63, at most one a second. */
const rows = fc.uniqueArray(
  fc.record({
    at: fc.nat(7199),
    v: fc.option(value),
    w: fc.option(value),
    n: fc.option(
      fc.oneof(fc.integer({ min: -9, max: 9 }).map(BigInt), fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })),
    ),
  }),
  { selector: ({ at }) => at, maxLength: 60 },
);

const of: Record<Aggregate, (values: readonly number[]) => number> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((a, b) => a + b, 0),
  mean: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  first: (values) => values[0] as number,
  last: (values) => values.at(-1) as number,
};

it('windows of packed points are those of the points, whatever fields rows have and wherever the range begins', () => {
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(...(Object.keys(of) as Aggregate[])),
      fc.constantFrom(1000, 7000, MINUTE, 10 * MINUTE, 60 * MINUTE),
      fc.nat(7_200_000),
      fc.nat(7_200_000),
      (list, aggregate, every, start, length) => {
        const store = openTestStore();
        const lines = list.flatMap(({ at, ...fields }) => {
          const given = Object.entries(fields).filter(([, one]) => one !== null);
          return given.length === 0
            ? []
            : [
                `m ${given.map(([name, one]) => `${name}=${one}${name === 'n' ? 'i' : ''}`).join(',')} ${T + at * 1000}`,
              ];
        });
        if (lines.length > 0) store.lines(lines.join('\n'), 'ms');
        while (store.writer.tend(true));
        store.view.refresh();
        const [from, to] = [T + start, T + start + length];
        for (const field of ['v', 'w', 'n'] as const) {
          const found = [...store.source.windows({ ...anyFilter, field: [field] }, from, to, every, aggregate)].flatMap(
            ({ starts, values }) => Array.from(starts, (at, i) => [at, values[i] as number] as const),
          );
          const points = list
            .toSorted((a, b) => a.at - b.at)
            .flatMap(({ at, [field]: one }) => (one === null ? [] : [{ ms: T + at * 1000, value: Number(one) }]))
            .filter(({ ms }) => ms >= from && ms < to);
          const wanted = [...Map.groupBy(points, ({ ms }) => Math.floor(ms / every) * every)];
          expect(found.map(([at]) => at)).toEqual(wanted.map(([at]) => at));
          for (const [i, [, some]] of wanted.entries()) {
            const values = some.map((point) => point.value);
            const most = Math.max(1, ...values.map(Math.abs));
            const exact = of[aggregate](values);
            if (aggregate === 'sum' || aggregate === 'mean')
              expect(Math.abs((found[i]?.[1] ?? Number.NaN) / most - exact / most)).toBeLessThan(1e-9);
            else expect(found[i]?.[1]).toBe(exact);
          }
        }
        expect(store.damages).toEqual([]);
        store.close();
      },
    ),
    { numRuns: 60 },
  );
});
