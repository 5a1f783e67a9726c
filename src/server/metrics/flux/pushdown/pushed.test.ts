import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestStore } from '../../store/store.fixture.ts';
import { BUCKET, csv, envOf, memorySource, NOW, rows, type TestSeries } from '../run.fixture.ts';

/** Keeps the store from being asked for more than points. */
const PLAIN = '|> map(fn: (r) => r)';
const FROM = NOW - 3_600_000;

const seriesOf = fc.uniqueArray(
  fc.record({
    measurement: fc.constantFrom('m', 'n'),
    field: fc.constantFrom('f', 'g'),
    tags: fc.record(
      { host: fc.constantFrom('a', 'b'), rack: fc.constantFrom('x', 'y') },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>,
    // Quarters add up without rounding, in whatever order.
    points: fc
      .uniqueArray(
        fc.tuple(
          fc.integer({ min: FROM, max: NOW + 1000 }),
          fc.integer({ min: -400, max: 400 }).map((n) => n / 4),
        ),
        { selector: ([ms]) => ms, minLength: 1, maxLength: 30 },
      )
      .map((points) => points.toSorted(([a], [b]) => a - b)),
  }),
  { selector: (one) => JSON.stringify([one.measurement, one.field, one.tags['host'], one.tags['rack']]), maxLength: 8 },
) as fc.Arbitrary<TestSeries[]>;

const predicate = fc.constantFrom(
  'r._measurement == "m"',
  '(r.host == "a" or r.host == "b")',
  'r.host =~ /[ab]/',
  'r.rack != "x"',
  'exists r.host',
  'not exists r.rack',
  'contains(value: r.host, set: ["a", "z"])',
  'r._field == "f"',
  'r.host == ""',
  'r._value > 0.0',
  '(r.host == "a" or r.rack == "y")',
  'r._value < 50.0 and r.host == "a"',
  '"a" == r.host',
);
const reducing = fc.constantFrom(
  'mean()',
  'sum()',
  'count()',
  'min()',
  'max()',
  'first()',
  'last()',
  'spread()',
  'median()',
  ...['mean', 'sum', 'count', 'min', 'max', 'first', 'last'].flatMap((fn) =>
    ['', ', createEmpty: false', ', timeSrc: "_start"'].map((more) => `aggregateWindow(every: 7m, fn: ${fn}${more})`),
  ),
  'aggregateWindow(every: 1m, fn: sum)',
  'aggregateWindow(every: 90s, fn: mean, offset: 10s)',
);
const range = fc.constantFrom(
  'start: -1h',
  'start: -50m, stop: -3m30s',
  'start: 2025-01-01T11:10:00.0000005Z, stop: 2025-01-01T11:59:59.999Z',
);

const ordered = (found: Record<string, string>[]) =>
  found.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

describe('what the store is asked for', () => {
  it('gives what reading points one by one gives', () => {
    fc.assert(
      fc.property(
        seriesOf,
        fc.array(predicate, { maxLength: 3 }),
        fc.constantFrom('', '|> group()', '|> group(columns: ["host"])', '|> group(columns: ["_field", "rack"])'),
        reducing,
        range,
        (series, predicates, group, call, span) => {
          const filters = predicates.map((one) => `|> filter(fn: (r) => ${one})`).join(' ');
          // Which of several rows of one time comes first is not said: they are put in order where it matters.
          const tidy =
            group === '' || /sum|mean|count/.test(call)
              ? ''
              : '|> sort(columns: ["_time", "_value", "_measurement", "_field", "host", "rack"])';
          const from = `from(bucket: "metrics") |> range(${span})`;
          expect(ordered(rows(`${from} ${filters} ${group} ${tidy} |> ${call}`, series))).toEqual(
            ordered(rows(`${from} ${PLAIN} ${filters} ${group} ${tidy} |> ${call}`, series)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('gives the windows of groups that the windows of their series add up to', () => {
    fc.assert(
      fc.property(
        seriesOf,
        fc.array(predicate, { maxLength: 2 }),
        fc.constantFrom('columns: ["_field"]', 'columns: ["host", "_measurement"]', 'columns: []'),
        fc.constantFrom('sum', 'count'),
        fc.constantFrom('7m', '1m', '90s'),
        range,
        (series, predicates, group, fn, every, span) => {
          const filters = predicates.map((one) => `|> filter(fn: (r) => ${one})`).join(' ');
          const windows = (name: string) =>
            `|> aggregateWindow(every: ${every}, fn: ${name}, createEmpty: false, timeSrc: "_start")`;
          const program = (plain: string) =>
            `from(bucket: "metrics") |> range(${span}) ${plain} ${filters} ${windows(fn)} |> toFloat() |> group(${group}) ${windows('sum')} |> keep(columns: ["_field", "host", "_measurement", "_time", "_value"])`;
          expect(ordered(rows(program(''), series))).toEqual(ordered(rows(program(PLAIN), series)));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('gives the quantiles of groups that all of their rows give', () => {
    fc.assert(
      fc.property(
        seriesOf,
        fc.array(predicate, { maxLength: 2 }),
        fc.constantFrom('columns: ["_field"]', 'columns: ["host", "_measurement"]', 'columns: []'),
        fc.constantFrom(0, 0.25, 0.5, 0.95, 1),
        fc.constantFrom('', 'every: 7m', 'every: 90s', 'every: 7m, timeSrc: "_start"'),
        range,
        (series, predicates, group, q, every, span) => {
          const filters = predicates.map((one) => `|> filter(fn: (r) => ${one})`).join(' ');
          const quantile = `quantile(q: ${q.toFixed(2)}, method: "exact_selector"`;
          const call =
            every === ''
              ? `${quantile})`
              : `aggregateWindow(${every}, fn: (column, tables=<-) => tables |> ${quantile}, column: column), createEmpty: false)`;
          const program = (plain: string) =>
            `from(bucket: "metrics") |> range(${span}) ${plain} ${filters} |> toFloat() |> group(${group}) |> ${call}`;
          expect(ordered(rows(program(''), series))).toEqual(ordered(rows(program(PLAIN), series)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may name a column as a property is named', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(
        rows(`from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r.${name} == "x")`, [
          { measurement: 'm', field: 'f', points: [[NOW - 1000, 1]] },
        ]),
      ).toEqual([]);
  });

  it('is as little as can be', () => {
    const asked = (
      program: string,
      series: TestSeries[] = [{ measurement: 'm', field: 'f', points: [[NOW - 1000, 1]] }],
    ) => {
      const calls: string[] = [];
      csv(`from(bucket: "metrics") |> range(start: -1h) |> ${program}`, series, {}, envOf(memorySource(series, calls)));
      return calls;
    };
    expect(asked('filter(fn: (r) => r._measurement == "m") |> mean()')).toEqual(['windows mean']);
    expect(asked('filter(fn: (r) => r.host =~ /a/ or r._field == "f") |> aggregateWindow(every: 5m, fn: max)')).toEqual(
      ['windows max'],
    );
    expect(asked('last()')).toEqual(['last']);
    expect(asked('keys()')).toEqual(['keys']);
    expect(asked('filter(fn: (r) => r._measurement == "none" and r._measurement == "m")')).toEqual([]);
    expect(asked('filter(fn: (r) => r._value > 1.0) |> mean()')).toEqual(['read']);
    expect(asked('mean()', [{ measurement: 'm', field: 's', type: 'int', points: [[NOW - 1, 1]] }])).toEqual([
      'windows mean',
    ]);
    expect(asked('group(columns: ["host"]) |> aggregateWindow(every: 5m, fn: mean)')).toEqual(['groups sum count']);
    const start = 'createEmpty: false, timeSrc: "_start"';
    const again = `toFloat() |> group(columns: ["_field"]) |> aggregateWindow(every: 5m, fn: sum, ${start})`;
    expect(asked(`aggregateWindow(every: 5m, fn: sum, ${start}) |> ${again}`)).toEqual(['groups sum']);
    expect(asked(`aggregateWindow(every: 5m, fn: count, ${start}) |> ${again}`)).toEqual(['groups count']);
    expect(asked('group() |> sum()')).toEqual(['groups sum']);
    // Of quantiles there is no telling but by all points.
    expect(asked('toFloat() |> group() |> quantile(q: 0.95, method: "exact_selector")')).toEqual(['read']);
    // Ints beyond 2^53 add up exactly here alone.
    expect(asked('sum()', [{ measurement: 'm', field: 's', type: 'int', points: [[NOW - 1, 1]] }])).toEqual(['read']);
  });
});

describe('over the store itself', () => {
  const store = openTestStore();
  afterAll(() => store.close());
  const env = () => {
    store.view.refresh();
    return { ...envOf(store.source), buckets: [BUCKET] };
  };

  it('pushed down and plain agree, before and after points are packed', () => {
    const lines = Array.from(
      { length: 3000 },
      (_, i) =>
        `m,host=h${i % 3}${i % 5 === 0 ? `,job_id=j${i % 7}` : ''} f=${(i % 41) / 4},n=${i}i,s="t${i}",b=${i % 2 === 0} ${FROM + i * 1200}`,
    );
    store.lines(lines.join('\n'), 'ms');
    for (const stage of [
      () => {},
      () => store.writer.seal(),
      () => {
        while (store.writer.tend(true));
      },
    ]) {
      stage();
      for (const field of ['f', 'n']) {
        for (const call of [
          'mean()',
          'count()',
          'sum()',
          'max()',
          'last()',
          'aggregateWindow(every: 5m, fn: mean)',
          'aggregateWindow(every: 5m, fn: count)',
          'aggregateWindow(every: 1m, fn: last, createEmpty: false)',
          'aggregateWindow(every: 90s, fn: max)',
        ]) {
          const program = (plain: string) =>
            `from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r._field == "${field}" and r.host != "h2") ${plain} |> ${call}`;
          expect(ordered(rows(program(''), [], env())), call).toEqual(ordered(rows(program(PLAIN), [], env())));
        }
      }
      expect(
        rows(
          'from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r.job_id == "j1" and r._field == "s") |> count() |> group() |> sum()',
          [],
          env(),
        )[0]?.['_value'],
      ).toBe('86');
    }
  });

  it('64-bit ints and nanoseconds come out as they went in', () => {
    store.lines(`big v=9223372036854775807i,u=18446744073709551615u 1735732799000000001`);
    expect(
      rows(
        'from(bucket: "metrics") |> range(start: 2025-01-01T11:59:59.000000001Z, stop: 2025-01-01T11:59:59.000000002Z) |> filter(fn: (r) => r._measurement == "big") |> keep(columns: ["_time", "_value", "_field"])',
        [],
        env(),
      ),
    ).toEqual([
      { _time: '2025-01-01T11:59:59.000000001Z', _value: '9223372036854775807', _field: 'v' },
      { _time: '2025-01-01T11:59:59.000000001Z', _value: '18446744073709551615', _field: 'u' },
    ]);
  });
});
