import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PanelQuery } from '../../../contract/dashboards.ts';
import type { MetricSeries } from '../../../contract/metrics.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import { TASK_STATES } from '../../../contract/vocabulary.ts';
import { BUILT_IN } from '../dashboards.ts';
import { grafanaDashboard } from '../grafana/dashboard.ts';
import { openMaster } from '../../master.fixture.ts';
import { connectWorker, type FakeWorker } from '../../testing/worker.fake.ts';
import { around, attemptsOf, byTag, counted, only, sumOf, within, work } from './panels.fixture.ts';
import { simple } from '../../testing/http.fixture.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** The numbers of the built-in dashboards, as their panels ask for them, against the job database: jobs of known outcome on a real master. */
type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;
const TOKEN = 'ymt_of_the_test';
const JOBS = 300;
/** Workers of the test beat once: on a busy machine it lasts longer than a silent one is believed in. */
const BELIEVED = { workerUnstableSeconds: 600, workerDownSeconds: 3600 };
/** What the third word of an input tells the worker to do. */
const OUTCOMES = ['good', 'good', 'good', 'bad', 'again'] as const;

let data: string;
let master: RunningMaster;
const workers: FakeWorker[] = [];
let from: number;
let to: number;

const call = async <T>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  headers: Record<string, string> = {},
): Promise<T> => {
  const answer = await fetch(`${master.ready.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
};

beforeAll(async () => {
  data = temporaryFolder('dashboards');
  master = await openMaster({ data, adminToken: TOKEN, limits: { retryCheckSeconds: 1, ...BELIEVED } });
  for (const id of ['upper', 'other']) {
    await call('/api/v1/workflows', { id, name: id });
    const { hash } = await call<{ hash: string }>(`/api/v1/workflows/${id}/commits`, {
      definition: {
        ...simple,
        nodes: simple.nodes.map((node) =>
          node.id === 'up' ? { ...node, retries: 1, retryBackoffSeconds: 0.1 } : node,
        ),
      },
      message: 'm',
      parent: null,
    });
    await call(`/api/v1/workflows/${id}/environments/dev`, { hash }, 'PUT');
  }
  const { key } = await call<{ key: string }>('/api/v1/keys', { name: 'k', workflows: ['*'], environments: ['dev'] });
  const { token } = await call<{ token: string }>('/api/v1/tokens', { name: 'w', role: 'worker' });
  from = Math.floor(Date.now() / 1000) * 1000 - 1000;
  for (let i = 0; i < 2; i++) {
    const worker = await connectWorker({
      url: `${master.ready.url.replace('http', 'ws')}/api/v1/worker`,
      token,
      capacity: 8,
    });
    workers.push(worker);
    worker.beat();
    work(worker).catch(() => {});
  }
  for (let i = 0; i < JOBS; i += 25)
    await Promise.all(
      Array.from({ length: 25 }, (_, k) =>
        fetch(`${master.ready.url}/api/v1/events/${(i + k) % 3 === 0 ? 'other' : 'upper'}/dev`, {
          method: 'POST',
          headers: { 'api-key': key, 'content-type': 'application/json', prefer: 'respond-async' },
          body: JSON.stringify([{ content: `${OUTCOMES[(i + k) % OUTCOMES.length]} ${i + k}` }]),
        }).then((answer) => answer.text()),
      ),
    );
  const open = () =>
    rows<{ n: number }>('SELECT count(*) AS n FROM job WHERE finished_at IS NULL OR retrying > 0')[0]?.n;
  await vi.waitFor(() => expect(open()).toBe(0), { timeout: 240_000, interval: 200 });
  // Points are gathered for a moment before they are stored.
  to = Math.ceil(Date.now() / 1000) * 1000 + 1000;
  await vi.waitFor(
    async () => expect(sumOf(await ask(of('job-monitoring', 'finished')))).toBeGreaterThanOrEqual(JOBS),
    { interval: 200 },
  );
  // Where many share the processors, that takes its time.
}, 320_000);
afterAll(async () => {
  for (const worker of workers) await worker.vanish();
  await master.close();
});

function rows<T>(sql: string): T[] {
  const db = new Database(join(data, 'yardmaster.db'), { readonly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

/** A panel's query. */
function of(dashboard: string, panel: string, query = 0): MetricQuery {
  const found = BUILT_IN.get(dashboard)?.panels.find(({ id }) => id === panel)?.queries[query];
  if (found?.source !== 'metrics') throw new Error(`${dashboard} has no such query of metrics: ${panel}`);
  return found;
}
/** The answer to a panel's query with nothing chosen; `interval` null: one value for the whole time. */
async function ask(
  { measurement, field, aggregate, groupBy = [] }: MetricQuery,
  interval: string | null = '1s',
): Promise<MetricSeries> {
  const query = new URLSearchParams({
    measurement,
    field,
    aggregate,
    groupBy: groupBy.join(','),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(interval === null ? {} : { interval }),
  });
  return await call<MetricSeries>(`/api/v1/metrics/series?${query.toString()}`);
}
const attempts = () =>
  rows<Parameters<typeof attemptsOf>[0]>(
    'SELECT task.node, job.workflow_id, task.history, coalesce(task.input, (SELECT text FROM payload WHERE id = task.input_payload)) AS input, coalesce(task.output, (SELECT text FROM payload WHERE id = task.output_payload)) AS output FROM task JOIN job ON job.seq = task.job',
  ).flatMap(attemptsOf);

it('there are jobs that ended well, that failed, and that were retried', () => {
  expect(
    rows<{ status: string; n: number }>('SELECT status, count(*) AS n FROM job GROUP BY status ORDER BY status'),
  ).toEqual([
    { status: 'COMPLETED', n: JOBS * 0.8 },
    { status: 'FAILED', n: JOBS * 0.2 },
  ]);
  expect(attempts().filter(({ failed: one }) => one)).toHaveLength(JOBS * 0.4);
});

describe('Job Monitoring', () => {
  const finished = () =>
    rows<{ workflow_id: string; duration_ms: number; failed: number; completed: number }>(
      'SELECT * FROM job WHERE finished_at IS NOT NULL',
    );
  it('counts each job that finished once', async () => {
    expect(sumOf(await ask(of('job-monitoring', 'finished')))).toBe(JOBS);
    expect(byTag(await ask(of('job-monitoring', 'throughput')), 'workflow_id')).toEqual(
      counted(finished(), (job) => job.workflow_id),
    );
  });
  it('tells the tasks of finished jobs by state', async () => {
    expect(sumOf(await ask(of('job-monitoring', 'failed')))).toBe(finished().reduce((sum, job) => sum + job.failed, 0));
    const states = BUILT_IN.get('job-monitoring')?.panels.find(({ id }) => id === 'states')?.queries as MetricQuery[];
    expect(states.map(({ legend }) => legend)).toEqual(
      TASK_STATES.filter((state) => !['READY', 'SCHEDULED', 'RUNNING'].includes(state)),
    );
    const shown = Object.fromEntries(
      await Promise.all(states.map(async (query) => [query.legend, sumOf(await ask(query))])),
    );
    const stored = counted(rows<{ state: string }>('SELECT state FROM task'), ({ state }) => state);
    expect(shown).toEqual({
      COMPLETED: stored['COMPLETED'],
      FAILED: stored['FAILED'],
      SCHEDULE_TIMEOUT: 0,
      RUN_TIMEOUT: 0,
    });
  });
  it('tells how long jobs took', async () => {
    const durations = finished().map((job) => job.duration_ms);
    for (const panel of ['p50', 'p95'] as const)
      within(only(await ask(of('job-monitoring', panel), null)), around(durations, panel === 'p50' ? 0.5 : 0.95));
    within(only(await ask(of('job-monitoring', 'duration', 0), null)), around(durations, 0.5));
    within(only(await ask(of('job-monitoring', 'duration', 1), null)), around(durations, 0.95));
    expect(only(await ask(of('job-monitoring', 'duration', 2), null))).toBe(Math.max(...durations));
    const spread = await ask(of('job-monitoring', 'spread'));
    expect(spread.total).toBe(JOBS);
  });
  it('counts attempts that failed, those too that were retried', async () => {
    const errors = counted(
      attempts().filter((one) => one.failed),
      (one) => one.workflow,
    );
    expect(byTag(await ask(of('job-monitoring', 'errors')), 'workflow_id')).toEqual(errors);
  });
});

describe('Task Details', () => {
  it('tells how long nodes wait and run', async () => {
    const up = attempts().filter(({ node }) => node === 'up');
    for (const [panel, times] of [
      ['run', up.map(({ runMs }) => runMs)],
      ['schedule', up.map(({ waitMs }) => waitMs)],
    ] as const) {
      const found = (await ask(of('task-details', panel), null)).series.find(({ tags }) => tags['node'] === 'up');
      within(found?.values[0] as number, around(times, 0.95));
    }
  });
  it('gives what goes in and out as a rate: over the time it comes to what there was', async () => {
    const up = attempts().filter(({ node }) => node === 'up');
    const wanted = {
      in: up.length,
      out: up.filter((one) => !one.failed).length,
      'bytes-in': up.reduce((sum, one) => sum + one.inputBytes, 0),
      'bytes-out': up.reduce((sum, one) => sum + one.outputBytes, 0),
    };
    const shown = Object.fromEntries(
      await Promise.all(
        Object.keys(wanted).map(async (panel) => [
          panel,
          Math.round(byTag(await ask(of('task-details', panel)), 'node')['up'] as number),
        ]),
      ),
    );
    expect(shown).toEqual(wanted);
  });
  it('counts attempts and those that failed by node', async () => {
    const all = counted(attempts(), ({ node }) => node);
    const bad = counted(
      attempts(),
      ({ node }) => node,
      (one) => Number(one.failed),
    );
    expect(byTag(await ask(of('task-details', 'errors'), null), 'node')).toMatchObject(bad);
    expect(byTag(await ask(of('task-details', 'table', 0), null), 'node')).toMatchObject(all);
    expect(byTag(await ask(of('task-details', 'table', 1), null), 'node')).toMatchObject(bad);
  });
});

describe('Cluster Overview', () => {
  const each = (panel: string, interval: string | null = '1s') => ask(of('cluster-overview', panel), interval);
  it('tells who ended how many attempts, and how many of them failed', async () => {
    const all = attempts();
    expect(byTag(await each('distribution', null), 'worker_id')).toEqual(counted(all, ({ worker }) => worker));
    expect(byTag(await each('failures'), 'worker_id')).toEqual(
      counted(
        all,
        ({ worker }) => worker,
        (one) => Number(one.failed),
      ),
    );
    expect(sumOf(await each('lost'))).toBe(JOBS * 0.4);
    expect(Math.round(sumOf(await each('rate')))).toBe(all.length);
  });
  it('tells the slots, the load and the processor of each worker as it told them', async () => {
    const ids = workers.map(({ id }) => id).sort();
    const last = async (panel: string) =>
      (await each(panel)).series.map(({ tags, values }) => [tags['worker_id'], values.at(-1)]).sort();
    expect(await last('slots')).toEqual(ids.map((id) => [id, 8]));
    expect(await last('cpu')).toEqual(ids.map((id) => [id, 0.5]));
    expect(await last('memory')).toEqual(ids.map((id) => [id, 1000]));
    expect((await each('slots-used')).series.map(({ tags }) => tags['worker_id']).sort()).toEqual(ids);
  });
  it('tells the queue', async () => {
    // The master measures itself every few seconds.
    const now = async () => {
      to = Math.max(to, Date.now());
      return (await each('queue', null)).series.map(({ values }) => values[0]);
    };
    await vi.waitFor(async () => expect(await now()).toEqual([0]), { interval: 300 });
  });
  it('shows nothing of a time in which nothing was', async () => {
    const query = of('cluster-overview', 'lost');
    const answer = await call<MetricSeries>(
      `/api/v1/metrics/series?measurement=${query.measurement}&field=${query.field}&aggregate=${query.aggregate}&interval=1s&from=2026-01-01T00:00:00Z&to=2026-01-01T00:01:00Z`,
    );
    expect(answer.series).toEqual([]);
  });
});

it('System Health tells what each thread of the master takes, as /metrics does', async () => {
  await vi.waitFor(
    async () => {
      to = Math.max(to, Date.now());
      for (const panel of ['thread-memory', 'thread-cpu']) {
        const { series } = await ask(of('system-health', panel), null);
        expect(series.map(({ tags }) => tags['thread'])).toEqual(
          expect.arrayContaining(['main', 'metric writer', 'checkpoint']),
        );
      }
    },
    { interval: 500 },
  );
  const answer = await fetch(`${master.ready.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await answer.text()).toMatch(/^yardmaster_thread_memory_bytes\{thread="main"\} \d{7,}$/m);
});

describe('Grafana', () => {
  interface Exported {
    templating: { list: { name: string; query: string }[] };
    panels: { title: string; targets: { refId: string; query?: string; expr?: string; queryType?: string }[] }[];
  }
  const EVERY = '10s';
  const boards = [...BUILT_IN].map(([id, definition]) => ({
    ...(grafanaDashboard({
      id,
      definition,
      builtIn: true,
      version: null,
      updatedAt: null,
      updatedBy: null,
    }) as Exported),
    id,
  }));
  /** As its data source for InfluxDB fills in a query. */
  const filled = (query: string, chosen: string) =>
    query
      .replaceAll('v.timeRangeStart', new Date(from).toISOString().replace('Z', '000000Z'))
      .replaceAll('v.timeRangeStop', new Date(to).toISOString().replace('Z', '000000Z'))
      .replaceAll('v.windowPeriod', EVERY)
      .replace(/\$\{\w+:regex\}/g, chosen);
  const flux = async (query: string) => {
    const answer = await fetch(`http://127.0.0.1:${master.ready.ports.metrics}/api/v2/query?org=yardmaster`, {
      method: 'POST',
      headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({
        dialect: { annotations: ['datatype', 'group', 'default'], delimiter: ',', header: true },
        query,
        type: 'flux',
      }),
    });
    return [answer.status, await answer.text()] as const;
  };
  const logs = async (path: string, args: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${master.ready.ports.logStore}/select/logsql/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: new URLSearchParams({ start: String(from / 1000), end: String(to / 1000), ...args }),
    });
    return [answer.status, await answer.text()] as const;
  };

  it('is answered by the stores for each panel of each dashboard, and finds what there is', async () => {
    await fetch(`http://127.0.0.1:${master.ready.ports.logStore}/insert/jsonline`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: ['INFO', 'ERROR']
        .map((level) => JSON.stringify({ _time: new Date(from + 1000).toISOString(), level, _msg: 'x' }))
        .join('\n'),
    });
    // What the master says of itself comes every few seconds.
    await vi.waitFor(
      async () =>
        expect((await ask(of('system-health', 'stores'), null)).total, 'the master measures itself').toBeGreaterThan(0),
      { interval: 500 },
    );
    let [asked, found] = [0, 0];
    for (const { id, panels } of boards) {
      for (const { title, targets } of panels) {
        for (const { refId, query, expr, queryType } of targets) {
          const what = `${id}: ${title} ${refId}`;
          asked++;
          const [status, text] =
            query !== undefined
              ? await flux(filled(query, '.*'))
              : queryType === 'statsRange'
                ? await logs('stats_query_range', { query: expr as string, step: EVERY })
                : await logs('query', { query: expr as string, limit: '1000' });
          expect([status, status === 200 ? '' : text], what).toEqual([200, '']);
          if (query !== undefined)
            expect(text, what).toMatch(
              /^(#datatype,string,long,.*\r\n#group,.*\r\n#default,_result,.*\r\n,result,table,.*_value.*\r\n(,,\d+,.*\r\n)+\r\n)+$/,
            );
          else if (queryType === 'statsRange')
            expect((JSON.parse(text) as { data: { resultType: string; result: unknown[] } }).data, what).toMatchObject({
              resultType: 'matrix',
              result: [{ values: [[expect.any(Number), '1']] }, {}],
            });
          else
            expect(
              text
                .trim()
                .split('\n')
                .map((line) => (JSON.parse(line) as { level: string }).level),
              what,
            ).toEqual(['ERROR']);
          found++;
        }
      }
    }
    expect(found).toBe(asked);
    expect(asked).toBeGreaterThan(40);
  });

  it('is told the values of each variable, and may choose several', async () => {
    for (const { id, templating } of boards) {
      for (const { name, query } of templating.list) {
        const [status, text] = await flux(filled(query, '.*'));
        expect([status, /^(#.*\r\n)+,result,table,_value\r\n(,,0,.+\r\n)+\r\n$/.test(text)], `${id}: ${name}`).toEqual([
          200,
          true,
        ]);
      }
    }
    const { query = '' } =
      boards
        .find(({ id }) => id === 'job-monitoring')
        ?.panels.find(({ title }) => title === 'Failed attempts by workflow')?.targets[0] ?? {};
    const tagged = async (chosen: string) =>
      [
        ...new Set(
          [
            ...(await flux(filled(query.replace('${workflow:regex}', chosen), '.*')))[1].matchAll(
              /,(upper|other)(?=,|\r\n)/g,
            ),
          ].map(([, name]) => name),
        ),
      ].sort();
    expect([await tagged('(upper|other)'), await tagged('other'), await tagged('no\\.such')]).toEqual([
      ['other', 'upper'],
      ['other'],
      [],
    ]);
  });
});
