import { describe, expect, it } from 'vitest';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import type { MetricsRoom, SeriesQuery } from './port.ts';

/**
 * What a metric store has to do, wherever it keeps its points.
 *
 * @param NOW of its clock, Unix ms, a whole minute
 * @param open a store without points, closed by whoever gives it
 */
export function describeMetricStore(NOW: number, open: () => Promise<MetricsRoom>): void {
  const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();
  const point = pointBefore(NOW);
  describe('query', () => {
    it('gives the stored points of the last minute with their tags by default', async () => {
      const metrics = await open();
      metrics.record(point(90, { counter_error_count: 1 }));
      metrics.record(point(30, { counter_error_count: 2 }, { job_id: 'a' }));
      metrics.record(point(0, { timer_run_ms: 1.5 }, { job_id: 'b' }));
      expect(await metrics.query({ limit: 1000, filters: {} })).toEqual({
        from: at(60),
        to: at(0),
        interval: null,
        filters: {},
        dataPoints: [
          { timestamp: at(30), tags: { job_id: 'a' }, counter_error_count: 2 },
          { timestamp: at(0), tags: { job_id: 'b' }, timer_run_ms: 1.5 },
        ],
        totalDataPoints: 2,
        metricNames: ['counter_error_count', 'timer_run_ms'],
      });
    });

    it('refuses a tag filter without a name', async () => {
      const metrics = await open();
      await expect(metrics.query({ limit: 10, filters: { '': 'x' } })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/' }],
      });
    });

    it('filters by any tag, by measurement and by field', async () => {
      const metrics = await open();
      metrics.record(point(5, { counter_error_count: 1, timer_run_ms: 2 }, { job_id: 'a', node: 'x' }));
      metrics.record(point(4, { counter_error_count: 2 }, { job_id: 'a', node: 'y' }));
      metrics.record(point(3, { gauge_cpu_usage: 0.5 }, { worker_id: 'w' }, 'worker_metrics'));
      const seconds = async (query: Partial<Parameters<MetricsRoom['query']>[0]>) =>
        (await metrics.query({ limit: 10, filters: {}, ...query })).dataPoints.map(
          (p) => (NOW - Date.parse(p.timestamp)) / 1000,
        );
      expect(await seconds({ filters: { job_id: 'a' } })).toEqual([5, 4]);
      expect(await seconds({ filters: { job_id: 'a', node: 'y' } })).toEqual([4]);
      expect(await seconds({ filters: { worker_id: 'w' } })).toEqual([3]);
      expect(await seconds({ filters: { toString: 'x' } })).toEqual([]);
      expect(await seconds({ measurement: 'worker_metrics' })).toEqual([3]);
      expect((await metrics.query({ limit: 10, filters: {}, field: 'timer_run_ms' })).dataPoints).toEqual([
        { timestamp: at(5), tags: { job_id: 'a', node: 'x' }, timer_run_ms: 2 },
      ]);
    });

    it('merges series into windows at the epoch and leaves empty ones out', async () => {
      const metrics = await open();
      for (let i = 0; i < 20; i++)
        metrics.record(
          point(
            200 - i,
            { counter_input_event_count: 1, gauge_input_rate: i, timer_run_ms: i + 1 },
            { job_id: String(i % 2) },
          ),
        );
      metrics.record(point(10, { counter_input_event_count: 5 }));
      const { dataPoints, totalDataPoints, metricNames, interval } = await metrics.query({
        from: at(300),
        interval: '1m',
        limit: 1000,
        filters: {},
      });
      expect(interval).toBe('1m');
      expect(totalDataPoints).toBe(2);
      expect(metricNames).toEqual([
        'counter_input_event_count',
        'gauge_input_rate',
        'timer_run_ms',
        'timer_run_ms_p95',
      ]);
      expect(dataPoints).toEqual([
        {
          timestamp: at(240),
          counter_input_event_count: 20,
          gauge_input_rate: 9.5,
          timer_run_ms: 10.5,
          timer_run_ms_p95: 19,
        },
        { timestamp: at(60), counter_input_event_count: 5 },
      ]);
    });

    it('gives the newest points in time order when there are more than the limit', async () => {
      const metrics = await open();
      for (let i = 0; i < 1200; i++) metrics.record(point(50 - i / 100, { counter_error_count: i }));
      const { dataPoints, totalDataPoints, truncated } = await metrics.query({ limit: 3, filters: {} });
      expect([totalDataPoints, truncated]).toEqual([1200, true]);
      expect(dataPoints.map((p) => p['counter_error_count'])).toEqual([1197, 1198, 1199]);
      const windows = await metrics.query({ limit: 2, interval: '1s', filters: {} });
      expect(windows).toMatchObject({ totalDataPoints: 12, truncated: true });
      expect(windows.dataPoints).toHaveLength(2);
    });

    it.each([
      [{ from: at(1), to: at(2) }, '/from'],
      [{ from: 'yesterday' }, '/from'],
      [{ to: '5' }, '/to'],
      [{ interval: '5x' }, '/interval'],
      [{ interval: '0m' }, '/interval'],
      [{ from: at(-60) }, '/from'],
    ])('refuses %j', async (query, pointer) => {
      const metrics = await open();
      await expect(metrics.query({ limit: 1, filters: {}, ...query })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer }],
      });
    });
  });

  it('gives points in time order whatever the order of their arrival', async () => {
    const metrics = await open();
    const seconds = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 5000) / 100);
    for (const ago of seconds) metrics.record(point(ago, { counter_error_count: ago }, {}, `m${Math.floor(ago) % 3}`));
    const { dataPoints, totalDataPoints } = await metrics.query({ limit: 700, filters: {} });
    expect(totalDataPoints).toBe(5000);
    expect(dataPoints.map((p) => p['counter_error_count'])).toEqual(
      seconds
        .toSorted((a, b) => a - b)
        .slice(0, 700)
        .reverse(),
    );
  });

  it('shows who reads some workflows alone nothing of other series', async () => {
    const metrics = await open();
    metrics.record(point(9, { counter_a: 1 }, { workflow_id: 'orders', node: 'x', job_id: 'j1' }, 'task_metrics'));
    metrics.record(point(8, { counter_a: 2 }, { workflow_id: 'accounts', kind: 'y', job_id: 'j2' }, 'task_metrics'));
    metrics.record(point(7, { counter_a: 4 }, {}, 'worker_metrics'));
    const range = { measurement: null, from: NOW - 60_000, to: NOW };
    const see = async (within: readonly string[] | null) => [
      (await metrics.query({ limit: 9, filters: {}, within })).dataPoints.map(({ counter_a }) => counter_a),
      (await metrics.query({ limit: 9, filters: { workflow_id: 'accounts' }, within })).totalDataPoints,
      (await metrics.query({ limit: 9, filters: { job_id: 'j2' }, within })).totalDataPoints,
      (await metrics.names(within)).items.map(({ measurement, series }) => `${measurement} ${series}`),
      (await metrics.tags({ ...range, within })).items,
      (await metrics.tagValues({ ...range, tag: 'job_id', limit: 9, within })).items,
      (await metrics.tagValues({ ...range, tag: 'workflow_id', limit: 9, within })).items,
    ];
    expect(await see(['orders'])).toEqual([
      [1],
      0,
      0,
      ['task_metrics 1'],
      ['job_id', 'node', 'workflow_id'],
      ['j1'],
      ['orders'],
    ]);
    expect(await see([])).toEqual([[], 0, 0, [], [], [], []]);
    expect((await see(null))[0]).toEqual([1, 2, 4]);
  });

  describe('series', () => {
    const ask = (metrics: MetricsRoom, query: Partial<SeriesQuery>) =>
      metrics.series({
        ...{ measurement: 'task_metrics', field: 'timer_run_ms', aggregate: 'sum', groupBy: [], filters: {} },
        ...{ from: NOW - 300_000, to: NOW, intervalMs: null, limit: 100 },
        ...query,
      });

    /** Tasks of two workflows, one each second for 200 s; some end in the same millisecond. */
    async function tasks(): Promise<MetricsRoom> {
      const metrics = await open();
      for (let i = 0; i < 200; i++)
        metrics.record(
          point(
            250 - (i >> 1),
            { timer_run_ms: i, counter_error_count: i % 5 === 0 ? 1 : 0 },
            {
              ...{ job_id: `job-${Math.floor(i / 10)}`, task_id: `task-${i}`, node: 'n' },
              ...(i % 3 === 0 ? { workflow_id: 'a' } : { workflow_id: 'b', environment: 'dev' }),
            },
          ),
        );
      return metrics;
    }

    it('are reduced over the whole range', async () => {
      const metrics = await tasks();
      const value = async (aggregate: SeriesQuery['aggregate']) =>
        (await ask(metrics, { aggregate })).series.map(({ times, values }) => [...times, ...values]);
      expect(await value('sum')).toEqual([[NOW - 300_000, 19_900]]);
      expect(await value('mean')).toEqual([[NOW - 300_000, 99.5]]);
      expect(await value('min')).toEqual([[NOW - 300_000, 0]]);
      expect(await value('max')).toEqual([[NOW - 300_000, 199]]);
      expect(await value('count')).toEqual([[NOW - 300_000, 200]]);
      expect(await value('p95')).toEqual([[NOW - 300_000, 189]]);
      expect((await value('rate'))[0]?.[1]).toBeCloseTo(19_900 / 300, 9);
    });

    it('are split by tags, a missing one is empty, the greatest first', async () => {
      const { series, total } = await ask(await tasks(), {
        groupBy: ['workflow_id', 'environment'],
        aggregate: 'count',
      });
      expect(total).toBe(2);
      expect(series.map(({ tags, values }) => [tags, values[0]])).toEqual([
        [{ workflow_id: 'b', environment: 'dev' }, 133],
        [{ workflow_id: 'a', environment: '' }, 67],
      ]);
    });

    it('have windows that are aligned to the epoch, without empty ones', async () => {
      const metrics = await tasks();
      const windows = async (aggregate: SeriesQuery['aggregate']) => {
        const { series } = await ask(metrics, { aggregate, intervalMs: 60_000, from: NOW - 245_000 });
        return series.map(({ times, values }) => times.map((time, i) => [(NOW - time) / 1000, values[i]]))[0];
      };
      // From 245 s ago on: tasks 10 to 199, in windows that begin 300 s, 240 s and 180 s ago.
      expect(await windows('count')).toEqual([
        [300, 10],
        [240, 120],
        [180, 60],
      ]);
      expect(await windows('max')).toEqual([
        [300, 19],
        [240, 139],
        [180, 199],
      ]);
      expect(await windows('p50')).toEqual([
        [300, 14],
        [240, 79],
        [180, 169],
      ]);
      expect((await windows('last'))?.map(([ago]) => ago)).toEqual([300, 240, 180]);
    });

    it('take several values of a tag, its absence, and none', async () => {
      const metrics = await tasks();
      const count = async (filters: SeriesQuery['filters']) =>
        (await ask(metrics, { aggregate: 'count', filters })).series[0]?.values[0];
      expect(await count({ workflow_id: ['a', 'b'] })).toBe(200);
      expect(await count({ environment: [''] })).toBe(67);
      expect(await count({ environment: ['', 'dev'], workflow_id: ['b'] })).toBe(133);
      expect(await count({ workflow_id: [] })).toBeUndefined();
      expect(await count({ workflow_id: ['a" or true or "'] })).toBeUndefined();
    });

    it('may be of jobs and tasks', async () => {
      const metrics = await tasks();
      const groups = async (query: Partial<SeriesQuery>) =>
        (await ask(metrics, { aggregate: 'count', ...query })).series.map(({ tags, values }) => [
          ...Object.values(tags),
          values[0],
        ]);
      expect(await groups({ filters: { job_id: ['job-3', 'job-4'] } })).toEqual([[20]]);
      expect(await groups({ filters: { job_id: ['job-3'] }, groupBy: ['job_id'] })).toEqual([['job-3', 10]]);
      expect(await groups({ filters: { task_id: ['task-7'] } })).toEqual([[1]]);
      expect(await groups({ filters: { job_id: ['job-3'] }, groupBy: ['task_id'], limit: 2 })).toEqual([
        ['task-30', 1],
        ['task-31', 1],
      ]);
      const { series } = await ask(metrics, { aggregate: 'max', filters: { task_id: ['task-7'] }, intervalMs: 60_000 });
      expect(series.map(({ values }) => values)).toEqual([[7]]);
    });

    it('are none in an empty range, or of what there is not', async () => {
      const metrics = await tasks();
      expect(await ask(metrics, { from: NOW, to: NOW })).toMatchObject({ series: [], total: 0 });
      expect(await ask(metrics, { measurement: 'none' })).toMatchObject({ series: [], total: 0 });
    });
  });

  it('counts tasks that end in the same millisecond one by one', async () => {
    const metrics = await open();
    for (let i = 0; i < 50; i++)
      metrics.record(
        point(5, { counter_input_event_count: 1 }, { job_id: 'j', task_id: `t${i}`, workflow_id: 'w', node: 'n' }),
      );
    const { dataPoints } = await metrics.query({ interval: '1m', limit: 10, filters: {} });
    expect(dataPoints.map((one) => one['counter_input_event_count'])).toEqual([50]);
    const { totalDataPoints } = await metrics.query({ limit: 10, filters: { job_id: 'j' } });
    expect(totalDataPoints).toBe(50);
    expect((await metrics.query({ limit: 10, filters: { task_id: 't7' } })).dataPoints).toEqual([
      {
        timestamp: at(5),
        tags: { job_id: 'j', node: 'n', task_id: 't7', workflow_id: 'w' },
        counter_input_event_count: 1,
      },
    ]);
  });

  it('takes names and values with any characters', async () => {
    const metrics = await open();
    const tags = { 'odd, key=x': 'a "b" ${c} \\ d, e=f', emoji: '🚂 ünï' };
    metrics.record(point(3, { 'gauge_odd name,=': 1.5 }, tags, 'custom_metrics'));
    const { dataPoints } = await metrics.query({ measurement: 'custom_metrics', limit: 5, filters: {} });
    expect(dataPoints).toEqual([{ timestamp: at(3), tags, 'gauge_odd name,=': 1.5 }]);
    const { series } = await metrics.series({
      ...{ measurement: 'custom_metrics', field: 'gauge_odd name,=', aggregate: 'max', groupBy: ['emoji'] },
      ...{ filters: { 'odd, key=x': [tags['odd, key=x']] }, from: NOW - 60_000, to: NOW, intervalMs: null, limit: 5 },
    });
    expect(series).toEqual([{ tags: { emoji: '🚂 ünï' }, times: [NOW - 60_000], values: [1.5] }]);
  });

  it('tells names, tags and their values', async () => {
    const metrics = await open();
    metrics.record(point(9, { counter_a: 1, gauge_b: 2 }, { job_id: 'j1', task_id: 't1', node: 'x' }));
    metrics.record(point(8, { counter_a: 1 }, { job_id: 'j2', task_id: 't2', node: 'y' }));
    metrics.record(point(7, { gauge_cpu_usage: 1 }, { worker_id: 'w' }, 'worker_metrics'));
    expect(await metrics.names()).toEqual({
      items: [
        {
          measurement: 'task_metrics',
          fields: [
            { name: 'counter_a', type: 'float' },
            { name: 'gauge_b', type: 'float' },
          ],
          series: 2,
        },
        { measurement: 'worker_metrics', fields: [{ name: 'gauge_cpu_usage', type: 'float' }], series: 1 },
      ],
    });
    const range = { measurement: 'task_metrics', from: NOW - 60_000, to: NOW };
    expect(await metrics.tags(range)).toEqual({ items: ['job_id', 'node', 'task_id'] });
    expect(await metrics.tags({ ...range, measurement: 'worker_metrics' })).toEqual({ items: ['worker_id'] });
    const values = (tag: string, limit = 9) => metrics.tagValues({ ...range, tag, limit });
    expect(await values('node')).toEqual({ items: ['x', 'y'], truncated: false });
    expect(await values('job_id')).toEqual({ items: ['j1', 'j2'], truncated: false });
    expect(await values('task_id', 1)).toEqual({ items: ['t1'], truncated: true });
    expect(await values('none')).toEqual({ items: [], truncated: false });
  });
}

/** A point so many seconds before a time. */
export const pointBefore =
  (now: number) =>
  (
    secondsAgo: number,
    fields: Record<string, number>,
    tags: Record<string, string> = {},
    measurement = 'task_metrics',
  ): MetricPoint => ({ time: now - secondsAgo * 1000, measurement, tags, fields });
