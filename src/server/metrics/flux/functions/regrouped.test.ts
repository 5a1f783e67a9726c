import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldType } from '../../store/port.ts';
import { openTestStore } from '../../store/store.fixture.ts';
import { BUCKET, csv, envOf, failure, memorySource, NOW, rows, type TestSeries } from '../run.fixture.ts';

/** Behind `group`: its rows are put together before the next step. */
const PLAIN = '|> limit(n: 1000000)';
const FROM = NOW - 3_600_000;

const typeOf: Readonly<Record<string, FieldType>> = { f: 'float', g: 'float', n: 'int' };
const seriesOf: fc.Arbitrary<TestSeries[]> = fc.uniqueArray(
  fc
    .record({
      measurement: fc.constantFrom('m', 'k'),
      field: fc.constantFrom('f', 'g', 'n'),
      host: fc.constantFrom('a', 'b', ''),
      rack: fc.constantFrom('x', 'y', ''),
      points: fc.uniqueArray(fc.tuple(fc.integer({ min: FROM, max: NOW }), fc.integer({ min: -400, max: 400 })), {
        selector: ([ms]) => ms,
        minLength: 1,
        maxLength: 25,
      }),
    })
    .map(({ host, rack, points, field, ...series }) => ({
      ...series,
      field,
      type: typeOf[field] ?? 'float',
      tags: { ...(host && { host }), ...(rack && { rack }) },
      // Sevenths: sums depend on the order of what is added.
      points: points
        .toSorted(([a], [b]) => a - b)
        .map(([ms, value]) => [ms, field === 'n' ? value : value / 7] as const),
    })),
  { selector: ({ measurement, field, tags }) => JSON.stringify([measurement, field, tags]), maxLength: 10 },
);
const fields = fc.constantFrom('f', 'g', 'n', null);
const windows = fc.constantFrom('7m', '1m', '90s');
const more = fc.constantFrom(
  '',
  ', createEmpty: false',
  ', timeSrc: "_start"',
  ', createEmpty: false, timeSrc: "_start"',
);
const reducing = fc.constantFrom('sum', 'mean', 'count');
const range = fc.constantFrom('start: -1h', 'start: -50m, stop: -3m30s');
const columns = fc.subarray(['host', 'rack', '_field', '_measurement', '_start', '_time']);

/** Its rows in their order, or why it fails: types that meet in a group are an error. */
function outcome(program: string, series: TestSeries[]): unknown {
  try {
    return rows(program, series);
  } catch (error) {
    return (error as Error).message;
  }
}

it('gives of groups of windows what their rows put together give, to the letter', () => {
  fc.assert(
    fc.property(
      seriesOf,
      fields,
      fc.tuple(windows, fc.constantFrom('mean', 'sum', 'count', 'max', 'last'), more),
      columns,
      fc.oneof(
        reducing.map((fn) => `${fn}()`),
        fc.tuple(fc.constantFrom(null, '7m', '1m'), reducing, more),
      ),
      range,
      (series, field, [every, first, firstMore], group, then, span) => {
        const next =
          typeof then === 'string' ? then : `aggregateWindow(every: ${then[0] ?? every}, fn: ${then[1]}${then[2]})`;
        const program = (plain: string) =>
          `from(bucket: "metrics") |> range(${span}) ${field ? `|> filter(fn: (r) => r._field == "${field}")` : ''}
           |> aggregateWindow(every: ${every}, fn: ${first}${firstMore}) |> group(columns: ${JSON.stringify(group)}) ${plain} |> ${next}`;
        expect(outcome(program(''), series)).toEqual(outcome(program(PLAIN), series));
      },
    ),
    { numRuns: 150 },
  );
});

it('gives of groups of points what their rows put together give', () => {
  fc.assert(
    fc.property(seriesOf, fields, columns, reducing, range, (series, field, group, fn, span) => {
      // Not asked of the store: all of it is read.
      const program = (plain: string) =>
        `from(bucket: "metrics") |> range(${span}) |> filter(fn: (r) => r._value != 0 ${field ? `and r._field == "${field}"` : ''})
         |> group(columns: ${JSON.stringify(group)}) ${plain} |> ${fn}()`;
      expect(outcome(program(''), series)).toEqual(outcome(program(PLAIN), series));
    }),
    { numRuns: 100 },
  );
});

it('tells of what is no number, and of whole numbers beyond those of a double, as before', () => {
  const points = [
    [NOW - 2000, 9_007_199_254_740_991],
    [NOW - 1000, 9_007_199_254_740_991],
  ] as const;
  const read = 'from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => exists r._value) |> group()';
  expect(rows(`${read} |> sum()`, [{ measurement: 'm', field: 'n', type: 'int', points }])).toEqual([
    expect.objectContaining({ _value: '18014398509481982' }),
  ]);
  expect(
    failure(`${read} |> sum()`, [{ measurement: 'm', field: 's', type: 'string', points: [[NOW - 1, 'x']] }]),
  ).toContain('unsupported aggregate column type string');
});

it('asks the store for windows of groups that have one time, where they lie within partitions', () => {
  const asked = (every: string, fn: string, group: string): string[] => {
    const calls: string[] = [];
    const series: TestSeries[] = [{ measurement: 'm', field: 'f', points: [[NOW - 1000, 1]] }];
    const windows = `aggregateWindow(every: ${every}, fn: ${fn}, createEmpty: false)`;
    csv(
      `from(bucket: "metrics") |> range(start: -1h) |> ${windows} |> group(columns: ${group}) |> mean()`,
      series,
      {},
      envOf(memorySource(series, calls)),
    );
    return calls;
  };
  expect(asked('1m', 'mean', '["host", "_time"]')).toEqual(['groupsOfWindows mean']);
  expect(asked('1m', 'count', '["host", "_time"]')).toEqual(['windows count']);
  expect(asked('1m', 'mean', '["host", "_start", "_time"]')).toEqual(['windows mean']);
  expect(asked('7m', 'mean', '["host", "_time"]')).toEqual(['groupsOfWindows mean', 'windows mean']);
});

/** Over four partitions; the last one is cut by the end of the ranges. */
const LONG_AGO = NOW - 6 * 3_600_000;
const written = fc.array(
  fc.oneof(
    fc.constant('seal'),
    fc.constant('settle'),
    fc.array(
      fc.record({
        host: fc.constantFrom('a', 'b', 'c'),
        rack: fc.constantFrom('x', 'y'),
        job: fc.constantFrom('', '', 'j1', 'j2'),
        field: fc.constantFrom('f', 'g'),
        ms: fc.integer({ min: LONG_AGO, max: NOW }),
        value: fc.integer({ min: -400, max: 400 }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  ),
  { minLength: 1, maxLength: 8 },
);

it('gives of windows of groups from the store what those of its series put together give, to the letter', () => {
  fc.assert(
    fc.property(
      written,
      fc.constantFrom('1m', '10m', '2h', '7m'),
      fc.constantFrom('mean', 'sum', 'max', 'first', 'last'),
      fc.constantFrom(', timeSrc: "_start"', ''),
      fc.subarray(['host', 'job_id', '_field']),
      reducing,
      fc.constantFrom('start: -6h', 'start: -5h50m30s, stop: -3m30s'),
      fc.constantFrom('', '|> filter(fn: (r) => r.rack == "x")', '|> filter(fn: (r) => r.job_id =~ /1/)'),
      (steps, every, first, timeSrc, group, then, span, filter) => {
        const store = openTestStore();
        try {
          for (const step of steps) {
            if (step === 'seal') store.writer.seal();
            else if (step === 'settle') while (store.writer.tend(true));
            else
              store.lines(
                step
                  .map(
                    ({ host, rack, job, field, ms, value }) =>
                      `m,host=${host},rack=${rack}${job && `,job_id=${job}`} ${field}=${value / 7} ${ms}`,
                  )
                  .join('\n'),
                'ms',
              );
          }
          store.view.refresh();
          const answer = (plain: string) =>
            rows(
              `from(bucket: "metrics") |> range(${span}) ${filter} |> aggregateWindow(every: ${every}, fn: ${first}, createEmpty: false${timeSrc})
               ${plain} |> group(columns: ${JSON.stringify([...group, '_time'])}) |> ${then}()`,
              [],
              { ...envOf(store.source), buckets: [BUCKET] },
            );
          expect(answer('')).toEqual(answer(PLAIN));
        } finally {
          store.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});
