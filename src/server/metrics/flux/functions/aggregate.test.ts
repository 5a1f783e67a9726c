import { describe, expect, it } from 'vitest';
import { csv, failure, rows, type TestSeries } from '../run.fixture.ts';
import { all, FROM, A, JOBS, values, time } from '../series.fixture.ts';

describe('aggregates and selectors', () => {
  it.each([
    ['sum()', '10'],
    ['mean()', '2.5'],
    ['count()', '4'],
    ['spread()', '3'],
    ['stddev()', '1.2909944487358056'],
    ['stddev(mode: "population")', '1.118033988749895'],
    ['median(method: "exact_mean")', '2.5'],
    ['median()', '2.5'],
    ['quantile(q: 0.5, method: "exact_selector")', '2'],
    ['quantile(q: 0.99, method: "exact_mean")', '3.9699999999999998'],
    ['min()', '1'],
    ['max()', '4'],
    ['first()', '1'],
    ['last()', '3'],
    [
      'reduce(identity: {total: 0.0}, fn: (r, accumulator) => ({total: accumulator.total + r._value})) |> rename(columns: {total: "_value"})',
      '10',
    ],
  ])('%s', (call, expected) => {
    const [value] = values(`${A} |> ${call}`);
    expect(Number(value)).toBeCloseTo(Number(expected), 10);
  });

  it('drop the time, or keep the row', () => {
    expect(rows(`${A} |> mean()`, all)[0]).not.toHaveProperty('_time');
    expect(rows(`${A} |> max()`, all)[0]).toMatchObject({ _time: time(120), _value: '4', host: 'a' });
  });

  it('of ints: a mean is a float, a sum an int', () => {
    const typed = (call: string) =>
      csv(`${JOBS} |> ${call}`, all, { annotations: ['datatype'] })
        .split('\r\n')[0]
        ?.split(',')
        .at(-1);
    expect([typed('mean()'), typed('sum()'), typed('count()'), typed('max() |> keep(columns: ["_value"])')]).toEqual([
      'double',
      'long',
      'long',
      'long',
    ]);
    expect(values(`${JOBS} |> mean()`)).toEqual(['3.5']);
    expect(failure(`${FROM} |> filter(fn: (r) => r._field == "state") |> sum()`, all)).toContain(
      'unsupported aggregate column type string',
    );
  });

  it('do not mix int and float', () => {
    expect(failure(`${JOBS} |> map(fn: (r) => ({r with _value: r._value + 0.5}))`, all)).toContain('int + float');
    expect(values(`${JOBS} |> map(fn: (r) => ({r with _value: r._value / 2}))`)).toEqual(['2', '1']);
    expect(values(`${JOBS} |> filter(fn: (r) => r["_value"] >= 2.5)`)).toEqual(['5']);
  });
});

describe('aggregateWindow', () => {
  const windows = (call: string, program = A) =>
    rows(`${program} |> aggregateWindow(${call})`, all).map((row) => [row['_time'], row['_value']]);
  const END = '2025-01-01T12:00:00Z';

  it('gives empty windows a null, a count a 0, at the stop of each', () => {
    expect(windows('every: 4m, fn: mean')).toEqual([
      ['2025-01-01T11:52:00Z', '1.5'],
      ['2025-01-01T11:56:00Z', '4'],
      [END, '3'],
    ]);
    expect(windows('every: 3m20s, fn: sum')).toHaveLength(3);
    expect(windows('every: 200s, fn: mean')).toEqual(windows('every: 3m20s, fn: mean'));
    for (const [fn, empty] of [
      ['mean', ''],
      ['sum', ''],
      ['min', ''],
      ['max', ''],
      ['first', ''],
      ['last', ''],
      ['count', '0'],
      ['median', ''],
    ]) {
      expect(windows(`every: 2m, fn: ${fn}`).map(([, value]) => value)[2]).toBe(empty);
    }
  });

  it('leaves them out where it is told to', () => {
    expect(windows('every: 2m, fn: mean, createEmpty: false').map(([, value]) => value)).toEqual(['1.5', '4', '3']);
    expect(windows('every: 2m, fn: max, createEmpty: false').map(([, value]) => value)).toEqual(['2', '4', '3']);
  });

  it('aligns windows to the epoch and cuts the first and the last to the range', () => {
    const program =
      'from(bucket: "metrics") |> range(start: 2025-01-01T11:50:30Z, stop: 2025-01-01T11:52:30Z) |> filter(fn: (r) => r.host == "a")';
    expect(windows('every: 1m, fn: count', program)).toEqual([
      ['2025-01-01T11:51:00Z', '0'],
      ['2025-01-01T11:52:00Z', '1'],
      ['2025-01-01T11:52:30Z', '1'],
    ]);
    expect(windows('every: 1m, fn: count, timeSrc: "_start"', program).map(([start]) => start)).toEqual([
      '2025-01-01T11:50:30Z',
      '2025-01-01T11:51:00Z',
      '2025-01-01T11:52:00Z',
    ]);
    expect(windows('every: 1m, offset: 30s, fn: count', program).map(([stop]) => stop)).toEqual([
      '2025-01-01T11:51:30Z',
      '2025-01-01T11:52:30Z',
    ]);
  });

  it('takes a function of the program, and a period of its own', () => {
    expect(
      windows('every: 5m, fn: (tables=<-, column) => tables |> quantile(q: 0.5, column: column, method: "exact_mean")'),
    ).toEqual([
      ['2025-01-01T11:55:00Z', '2'],
      [END, '3'],
    ]);
    expect(windows('every: 2m, period: 4m, fn: sum, createEmpty: false').length).toBeGreaterThan(3);
    expect(
      values(`${A} |> window(every: 5m) |> mean() |> duplicate(column: "_stop", as: "_time") |> window(every: inf)`),
    ).toEqual(values(`${A} |> aggregateWindow(every: 5m, fn: mean)`));
  });

  it('knows months', () => {
    const monthly: TestSeries = {
      measurement: 'm',
      field: 'f',
      points: [
        [Date.UTC(2024, 10, 30), 1],
        [Date.UTC(2024, 11, 1), 2],
        [Date.UTC(2024, 11, 31, 23), 3],
      ],
    };
    expect(
      rows(
        'from(bucket: "metrics") |> range(start: 2024-11-15T00:00:00Z, stop: 2025-01-01T00:00:00Z) |> aggregateWindow(every: 1mo, fn: sum)',
        [monthly],
      ).map((row) => [row['_time'], row['_value']]),
    ).toEqual([
      ['2024-12-01T00:00:00Z', '1'],
      ['2025-01-01T00:00:00Z', '5'],
    ]);
  });

  it('keeps the group key, and the range as _start and _stop', () => {
    expect(rows(`${A} |> aggregateWindow(every: 5m, fn: mean)`, all)[0]).toMatchObject({
      _start: '2025-01-01T11:50:00Z',
      _stop: END,
      host: 'a',
      _measurement: 'cpu',
      _field: 'usage',
    });
  });
});

describe('series', () => {
  it('difference and derivative drop the first row; what must not fall becomes null', () => {
    expect(values(`${A} |> difference()`)).toEqual(['1', '2', '-1']);
    expect(values(`${A} |> difference(nonNegative: true)`)).toEqual(['1', '2', '']);
    expect(values(`${A} |> derivative(unit: 1m)`).map(Number)).toEqual([1, 2, expect.closeTo(-0.2142857, 6)]);
    expect(values(`${A} |> derivative()`).map(Number)[0]).toBeCloseTo(1 / 60);
    expect(values(`${A} |> derivative(unit: 1m, nonNegative: true)`)[2]).toBe('');
  });

  it('cumulativeSum, movingAverage, elapsed, timeShift, fill', () => {
    expect(values(`${A} |> cumulativeSum()`)).toEqual(['1', '3', '7', '10']);
    expect(values(`${A} |> movingAverage(n: 2)`)).toEqual(['1.5', '3', '3.5']);
    expect(values(`${A} |> elapsed(unit: 1s)`, all, 'elapsed')).toEqual(['60', '60', '280']);
    expect(values(`${A} |> timeShift(duration: 1h)`, all, '_time')[0]).toBe('2025-01-01T12:50:00Z');
    expect(values(`${A} |> aggregateWindow(every: 2m, fn: mean) |> fill(value: 0.0)`)).toEqual([
      '1.5',
      '4',
      '0',
      '3',
      '0',
    ]);
    expect(values(`${A} |> aggregateWindow(every: 2m, fn: mean) |> fill(usePrevious: true)`)).toEqual([
      '1.5',
      '4',
      '4',
      '3',
      '3',
    ]);
    expect(values(`${A} |> increase()`)).toEqual(['', '1', '3', '6']);
  });
});
