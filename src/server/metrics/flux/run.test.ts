import { describe, expect, it } from 'vitest';
import { csv, failure, NOW, rows, type TestSeries } from './run.fixture.ts';

const at = (seconds: number) => NOW - 600_000 + seconds * 1000;
const cpu: TestSeries = {
  measurement: 'cpu',
  field: 'usage',
  tags: { host: 'a' },
  points: [
    [at(0), 1],
    [at(60), 2],
    [at(120), 4],
    [at(400), 3],
  ],
};
const other: TestSeries = {
  measurement: 'cpu',
  field: 'usage',
  tags: { host: 'b', rack: 'r1' },
  points: [
    [at(30), 10],
    [at(590), 20],
  ],
};
const count: TestSeries = {
  measurement: 'jobs',
  field: 'n',
  type: 'int',
  points: [
    [at(0), 5],
    [at(60), 2],
  ],
};
const text: TestSeries = {
  measurement: 'jobs',
  field: 'state',
  type: 'string',
  points: [
    [at(0), 'ok'],
    [at(60), 'bad'],
  ],
};
const all = [cpu, other, count, text];
const FROM = 'from(bucket: "metrics") |> range(start: -10m)';
const CPU = `${FROM} |> filter(fn: (r) => r._measurement == "cpu")`;
const A = `${CPU} |> filter(fn: (r) => r.host == "a")`;
const JOBS = `${FROM} |> filter(fn: (r) => r._measurement == "jobs" and r._field == "n")`;

const values = (program: string, series = all, column = '_value') => rows(program, series).map((row) => row[column]);
const tables = (program: string, series = all) =>
  new Set(rows(program, series, undefined, true).map((row) => row['table'])).size;
const time = (seconds: number) => new Date(at(seconds)).toISOString().replace('.000Z', 'Z');

describe('tables', () => {
  it('are one for each measurement, tag set and field', () => {
    expect(tables(FROM)).toBe(4);
  });

  it('without rows are dropped by a filter, or kept', () => {
    expect(tables(`${CPU} |> filter(fn: (r) => r._value > 5.0)`)).toBe(1);
    expect(
      csv(`${CPU} |> filter(fn: (r) => r._value > 5.0, onEmpty: "keep") |> count()`, all).match(/^,_result,/gm),
    ).toHaveLength(2);
  });

  it('need a range', () => {
    expect(failure('from(bucket: "metrics")')).toContain(
      `cannot submit unbounded read to "metrics"; try bounding 'from' with a call to 'range'`,
    );
    expect(failure('from(bucket: "metrics") |> filter(fn: (r) => r._value > 1.0)')).toContain('unbounded read');
    expect(
      rows('from(bucket: "metrics") |> filter(fn: (r) => r._field == "usage") |> range(start: -1m)', all),
    ).toHaveLength(1);
  });

  it.each([
    ['start: 2025-01-01T11:50:00Z, stop: 2025-01-01T11:52:00Z', 2],
    ['start: -10m, stop: -8m', 2],
    ['start: 1735732200, stop: 1735732320', 2],
    ['start: 0', 4],
  ])('of the range %s: the start is in it, the stop is not', (range, expected) => {
    expect(rows(`from(bucket: "metrics") |> range(${range}) |> filter(fn: (r) => r.host == "a")`, all)).toHaveLength(
      expected,
    );
  });

  it('have the columns of a plain read in its order', () => {
    expect(csv(`${CPU} |> filter(fn: (r) => r.host == "b")`, all).split('\r\n')[0]).toBe(
      ',result,table,_start,_stop,_time,_value,_field,_measurement,host,rack',
    );
    expect(csv(`${A} |> mean()`, all).split('\r\n')[0]).toBe(
      ',result,table,_start,_stop,_field,_measurement,host,_value',
    );
  });
});

describe('columns that a table lacks', () => {
  it('are equal to nothing, which is no error', () => {
    expect(values(`${CPU} |> filter(fn: (r) => r.rack == "r1")`)).toEqual(['10', '20']);
    expect(values(`${CPU} |> filter(fn: (r) => r.rack != "r1")`)).toEqual([]);
    expect(values(`${CPU} |> filter(fn: (r) => not exists r.rack)`)).toHaveLength(4);
    expect(values(`${CPU} |> map(fn: (r) => ({r with _value: if exists r.rack then 1 else 0}))`)).toEqual([
      '0',
      '0',
      '0',
      '0',
      '1',
      '1',
    ]);
  });
});

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

describe('shape', () => {
  it('group() keeps _start and _stop as plain columns', () => {
    const [row] = rows(`${CPU} |> group() |> sort(columns: ["_time"]) |> limit(n: 1)`, all);
    expect(row).toMatchObject({ _start: '2025-01-01T11:50:00Z', host: 'a' });
    expect(csv(`${CPU} |> group()`, all, { annotations: ['group'] }).split('\r\n')[0]).not.toContain('true');
    expect(tables(`${CPU} |> group(columns: ["host"])`)).toBe(2);
    expect(
      tables(
        `${FROM} |> filter(fn: (r) => r._field != "state" and r._field != "n") |> group(columns: ["host", "rack"], mode: "except")`,
      ),
    ).toBe(6);
    expect(failure(`${FROM} |> group()`, all)).toContain('schema collision');
  });

  it('pivot keeps the columns of the key and fills gaps with null', () => {
    const two: TestSeries[] = [
      {
        measurement: 'm',
        field: 'x',
        tags: { t: '1' },
        points: [
          [at(0), 1],
          [at(60), 2],
        ],
      },
      {
        measurement: 'm',
        field: 'y',
        tags: { t: '1' },
        points: [
          [at(60), 5],
          [at(30), 4],
        ],
      },
    ];
    expect(
      rows(`${FROM} |> pivot(rowKey: ["_time"], columnKey: ["_field"], valueColumn: "_value")`, two).map((row) => [
        row['_time'],
        row['x'],
        row['y'],
        row['t'],
      ]),
    ).toEqual([
      [time(0), '1', '', '1'],
      [time(30), '', '4', '1'],
      [time(60), '2', '5', '1'],
    ]);
    expect(rows(`import "influxdata/influxdb/schema"\n${FROM} |> schema.fieldsAsCols()`, two)).toHaveLength(3);
  });

  it('keep, drop, rename, set, duplicate, keys, columns', () => {
    expect(Object.keys(rows(`${A} |> keep(columns: ["_time", "_value"])`, all)[0] ?? {})).toEqual(['_time', '_value']);
    expect(Object.keys(rows(`${A} |> drop(fn: (column) => column =~ /^_s/)`, all)[0] ?? {})).toEqual([
      '_time',
      '_value',
      '_field',
      '_measurement',
      'host',
    ]);
    expect(
      rows(
        `${A} |> rename(columns: {host: "server"}) |> set(key: "x", value: "y") |> duplicate(column: "_value", as: "copy")`,
        all,
      )[0],
    ).toMatchObject({ server: 'a', x: 'y', copy: '1' });
    expect(values(`${FROM} |> keys() |> keep(columns: ["_value"]) |> group() |> distinct()`)).toEqual([
      '_start',
      '_stop',
      '_field',
      '_measurement',
      'host',
      'rack',
    ]);
    expect(values(`${A} |> columns() |> limit(n: 2)`)).toEqual(['_start', '_stop']);
  });

  it('sort, limit, tail, top, bottom, distinct, unique', () => {
    expect(values(`${A} |> sort(desc: true)`)).toEqual(['4', '3', '2', '1']);
    expect(values(`${A} |> limit(n: 2, offset: 1)`)).toEqual(['2', '4']);
    expect(values(`${A} |> tail(n: 2, offset: 1)`)).toEqual(['2', '4']);
    expect(values(`${A} |> top(n: 2)`)).toEqual(['4', '3']);
    expect(values(`${A} |> bottom(n: 1)`)).toEqual(['1']);
    expect(values(`${CPU} |> group() |> distinct(column: "host")`)).toEqual(['a', 'b']);
    expect(rows(`${CPU} |> group() |> unique(column: "host")`, all)).toHaveLength(2);
  });

  it('map moves rows whose key changed, and drops what it does not name', () => {
    expect(tables(`${CPU} |> drop(columns: ["rack"]) |> map(fn: (r) => ({r with host: "same"}))`)).toBe(1);
    expect(
      Object.keys(rows(`${A} |> map(fn: (r) => ({_time: r._time, double: r._value * 2.0}))`, all)[0] ?? {}),
    ).toEqual(['_time', 'double']);
  });

  it('union and join put streams together', () => {
    expect(rows(`a = ${A}\nb = ${JOBS} |> toFloat()\nunion(tables: [a, b])`, all)).toHaveLength(6);
    expect(
      rows(
        `a = ${A} |> keep(columns: ["_time", "_value"])\nb = ${JOBS} |> keep(columns: ["_time", "_value"])\njoin(tables: {a: a, b: b}, on: ["_time"])`,
        all,
      ),
    ).toEqual([
      { _time: time(0), _value_a: '1', _value_b: '5' },
      { _time: time(60), _value_a: '2', _value_b: '2' },
    ]);
  });

  it('take values out of tables', () => {
    expect(
      values(
        `x = (${A} |> findColumn(fn: (key) => key.host == "a", column: "_value"))[1]\nr = ${A} |> findRecord(fn: (key) => true, idx: 2)\n${A} |> limit(n: 1) |> map(fn: (r2) => ({_value: x + r._value}))`,
      ),
    ).toEqual(['6']);
  });
});

describe('results', () => {
  it('have the names that yield gives, in their order; _result by default', () => {
    const names = (program: string) => [
      ...new Set(
        csv(program, all)
          .split('\r\n')
          .filter((line) => line.startsWith(',') && !line.startsWith(',result'))
          .map((line) => line.split(',')[1]),
      ),
    ];
    expect(names(A)).toEqual(['_result']);
    expect(names(`d = ${A}\nd |> mean() |> yield(name: "mean")\nd |> max() |> yield(name: "max")`)).toEqual([
      'mean',
      'max',
    ]);
    expect(names(`${A} |> yield(name: "raw") |> mean()`)).toEqual(['raw', '_result']);
    expect(names(`x = ${A}\nx |> yield(name: "a")\nx`)).toEqual(['a', '_result']);
    expect(failure(`${A}\n${JOBS}`, all)).toContain('more than one result with the name "_result"');
  });
});

describe('schema', () => {
  const schema = (call: string) => values(`import "influxdata/influxdb/schema"\nschema.${call}`);
  it.each([
    ['measurements(bucket: "metrics")', ['cpu', 'jobs']],
    ['tagKeys(bucket: "metrics")', ['_field', '_measurement', '_start', '_stop', 'host', 'rack']],
    ['tagValues(bucket: "metrics", tag: "host")', ['a', 'b']],
    ['tagValues(bucket: "metrics", tag: "host", predicate: (r) => r.rack == "r1")', ['b']],
    ['tagValues(bucket: "metrics", tag: "host", start: -9s)', []],
    ['fieldKeys(bucket: "metrics")', ['n', 'state', 'usage']],
    ['measurementTagKeys(bucket: "metrics", measurement: "jobs")', ['_field', '_measurement', '_start', '_stop']],
    ['measurementTagValues(bucket: "metrics", measurement: "cpu", tag: "rack")', ['r1']],
    ['measurementFieldKeys(bucket: "metrics", measurement: "cpu")', ['usage']],
  ])('%s', (call, expected) => {
    expect(schema(call)).toEqual(expected);
    expect(values(`import "influxdata/influxdb/v1"\nv1.${call}`)).toEqual(expected);
  });
});

describe('Grafana', () => {
  it('checks the health with buckets()', () => {
    expect(rows('buckets()', all)).toEqual([
      {
        name: 'metrics',
        id: '00000000000000aa',
        organizationID: '0000000000000001',
        retentionPolicy: '',
        retentionPeriod: '0',
      },
    ]);
  });

  it('puts literals where its macros stood', () => {
    const program = `from(bucket: "metrics")
      |> range(start: 2025-01-01T11:50:00.000000001Z, stop: 2025-01-01T12:00:00.123Z)
      |> filter(fn: (r) => r["_measurement"] == "cpu" or r["_measurement"] == "jobs")
      |> filter(fn: (r) => r["_field"] == "usage")
      |> filter(fn: (r) => r.host =~ /^(a|b)$/)
      |> aggregateWindow(every: 1m0s, fn: mean, createEmpty: false)
      |> yield(name: "mean")`;
    expect(rows(program, all)).toHaveLength(5);
  });
});
