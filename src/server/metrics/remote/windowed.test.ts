import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { bucketNames } from '../../../lib/influxdb/buckets.ts';
import type { MetricRequest } from '../queries/request.ts';
import type { CsvTable } from './annotated-csv.ts';
import type { OnRow } from './run-flux.ts';
import { createWindowedQuery } from './windowed.ts';

const guard = { signal: new AbortController().signal, seconds: 1, mostRows: 100, settled: 0 };
const NOW = Date.UTC(2026, 2, 1, 12);
const request = {
  ...{ from: NOW - 60_000, end: NOW, measurement: 'task_metrics', field: null, filters: {}, within: null, limit: 100 },
} as unknown as MetricRequest;
const table = (names: string[]) =>
  ({ at: (name: string) => names.indexOf(name), types: ['', '', 'double'] }) as unknown as CsvTable;
const row = (onRow: OnRow, result: string, field: string, value: string) =>
  onRow(result, table(['_field', '_time', '_value']), [field, new Date(NOW - 60_000).toISOString(), value]);

function query(answer: (program: string, onRow: OnRow) => void) {
  const programs: string[] = [];
  const ask = createWindowedQuery({
    buckets: bucketNames('b'),
    async run(program, _, onRow) {
      programs.push(program);
      answer(program, onRow);
    },
    sourcesOf: async (selection) => [{ selection, isRolled: false }],
    isEmpty: () => false,
    typeOf: (type) => type,
  });
  return { programs, ask };
}

it('is one request for counters, averages and percentiles together', async () => {
  const { programs, ask } = query((_, onRow) => {
    row(onRow, '0:sum 0', 'counter_x', '6');
    row(onRow, '1:sum 0', 'timer_y_ms', '10');
    row(onRow, '1:count 0', 'timer_y_ms', '4');
    row(onRow, '2:quantile 0', 'timer_y_ms', '9');
  });
  const { points, names } = await ask(request, 60_000, guard);
  expect(programs).toHaveLength(1);
  expect(programs[0]).toMatch(/=~ \/\^counter_\/.*fn: sum/s);
  expect(programs[0]).not.toMatch(/fn: count[^]*=~ \/\^counter_/);
  expect(points).toEqual([{ timestamp: '2026-03-01T11:59:00.000Z', counter_x: 6, timer_y_ms: 2.5, timer_y_ms_p95: 9 }]);
  expect([...names].sort()).toEqual(['counter_x', 'timer_y_ms', 'timer_y_ms_p95']);
});

it('asks for the types first where a field is no number, and from then on', async () => {
  const { programs, ask } = query((program, onRow) => {
    if (program.includes('prefix') || program.includes('=~ /^')) throw new Fault('QUERY_INVALID', 'a text has no sum');
    if (program.includes('last()')) row(onRow, '0', 'counter_x', '1');
    else row(onRow, '0:sum 0', 'counter_x', '6');
  });
  expect((await ask(request, 60_000, guard)).points).toMatchObject([{ counter_x: 6 }]);
  expect(programs).toHaveLength(3);
  await ask(request, 60_000, guard);
  expect(programs).toHaveLength(5);
});

it('fails as the store does where it is not the query', async () => {
  const { ask } = query(() => {
    throw new Fault('METRICS_UNAVAILABLE', 'away');
  });
  await expect(ask(request, 60_000, guard)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
});
