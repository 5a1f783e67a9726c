import { NOW, rows, type TestSeries } from './run.fixture.ts';

export const at = (seconds: number) => NOW - 600_000 + seconds * 1000;
export const cpu: TestSeries = {
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
export const other: TestSeries = {
  measurement: 'cpu',
  field: 'usage',
  tags: { host: 'b', rack: 'r1' },
  points: [
    [at(30), 10],
    [at(590), 20],
  ],
};
export const count: TestSeries = {
  measurement: 'jobs',
  field: 'n',
  type: 'int',
  points: [
    [at(0), 5],
    [at(60), 2],
  ],
};
export const text: TestSeries = {
  measurement: 'jobs',
  field: 'state',
  type: 'string',
  points: [
    [at(0), 'ok'],
    [at(60), 'bad'],
  ],
};
export const all = [cpu, other, count, text];
export const FROM = 'from(bucket: "metrics") |> range(start: -10m)';
export const CPU = `${FROM} |> filter(fn: (r) => r._measurement == "cpu")`;
export const A = `${CPU} |> filter(fn: (r) => r.host == "a")`;
export const JOBS = `${FROM} |> filter(fn: (r) => r._measurement == "jobs" and r._field == "n")`;

export const values = (program: string, series = all, column = '_value') =>
  rows(program, series).map((row) => row[column]);
export const tables = (program: string, series = all) =>
  new Set(rows(program, series, undefined, true).map((row) => row['table'])).size;
export const time = (seconds: number) => new Date(at(seconds)).toISOString().replace('.000Z', 'Z');
