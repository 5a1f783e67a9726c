import { afterEach, describe, expect, it } from 'vitest';
import { createCollector } from '../collector/collector.ts';
import type { Shape } from '../collector/port.ts';
import type { ShapeBatch } from '../collector/port.ts';
import type { SeriesQuery } from '../store/port.ts';
import { noGuard, openTestStore, type TestStore } from '../store/store.fixture.ts';
import { metricNames, metricTags, metricTagValues } from './names.ts';
import { querySeries } from './series.ts';

const T = Date.UTC(2026, 0, 1, 12);
const stores: TestStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});
const TASK: Shape = {
  measurement: 'task_metrics',
  tags: ['job_id', 'workflow_id', 'environment', 'task_id', 'node'],
  fields: ['counter_error_count', 'timer_run_ms'],
};

/** Tasks of two workflows, one each second for two hours and a half. */
function open(): TestStore {
  const store = openTestStore({ now: () => T + 4 * 3_600_000 });
  stores.push(store);
  const batches: ShapeBatch[] = [];
  const collector = createCollector((batch) => batches.push(batch));
  for (let i = 0; i < 9000; i++)
    collector.put(
      TASK,
      T + i * 1000,
      [`job-${Math.floor(i / 10)}`, i % 3 === 0 ? 'a' : 'b', i % 2 ? 'dev' : '', `task-${i}`, 'n'],
      [i % 5 === 0 ? 1 : 0, i % 100],
    );
  collector.add({ time: T, measurement: 'custom_metrics', tags: { shop: 'x\u0000y' }, fields: { gauge_load: 0.5 } });
  collector.flush();
  store.writer.record(batches);
  return store;
}
const stages = [
  ['unsealed', () => {}],
  [
    'compacted',
    (store: TestStore) => {
      while (store.writer.tend(true));
    },
  ],
] as const;

describe.each(stages)('of %s points', (_name, stage) => {
  const ask = (store: TestStore, query: Partial<SeriesQuery>) => {
    stage(store);
    store.view.refresh();
    return querySeries(store.view, noGuard, {
      measurement: 'task_metrics',
      field: 'counter_error_count',
      aggregate: 'sum',
      groupBy: [],
      filters: {},
      from: T,
      to: T + 9_000_000,
      intervalMs: null,
      limit: 100,
      ...query,
    });
  };

  it('knows no series whose points of the time have other fields alone', () => {
    const store = open();
    const batches: ShapeBatch[] = [];
    const collector = createCollector((batch) => batches.push(batch));
    const add = (thread: string, time: number, name: string) =>
      collector.add({ time, measurement: 'system_metrics', tags: { thread }, fields: { [name]: 1 } });
    add('a', T, 'gauge_memory');
    add('a', T + 9_000_000, 'gauge_cpu');
    add('b', T, 'gauge_memory');
    add('b', T + 1000, 'gauge_cpu');
    collector.flush();
    store.writer.record(batches);
    const cpu = (aggregate: SeriesQuery['aggregate'], intervalMs: number | null) => {
      const { series, total } = ask(store, {
        ...{ measurement: 'system_metrics', field: 'gauge_cpu', groupBy: ['thread'], aggregate, intervalMs },
      });
      return [total, series.map(({ tags }) => tags['thread'])];
    };
    for (const aggregate of ['mean', 'rate', 'p95', 'last'] as const)
      for (const interval of [null, 60_000]) expect(cpu(aggregate, interval)).toEqual([1, ['b']]);
  });

  it('series are summed over the whole time', () => {
    expect(ask(open(), {})).toEqual({
      from: T,
      to: T + 9_000_000,
      intervalMs: null,
      series: [{ tags: {}, times: [T], values: [1800] }],
      total: 1,
    });
  });
  it('series are split by tags, a missing one is empty, the greatest first', () => {
    const { series } = ask(open(), { groupBy: ['workflow_id', 'environment'], aggregate: 'count' });
    expect(series.map(({ tags, values }) => [tags['workflow_id'], tags['environment'], values[0]])).toEqual([
      ['b', '', 3000],
      ['b', 'dev', 3000],
      ['a', '', 1500],
      ['a', 'dev', 1500],
    ]);
  });
  it('windows hold what their time holds, and rates are a second', () => {
    const { series } = ask(open(), { intervalMs: 3_600_000, aggregate: 'rate' });
    expect(series[0]).toEqual({ tags: {}, times: [T, T + 3_600_000, T + 7_200_000], values: [0.2, 0.2, 0.1] });
  });
  it('percentiles are exact', () => {
    const { series } = ask(open(), { field: 'timer_run_ms', aggregate: 'p95', to: T + 100_000 });
    expect(series[0]?.values).toEqual([94]);
  });
  it('jobs and tasks may be filtered and grouped by', () => {
    const store = open();
    expect(
      ask(store, { filters: { job_id: ['job-7'] }, groupBy: ['task_id'], aggregate: 'count', limit: 3 }),
    ).toMatchObject({ total: 10, series: [{ tags: { task_id: 'task-70' }, values: [1] }, {}, {}] });
    expect(
      ask(store, { filters: { job_id: ['job-7', 'job-8'], workflow_id: ['a'] }, aggregate: 'count' }).series[0]?.values,
    ).toEqual([6]);
    expect(ask(store, { filters: { job_id: ['none'] } }).series).toEqual([]);
  });
  it('the last values are the newest', () => {
    expect(
      ask(open(), { field: 'timer_run_ms', aggregate: 'last', groupBy: ['workflow_id'] }).series.map(
        ({ tags, values }) => [tags['workflow_id'], values[0]],
      ),
    ).toEqual([
      ['b', 99],
      ['a', 97],
    ]);
  });
  it('names, tags and values are told', () => {
    const store = open();
    stage(store);
    store.view.refresh();
    expect(metricNames(store.view, noGuard, null)).toEqual({
      items: [
        { measurement: 'custom_metrics', fields: [{ name: 'gauge_load', type: 'float' }], series: 1 },
        {
          measurement: 'task_metrics',
          fields: [
            { name: 'counter_error_count', type: 'float' },
            { name: 'timer_run_ms', type: 'float' },
          ],
          series: 4,
        },
      ],
    });
    const range = { from: T, to: T + 9_000_000 };
    expect(metricTags(store.view, noGuard, { measurement: 'task_metrics', ...range }).items).toEqual([
      'environment',
      'job_id',
      'node',
      'task_id',
      'workflow_id',
    ]);
    expect(metricTags(store.view, noGuard, { measurement: 'custom_metrics', ...range }).items).toEqual(['shop']);
    expect(metricTagValues(store.view, noGuard, { measurement: null, tag: 'shop', limit: 10, ...range })).toEqual({
      items: ['x\uFFFDy'],
      truncated: false,
    });
    expect(metricTagValues(store.view, noGuard, { measurement: null, tag: 'workflow_id', limit: 1, ...range })).toEqual(
      { items: ['a'], truncated: true },
    );
    expect(
      metricTagValues(store.view, noGuard, { measurement: null, tag: 'job_id', limit: 5, ...range }).truncated,
    ).toBe(true);
  });
});

it('leaves out what no store should take from a handler', () => {
  const store = openTestStore();
  stores.push(store);
  const batches: ShapeBatch[] = [];
  const collector = createCollector((batch) => batches.push(batch));
  const point = (more: object) => collector.add({ time: T, measurement: 'm', tags: {}, fields: { v: 1 }, ...more });
  point({ time: 1e300 });
  point({ time: Number.NaN });
  point({ measurement: 'x'.repeat(1000) });
  point({ tags: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`t${i}`, 'x'])) });
  point({ tags: { t: 'x'.repeat(100_000) } });
  point({ fields: {} });
  point({ time: T + 0.5 });
  collector.flush();
  store.writer.record(batches);
  expect(store.writer.stats()).toMatchObject({ points: 1, overCardinality: 6 });
  store.view.refresh();
  expect([
    ...store.source.read({ bucket: 'metrics', measurement: null, field: null, tags: {}, where: [] }, 0, 1e15),
  ]).toMatchObject([{ ms: Float64Array.of(T), ns: Uint32Array.of(500_000) }]);
});
