import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard, DashboardDefinition, GrafanaExport } from '../../contract/dashboards.ts';
import { LOG_LEVELS } from '../../contract/vocabulary.ts';
import { startHarness, type Harness } from '../testing/http.fixture.ts';
import { BUILT_IN } from './dashboards.ts';
import { assertValidDashboard } from './validate-dashboard.ts';

let h: Harness;
beforeAll(async () => void (h = await startHarness()));
afterAll(() => h.close());

const as = (
  role: 'viewer' | 'operator' | 'admin',
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
) =>
  h.app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${h.tokens[role]}` },
    ...(payload ? { payload } : {}),
  });
const small: DashboardDefinition = {
  formatVersion: 1,
  title: 'Mine',
  description: '',
  time: { last: '30m', refreshSeconds: 0 },
  variables: [{ name: 'flow', label: 'Workflow', tag: 'workflow_id', multi: true, value: [] }],
  panels: [
    {
      id: 'a',
      title: 'A',
      kind: 'timeseries',
      grid: { x: 0, y: 0, w: 12, h: 8 },
      unit: 'ms',
      queries: [
        {
          source: 'metrics',
          measurement: 'job_metrics',
          field: 'timer_total_ms',
          aggregate: 'p95',
          filters: { workflow_id: ['$flow'] },
        },
      ],
    },
  ],
};
const changed = (change: (panel: DashboardDefinition['panels'][number]) => object): DashboardDefinition => ({
  ...small,
  panels: small.panels.map((panel) => ({ ...panel, ...change(panel) })),
});

describe('dashboards', () => {
  it('are four at first, which every reader sees and nobody changes', async () => {
    const { items } = (await as('viewer', 'GET', '/dashboards')).json() as {
      items: { id: string; title: string; builtIn: boolean }[];
    };
    expect(items.map(({ id, title, builtIn }) => [id, title, builtIn])).toEqual([
      ['cluster-overview', 'Cluster Overview', true],
      ['job-monitoring', 'Job Monitoring', true],
      ['task-details', 'Task Details', true],
      ['system-health', 'System Health', true],
    ]);
    for (const { id } of items) expect((await as('viewer', 'GET', `/dashboards/${id}`)).statusCode).toBe(200);
    expect(
      (await as('operator', 'PUT', '/dashboards/cluster-overview', { definition: small, version: 1 })).json(),
    ).toMatchObject({ code: 'DASHBOARD_BUILT_IN' });
    expect((await as('operator', 'DELETE', '/dashboards/cluster-overview')).statusCode).toBe(409);
    expect(
      (await as('operator', 'POST', '/dashboards', { id: 'cluster-overview', definition: small })).json(),
    ).toMatchObject({ code: 'DASHBOARD_EXISTS' });
  });

  it.each([...BUILT_IN])('%s is valid by the rules for those of operators', async (id, definition) => {
    assertValidDashboard(definition);
    const made = await as('operator', 'POST', '/dashboards', { id: `copy-of-${id}`, definition });
    expect([made.statusCode, made.json()]).toEqual([201, expect.objectContaining({ definition })]);
    expect((await as('operator', 'DELETE', `/dashboards/copy-of-${id}`)).statusCode).toBe(204);
  });

  it.each([...BUILT_IN])('no two panels of %s lie on one another', (_id, { panels }) => {
    const cells = panels.flatMap(({ id, grid: { x, y, w, h: rows } }) =>
      Array.from({ length: w * rows }, (_, i) => ({ id, cell: `${x + (i % w)},${y + Math.floor(i / w)}` })),
    );
    expect(new Set(cells.map(({ cell }) => cell)).size).toBe(cells.length);
  });

  it.each([...BUILT_IN])('log panels of %s name levels as the store has them', (_id, { panels }) => {
    const named = panels
      .flatMap(({ queries }) => queries)
      .flatMap((query) =>
        query.source === 'logs' ? [...query.query.matchAll(/level:=?(?:in\(([^)]*)\)|(\w+))/g)] : [],
      )
      .flatMap(([, list, one]) => (list ?? one ?? '').split(/,\s*/));
    for (const level of named) expect(LOG_LEVELS).toContain(level);
  });

  it('are made, changed and deleted by operators, with an audit entry each; a change of an old version is a conflict', async () => {
    expect((await as('viewer', 'POST', '/dashboards', { id: 'mine', definition: small })).statusCode).toBe(403);
    const made = await as('operator', 'POST', '/dashboards', { id: 'mine', definition: small });
    expect([made.statusCode, made.headers['location'], (made.json() as Dashboard).version]).toEqual([
      201,
      '/api/v1/dashboards/mine',
      1,
    ]);
    const next = { ...small, title: 'Ours' };
    expect((await as('operator', 'PUT', '/dashboards/mine', { definition: next, version: 1 })).json()).toMatchObject({
      version: 2,
      definition: next,
      updatedBy: 'operator',
    });
    expect((await as('operator', 'PUT', '/dashboards/mine', { definition: small, version: 1 })).json()).toMatchObject({
      code: 'DASHBOARD_MOVED',
      status: 409,
    });
    expect((await as('operator', 'DELETE', '/dashboards/mine')).statusCode).toBe(204);
    expect((await as('viewer', 'GET', '/dashboards/mine')).json()).toMatchObject({
      code: 'DASHBOARD_NOT_FOUND',
      status: 404,
    });
    const { items } = (await as('viewer', 'GET', '/audit?target=dashboard:mine')).json() as {
      items: { action: string }[];
    };
    expect(items.map(({ action }) => action)).toEqual(['dashboard.delete', 'dashboard.update', 'dashboard.create']);
  });

  it.each([
    ['a panel beside the grid', changed(({ grid }) => ({ grid: { ...grid, x: 20 } })), '/definition/panels/0/grid/w'],
    [
      'a variable that is not there',
      changed(() => ({ queries: [{ source: 'logs', query: 'job_id:$job' }] })),
      '/definition/panels/0/queries/0',
    ],
    ['metrics among logs', changed(() => ({ kind: 'logs' })), '/definition/panels/0/queries/0/source'],
    ['a panel twice', { ...small, panels: [...small.panels, ...small.panels] }, '/definition/panels/1'],
    ['an unknown kind', changed(() => ({ kind: 'pie' })), '/definition/panels/0/kind'],
  ])('with %s are refused, and it is said where', async (_what, definition, pointer) => {
    const refused = await as('operator', 'POST', '/dashboards', { id: 'bad', definition });
    expect(refused.statusCode).toBe(422);
    expect((refused.json() as { errors: { pointer: string }[] }).errors.map((error) => error.pointer)).toContain(
      pointer,
    );
  });
});

it('all of it is written for Grafana, with data sources and the rules that metrics or logs tell', async () => {
  await as('operator', 'POST', '/dashboards', { id: 'mine', definition: small });
  const rule = {
    name: 'Slow',
    query: {
      source: 'metrics',
      measurement: 'job_metrics',
      field: 'timer_total_ms',
      aggregate: 'p95',
      groupBy: ['workflow_id'],
    },
    threshold: { op: 'gt', value: 5000 },
  };
  expect((await as('admin', 'POST', '/alerts/rules', rule)).statusCode).toBe(201);
  const { files } = (await as('viewer', 'GET', '/grafana?metricsUrl=http://metrics:8086')).json() as GrafanaExport;
  const file = (path: string) => JSON.parse(files.find((one) => one.path === path)?.content ?? 'null') as never;
  expect(files.map(({ path }) => path)).toEqual([
    'dashboards/cluster-overview.json',
    'dashboards/job-monitoring.json',
    'dashboards/task-details.json',
    'dashboards/system-health.json',
    'dashboards/mine.json',
    'provisioning/datasources/yardmaster.yaml',
    'provisioning/dashboards/yardmaster.yaml',
    'provisioning/alerting/yardmaster.yaml',
    'README.md',
  ]);
  expect(file('provisioning/datasources/yardmaster.yaml')).toMatchObject({
    apiVersion: 1,
    datasources: [
      {
        uid: 'yardmaster-metrics',
        type: 'influxdb',
        url: 'http://metrics:8086',
        jsonData: { version: 'Flux', organization: 'yardmaster', defaultBucket: 'metrics' },
      },
      { uid: 'yardmaster-logs', type: 'victoriametrics-logs-datasource', url: 'http://localhost:9428' },
    ],
  });
  const groups = (
    file('provisioning/alerting/yardmaster.yaml') as {
      groups: {
        rules: {
          title: string;
          condition: string;
          data: { refId: string; datasourceUid: string; model: { query?: string } }[];
        }[];
      }[];
    }
  ).groups;
  const slow = groups.flatMap(({ rules }) => rules).find(({ title }) => title === 'Slow');
  expect(slow?.data.map(({ refId, datasourceUid }) => [refId, datasourceUid])).toEqual([
    ['A', 'yardmaster-metrics'],
    ['B', '__expr__'],
    ['C', '__expr__'],
  ]);
  expect(slow?.data[0]?.model.query).toContain('quantile(q: 0.95');
  const uids = files
    .filter(({ path }) => path.startsWith('dashboards/'))
    .map(({ content }) => (JSON.parse(content) as { uid: string }).uid);
  expect(new Set(uids).size).toBe(5);
  expect(
    (await as('viewer', 'GET', '/grafana?dashboard=mine')).json().files.map(({ path }: { path: string }) => path),
  ).toContain('dashboards/mine.json');
  expect((await as('viewer', 'GET', '/grafana?metricsUrl=javascript:alert(1)')).statusCode).toBe(422);
});
