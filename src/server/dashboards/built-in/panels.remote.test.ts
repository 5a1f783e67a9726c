import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Panel, PanelQuery } from '../../../contract/dashboards.ts';
import type { MetricSeries } from '../../../contract/metrics.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import { createApiClient, fetchTransport } from '../../../lib/api-client.ts';
import { provisionInflux } from '../../../lib/influxdb/provision.ts';
import { createRemoteHttp, remoteTarget } from '../../../lib/remote-http.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';
import { simple } from '../../testing/http.fixture.ts';
import { connectWorker, type FakeWorker } from '../../testing/worker.fake.ts';
import { BUILT_IN } from '../dashboards.ts';
import { work } from './panels.fixture.ts';

/**
 * Every panel of the built-in dashboards of a master that keeps logs and metrics elsewhere, which is another master: it shows
 * what that one reads from its own stores.
 */
const TOKEN = 'ymt_of_the_test';
const JOBS = 40;
/** Both masters take in what they measure at their own pace, on a busy machine for a while. */
const SOON = { interval: 100 };
const BELIEVED = { workerUnstableSeconds: 600, workerDownSeconds: 3600 };
const client = (master: RunningMaster) =>
  createApiClient(fetchTransport({ url: master.ready.url, token: TOKEN }, fetch)).call;
type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;

let stores: RunningMaster;
let master: RunningMaster;
let worker: FakeWorker;
let own: ReturnType<typeof client>;
let remote: ReturnType<typeof client>;
let range: { from: string; to: string };

beforeAll(async () => {
  stores = await openMaster({ data: temporaryFolder('stores'), adminToken: TOKEN });
  const { metrics, logStore } = stores.ready.ports;
  const shared = { credentials: { token: TOKEN }, caFile: null };
  const influx = { ...shared, url: `http://127.0.0.1:${metrics}`, organization: 'yardmaster', bucket: 'metrics' };
  const http = createRemoteHttp(remoteTarget(influx, '--metrics-ca'), 1);
  const retention = { all: 0, jobs: 0, rolled: 0 };
  await provisionInflux(http, influx.url, { ...influx, retention, dryRun: false });
  http.close();
  master = await openMaster({
    data: temporaryFolder('remote'),
    adminToken: TOKEN,
    limits: { retryCheckSeconds: 1, ...BELIEVED },
    metrics: influx,
    logs: { ...shared, url: `http://127.0.0.1:${logStore}`, insertUrl: null, tenant: null },
  });
  own = client(stores);
  remote = client(master);
  await remote('workflows.create', { body: { id: 'panels-remote', name: 'Panels' } });
  const nodes = simple.nodes.map((node) =>
    node.id === 'up' ? { ...node, retries: 1, retryBackoffSeconds: 0.1 } : node,
  );
  const params = { id: 'panels-remote' };
  const { hash } = await remote('commits.create', {
    params,
    json: JSON.stringify({ definition: { ...simple, nodes }, message: 'm', parent: null }),
  });
  await remote('workflows.publish', { params: { ...params, environment: 'dev' }, body: { hash, description: 'x' } });
  const { token } = await remote('tokens.create', { body: { name: 'w', role: 'worker' } });
  const from = Math.floor(Date.now() / 1000) * 1000 - 1000;
  worker = await connectWorker({
    url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`,
    token,
    capacity: 8,
  });
  worker.beat();
  work(worker).catch(() => {});
  for (let i = 0; i < JOBS; i++)
    await remote('jobs.create', {
      body: {
        ...{ workflowId: 'panels-remote', environment: 'dev', labels: {} },
        inputs: [{ content: `${['good', 'bad', 'again', 'good'][i % 4]} ${i}` }],
      },
    });
  const levels = ['INFO', 'ERROR', 'WARN', 'ERROR'];
  await fetch(`http://127.0.0.1:${master.ready.ports.logStore}/insert/jsonline`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: levels
      .map((level, i) => JSON.stringify({ _time: new Date(from + i).toISOString(), level, _msg: 'x' }))
      .join('\n'),
  });
  await vi.waitFor(
    async () => {
      const end = new Date(Date.now() + 1000).toISOString();
      range = { from: new Date(from).toISOString(), to: end };
      expect(sum(await ask(remote, of('job-monitoring', 'finished'), '1s'))).toBe(JOBS);
      // The master measures itself every few seconds, and workers tell of themselves with their heartbeat.
      for (const panel of ['memory', 'queue'])
        expect((await ask(remote, of('system-health', panel), null)).total).toBe(1);
      expect((await ask(remote, of('cluster-overview', 'slots'), null)).total).toBe(1);
    },
    { timeout: 240_000, interval: 500 },
  );
}, 320_000);
afterAll(async () => {
  await worker.vanish();
  await master.close();
  await stores.close();
});

function of(dashboard: string, panel: string): MetricQuery {
  const query = BUILT_IN.get(dashboard)?.panels.find(({ id }) => id === panel)?.queries[0];
  if (query?.source !== 'metrics') throw new Error(`${dashboard} has no such query of metrics: ${panel}`);
  return query;
}
const sum = ({ series }: Pick<MetricSeries, 'series'>) =>
  series.flatMap(({ values }) => values).reduce((a, b) => a + b, 0);
const ask = (
  call: typeof remote,
  { measurement, field, aggregate, groupBy = [] }: MetricQuery,
  interval: string | null,
  filters: Record<string, string[]> = {},
) =>
  call('metrics.series', {
    query: { measurement, field, aggregate, groupBy: groupBy.join(','), interval, ...range, ...filters },
  });
/** Sums of floats differ in their last digits by the order in which they were added. */
const rounded = ({ series, total }: MetricSeries) => ({
  total,
  series: series
    .map(({ tags, times, values }) => ({ tags, times, values: values.map((value) => Number(value.toPrecision(9))) }))
    .toSorted((a, b) => (JSON.stringify(a.tags) < JSON.stringify(b.tags) ? -1 : 1)),
});

const panels = [...BUILT_IN].flatMap(([dashboard, { panels: all }]) =>
  all.map((panel): [string, Panel] => [`${dashboard}: ${panel.title}`, panel]),
);
/** What a person may choose above a dashboard. */
const chosen = { workflow_id: ['panels-remote'], environment: ['dev'] };

describe('over stores elsewhere', () => {
  it.each(panels)(
    '%s',
    async (_name, { queries }) => {
      for (const query of queries) {
        if (query.source === 'logs') {
          const hits = (call: typeof remote) =>
            call('logs.hits', { query: { query: query.query, field: query.field ?? 'level', step: '1s', ...range } });
          await vi.waitFor(async () => expect(await hits(remote)).toEqual(await hits(own)), SOON);
          const found = await remote('logs.search', { query: { query: query.query, limit: 10, ...range } });
          expect(found.records.length).toBeGreaterThanOrEqual(3);
          continue;
        }
        // Which job a point is of, the bucket of jobs has alone.
        if (query.groupBy?.includes('job_id')) {
          expect((await ask(remote, query, '1s')).total).toBe(JOBS);
          continue;
        }
        for (const interval of ['1s', '1m', null])
          for (const filters of query.measurement === 'system_metrics' ? [{}] : [{}, chosen])
            await vi.waitFor(
              async () =>
                expect(rounded(await ask(remote, query, interval, filters))).toEqual(
                  rounded(await ask(own, query, interval, filters)),
                ),
              SOON,
            );
      }
    },
    200_000,
  );

  it('one job has charts of its own', async () => {
    const { items } = await remote('jobs.list', { query: { size: 1 } });
    const filters = { job_id: [items[0]?.id ?? ''] };
    const query = of('task-details', 'run');
    expect((await ask(remote, { ...query, aggregate: 'count' }, null, filters)).series.length).toBeGreaterThan(0);
  });

  it('the size of a store that is not its own is not said to be nothing', async () => {
    const { items } = await remote('metrics.names');
    const fields = items.find(({ measurement }) => measurement === 'system_metrics')?.fields.map(({ name }) => name);
    expect(fields).toContain('gauge_remote_metrics_queue_bytes');
    const lastOf = (field: string) =>
      fetch(`${master.ready.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
        .then((answer) => answer.text())
        .then((text) => text.includes(`yardmaster_${field} `));
    expect(await lastOf('store_bytes')).toBe(true);
    for (const field of ['log_store_bytes', 'log_records', 'metric_store_bytes', 'metric_points'])
      expect(await lastOf(field), field).toBe(false);
  });

  it('all alert rules are evaluated', async () => {
    await vi.waitFor(
      async () => {
        const { items } = await remote('alertRules.list', { query: { size: 200 } });
        expect(items.length).toBeGreaterThan(10);
        expect(items.filter(({ lastEvaluatedAt }) => lastEvaluatedAt === null)).toEqual([]);
        expect(items.flatMap(({ name, lastError }) => (lastError === null ? [] : [[name, lastError]]))).toEqual([]);
      },
      { timeout: 120_000, interval: 500 },
    );
  }, 130_000);

  it('a rule by metrics sees them, also of the time before it was made', async () => {
    const preview = await remote('alertRules.preview', {
      body: {
        query: {
          ...{ source: 'metrics', measurement: 'task_metrics', field: 'counter_error_count', aggregate: 'sum' },
          ...{ groupBy: ['workflow_id'], filters: {} },
        },
        ...{ rangeSeconds: 300, reducer: 'sum', threshold: { op: 'gt', value: 0 }, forSeconds: 0, intervalSeconds: 10 },
        ...range,
      },
    });
    expect(preview.series.map(({ labels }) => labels)).toContainEqual(
      expect.objectContaining({ workflow_id: 'panels-remote' }),
    );
    expect(preview.firing).toBeGreaterThan(0);
  });

  it('a publication is compared with the runs before it', async () => {
    const { items } = await remote('publications.impact', { params: { id: 'panels-remote' }, query: {} });
    expect(items).toHaveLength(1);
  });
});
