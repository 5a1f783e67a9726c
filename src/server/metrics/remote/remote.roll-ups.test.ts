import { expect, it } from 'vitest';
import { provisionInflux } from '../../../lib/influxdb/provision.ts';
import { rollUpProgram } from '../../../lib/influxdb/roll-up-tasks.ts';
import { createRemoteHttp, remoteTarget } from '../../../lib/remote-http.ts';
import { askRemote } from '../../../lib/remote-text.ts';
import type { SeriesQuery } from '../port.ts';
import { useRemoteMetrics } from './remote.fixture.ts';
import { runFlux } from './run-flux.ts';

const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const remote = useRemoteMetrics();

/** Buckets in which points are kept for two hours, and what is written to and asked of them. */
async function open() {
  const options = await remote.options();
  const http = createRemoteHttp(remoteTarget(options, '--metrics-ca'), 2);
  const { organization, bucket } = options;
  const retention = { all: 7200, jobs: null, rolled: null };
  await provisionInflux(http, options.url, { organization, bucket, retention, dryRun: false });
  return {
    metrics: await remote.open(options),
    async write(to: string, lines: readonly string[]) {
      const { status, text } = await askRemote(http, '/api/v2/write', {
        method: 'POST',
        query: { org: organization, bucket: `${bucket}${to}`, precision: 'ms' },
        body: lines.join('\n'),
      });
      expect([status, text]).toEqual([204, '']);
    },
    async flux(program: string) {
      const rows: Record<string, string>[] = [];
      const guard = { signal: AbortSignal.timeout(30_000), seconds: 30, mostRows: 1000, settled: 0 };
      await runFlux(http, options, program, guard, (result, { names }, cells) =>
        rows.push({ result, ...Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) }),
      );
      return rows;
    },
    bucket,
  };
}
const ask: Omit<SeriesQuery, 'aggregate'> = {
  ...{ measurement: 'task_metrics', field: 'counter_n', groupBy: ['node'], filters: {} },
  ...{ from: NOW - 5 * 60 * MINUTE, to: NOW, intervalMs: null, limit: 9 },
};

it('reads roll-ups of what is older than points are kept, and points of the rest', async () => {
  const { metrics, write } = await open();
  const rolled = (minutesAgo: number, part: string, value: number) =>
    `task_metrics,node=a,aggregate=${part} counter_n=${value} ${NOW - minutesAgo * MINUTE}`;
  await write('_1m', [
    ...[rolled(240, 'sum', 10), rolled(240, 'count', 4), rolled(240, 'min', 1), rolled(240, 'max', 5)],
    ...[rolled(240, 'last', 2), rolled(200, 'sum', 6), rolled(200, 'count', 2), rolled(200, 'last', 3)],
    // Of this time there are points: they are not counted twice.
    ...[rolled(30, 'sum', 1000), rolled(30, 'count', 1000), rolled(30, 'last', 1000)],
  ]);
  await write('', [`task_metrics,node=a counter_n=7 ${NOW - 30 * MINUTE}`]);
  const value = async (aggregate: SeriesQuery['aggregate']) =>
    (await metrics.series({ ...ask, aggregate })).series.map(({ tags, values }) => [tags['node'], ...values]);
  expect(await value('sum')).toEqual([['a', 23]]);
  expect(await value('count')).toEqual([['a', 7]]);
  expect(await value('mean')).toEqual([['a', 23 / 7]]);
  expect(await value('min')).toEqual([['a', 1]]);
  expect(await value('max')).toEqual([['a', 7]]);
  expect(await value('last')).toEqual([['a', 7]]);
  expect(await value('p95')).toEqual([['a', 7]]);
  const { series } = await metrics.series({ ...ask, aggregate: 'sum', intervalMs: 10 * MINUTE });
  expect(series[0]?.values).toEqual([10, 6, 7]);
  const { dataPoints } = await metrics.query({
    ...{
      from: new Date(ask.from).toISOString(),
      to: new Date(NOW).toISOString(),
      interval: '1h',
      limit: 9,
      filters: {},
    },
  });
  expect(dataPoints.reduce((sum, point) => sum + Number(point['counter_n']), 0)).toBe(23);
});

it('makes roll-ups with a program that gives each part of each minute', async () => {
  const { write, flux, bucket } = await open();
  const start = NOW - 30 * MINUTE;
  await write('', [
    `task_metrics,node=a counter_n=1 ${start + 1000}`,
    `task_metrics,node=a counter_n=4 ${start + 2000}`,
    `task_metrics,node=a counter_n=2 ${start + MINUTE}`,
    `other,node=a counter_n=9 ${start}`,
  ]);
  const time = (ms: number) => new Date(ms).toISOString();
  const rows = await flux(
    rollUpProgram(bucket, { start: time(start), stop: time(start + 5 * MINUTE) }, (part) => `yield(name: "${part}")`),
  );
  expect(
    rows.map(({ aggregate, _time = '', _value, node, _field, _measurement }) => [
      ...[aggregate, (Date.parse(_time) - start) / MINUTE, Number(_value), node, _field, _measurement],
    ]),
  ).toEqual(
    [
      ['sum', 0, 5],
      ['sum', 1, 2],
      ['count', 0, 2],
      ['count', 1, 1],
      ['min', 0, 1],
      ['min', 1, 2],
      ['max', 0, 4],
      ['max', 1, 2],
      ['last', 0, 4],
      ['last', 1, 2],
    ].map((row) => [...row, 'a', 'counter_n', 'task_metrics']),
  );
});
