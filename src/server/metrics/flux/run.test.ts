import { describe, expect, it } from 'vitest';
import { csv, failure, rows, type TestSeries } from './run.fixture.ts';
import { at, all, FROM, CPU, A, JOBS, values, tables, time } from './series.fixture.ts';

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

  describe('where ints and floats meet in a column', () => {
    const mixed: TestSeries[] = [
      { measurement: 'm', field: 'f', points: [[at(0), 1.5]] },
      { measurement: 'm', field: 'i', type: 'int', points: [[at(0), 2]] },
    ];
    const [float, int] = ['f', 'i'].map((field) => `${FROM} |> filter(fn: (r) => r._field == "${field}")`);
    const collides = 'schema collision detected: column "_value" is both of type float and int';
    it.each([
      [`${FROM} |> keep(columns: ["_value"])`, collides],
      [`${FROM} |> drop(columns: ["_field"])`, collides],
      [`${FROM} |> limit(n: 1) |> group()`, collides],
      [`${FROM} |> group(columns: ["_field"], mode: "except")`, null],
      [`${FROM} |> group()`, 'schema collision: cannot group float and integer types together'],
      [`${FROM} |> group(columns: ["_measurement"]) |> sum()`, 'cannot group float and integer types together'],
      [`${FROM} |> group(columns: ["_measurement"]) |> mean()`, 'cannot group float and integer types together'],
      [`${FROM} |> group(columns: ["_measurement"]) |> count()`, 'cannot group float and integer types together'],
      [`${FROM} |> group() |> aggregateWindow(every: 1m, fn: count)`, 'cannot group float and integer types together'],
      [`union(tables: [${float}, ${int}]) |> group()`, collides],
      [`union(tables: [${float} |> keep(columns: ["_value"]), ${int} |> keep(columns: ["_value"])])`, collides],
      [`union(tables: [${float}, ${int}])`, null],
      [`${FROM} |> toFloat() |> group()`, null],
    ])('%s', (text, expected) => {
      if (expected === null) expect(rows(text, mixed)).toHaveLength(2);
      else expect(failure(text, mixed)).toContain(expected);
    });
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
