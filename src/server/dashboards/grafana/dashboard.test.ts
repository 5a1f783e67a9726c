import { expect, it } from 'vitest';
import type { Panel } from '../../../contract/dashboards.ts';
import { parseQuery } from '../../../lib/logsql/parse.ts';
import { BUILT_IN } from '../dashboards.ts';
import { grafanaDashboard } from './dashboard.ts';
import { csv, NOW, rows, type TestSeries } from '../../metrics/flux/run.fixture.ts';

/** The queries that Grafana is given, as it would send them: they run on the store's own Flux and LogsQL. */
const minute = 60_000;
const START = NOW - 10 * minute;
const filled = (query: string) =>
  query
    .replaceAll('v.timeRangeStart', new Date(START).toISOString())
    .replaceAll('v.timeRangeStop', new Date(NOW).toISOString())
    .replaceAll('v.windowPeriod', '1m0s')
    .replace(/\$\{\w+:regex\}/g, '.*');

interface Target {
  refId: string;
  query?: string;
  expr?: string;
}
const boards = [...BUILT_IN].map(([id, definition]) => ({
  id,
  definition,
  grafana: grafanaDashboard({ id, definition, builtIn: true, version: null, updatedAt: null, updatedBy: null }) as {
    panels: { title: string; targets: Target[] }[];
  },
}));
const queries = boards.flatMap(({ id, definition, grafana }) =>
  grafana.panels.flatMap(({ targets }, i) =>
    targets.map((target, q) => ({
      what: `${id}: ${definition.panels[i]?.title} ${target.refId}`,
      panel: definition.panels[i] as Panel,
      query: (definition.panels[i] as Panel).queries[q] as Panel['queries'][number],
      target,
    })),
  ),
);

/** Two series of whatever the query asks for, with all tags. */
const seriesFor = (query: Panel['queries'][number]): TestSeries[] =>
  query.source === 'metrics'
    ? ['a', 'b'].map((name, i) => ({
        measurement: query.measurement,
        field: query.field,
        tags: {
          worker_id: name,
          workflow_id: name,
          environment: 'dev',
          node: name,
          job_id: name,
          task_id: name,
          thread: name,
        },
        points: [0, 1, 2].flatMap(
          (k) =>
            [
              [START + k * minute, 2 + i],
              [START + k * minute + 1000, 4 + i],
            ] as const,
        ),
      }))
    : [];

it.each(queries.filter(({ target }) => target.query !== undefined))(
  '$what gives numbers in Flux',
  ({ target, query, panel }) => {
    const found = rows(filled(target.query as string), seriesFor(query));
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) expect(Number.isFinite(Number(row['_value'])) && row['_value'] !== '').toBe(true);
    const tags = query.source === 'metrics' ? (query.groupBy ?? []) : [];
    expect(new Set(found.map((row) => tags.map((tag) => row[tag]).join()))).toHaveLength(tags.length === 0 ? 1 : 2);
    // One number for the whole range where the panel shows one, else one a window.
    const windows = panel.kind === 'bar' || panel.kind === 'table' ? 1 : 3;
    expect(found).toHaveLength(windows * (tags.length === 0 ? 1 : 2));
  },
);

it.each(queries.filter(({ target }) => target.expr !== undefined))(
  '$what is LogsQL',
  ({ target }) => void parseQuery(target.expr as string),
);

it('the variables of dashboards are asked for in Flux that runs', () => {
  for (const { grafana } of boards)
    for (const { query } of (grafana as unknown as { templating: { list: { query: string }[] } }).templating.list)
      expect(
        csv(filled(query), [
          {
            measurement: 'worker_metrics',
            field: 'gauge_cpu_usage',
            tags: { worker_id: 'a', workflow_id: 'a', environment: 'dev', job_id: 'a' },
            points: [[START, 1]],
          },
        ]),
      ).toMatch(/,(a|dev)\r\n/);
});

it.each([
  ['sum', 14, 'sum'],
  ['rate', 14 / 60, 'rate'],
  ['mean', 3.5, 'mean'],
])('%s in Flux is %d a window, as in the charts', (_name, value, aggregate) => {
  const query = { source: 'metrics', measurement: 'm', field: 'f', aggregate } as Extract<
    Panel['queries'][number],
    { source: 'metrics' }
  >;
  const panel: Panel = {
    id: 'x',
    title: 'X',
    kind: 'timeseries',
    grid: { x: 0, y: 0, w: 12, h: 8 },
    unit: 'none',
    queries: [query],
  };
  const board = grafanaDashboard({
    id: 'x',
    definition: {
      formatVersion: 1,
      title: 'X',
      description: '',
      time: { last: '1h', refreshSeconds: 0 },
      variables: [],
      panels: [panel],
    },
    builtIn: false,
    version: 1,
    updatedAt: null,
    updatedBy: null,
  }) as { panels: { targets: Target[] }[] };
  const series = seriesFor(query);
  expect(Number(rows(filled(board.panels[0]?.targets[0]?.query ?? ''), series)[0]?.['_value'])).toBeCloseTo(value, 9);
});

const jobs = (place?: Parameters<typeof grafanaDashboard>[1]) =>
  JSON.stringify(
    boards.map(({ id, definition }) =>
      grafanaDashboard({ id, definition, builtIn: true, version: null, updatedAt: null, updatedBy: null }, place),
    ),
  );
const OWN = { all: 'metrics', jobs: null };

it('panels lead to the jobs that they show where the console has an address', () => {
  const linked = jobs({ buckets: OWN, consoleUrl: 'https://yard.example' });
  expect(linked).toContain('https://yard.example/jobs/${__field.labels.job_id}');
  expect(linked).toContain('https://yard.example/jobs?workflow=${__field.labels.workflow_id}&from=${__from:date:iso}');
  expect(linked).toContain('https://yard.example/dashboards/task-details?');
  expect(jobs()).not.toContain('targetBlank');
});

it('of an InfluxDB, what names jobs is asked of their bucket, and series without a tag are part of all', () => {
  const remote = jobs({ buckets: { all: 'ops', jobs: 'ops_jobs' }, consoleUrl: null });
  expect(remote).not.toContain('bucket: \\"metrics\\"');
  expect(remote).toContain('from(bucket: if \\"\\" =~ /^${job:regex}$/ then \\"ops\\" else \\"ops_jobs\\")');
  expect(remote).toContain('from(bucket: \\"ops_jobs\\")');
  expect(remote).toContain('(\\"\\" =~ /^${workflow:regex}$/ or string(v: r[');
});
