import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathTo } from '../src/lib/api-client.ts';
import { startHealthProbe } from './lib/health-probe.ts';
import { loopProbe } from './lib/held.ts';
import { batchesOf, LINE_START, LINE_STEP_MS } from './lib/log-lines.ts';
import { api, createKey, publishChain } from './lib/master-api.ts';
import { linesOf, SERIES, START, STEP_MS } from './lib/metric-points.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary, type Target } from './lib/report.ts';

/**
 * Whether `/healthz` answers while others read much: sorts over a million lines, costly Flux, outputs of 10 MB; and what
 * memory the master takes under `--calls` of a console and of scripts (default 5,000). Beside each figure stands what a bare
 * server took meanwhile. `--only=Flux,memory` measures some; `--lines`, `--ticks` seed fewer lines and points; `--rate=40`
 * begins so many of the calls a second, in place of as many as it can.
 */
const quick = process.argv.includes('--quick');
const given = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const only = given('only')?.split(',');
const LINES = Number(given('lines') ?? (quick ? 2000 : 1_000_000));
const TICKS = Number(given('ticks') ?? (quick ? 10 : 500));
const SORTS = quick ? 4 : 100;
/** Outputs that are read at once, of so many jobs; and lists of lines. */
const OUTPUTS = quick ? 3 : 9;
const LISTS = quick ? 4 : 20;
const CALLS = Number(given('calls') ?? (quick ? 20 : 5000));
/** Calls a second; 0: as many as four callers can. */
const RATE = Number(given('rate') ?? 0);
const ROUNDS = quick ? 1 : 3;
/** Two of these are an output of 10 MB. */
const OUTPUT = quick || only?.join() === 'memory' ? 100_000 : 5_000_000;

opening('health', quick, ['better-sqlite3', 'fastify']);
const data = mkdtempSync(join(tmpdir(), 'bench-health-'));
const probe = loopProbe(data);
const targets: Target[] = [];
/** Queries that were told to come again. */
let refused = 0;
const master = await startMaster({
  workers: 1,
  durability: 'normal',
  data,
  nodeArguments: probe.nodeArguments,
});
const { ready } = master;
const bearer = { authorization: `Bearer ${ready.token}` };
const health = startHealthProbe(ready.url);
try {
  await seedLogs();
  await seedPoints();
  const { key, jobs } = await seedJobs();
  line({ seeded: { lines: LINES, points: TICKS * SERIES, jobs: jobs.length }, rssMB: residentMB(), load: load() });
  await sleep(quick ? 200 : 3000);

  await measured('nothing', () => sleep(quick ? 500 : 5000));
  await measured('sorts over all lines', () => all(SORTS, (i) => sorted(i)));
  await measured('Flux', () => all(quick ? 2 : 12, (i) => flux(i)));
  await measured('outputs of 10 MB read', () =>
    times(ROUNDS, () => all(OUTPUTS, (i) => output(jobs[i % jobs.length] ?? ''))),
  );
  await measured('events answered with 10 MB', () => times(ROUNDS, () => all(OUTPUTS, () => event(key))));
  await measured('log lists', () => times(ROUNDS, () => all(LISTS, () => search())));
  await memory(jobs, key);
  process.exitCode = summary(targets);
} finally {
  health.stop();
  await master.stop();
  rmSync(data, { recursive: true, force: true });
}

async function measured(what: string, run: () => Promise<unknown>): Promise<void> {
  if (only !== undefined && !only.some((one) => what.includes(one))) return;
  refused = 0;
  await probe.longest(ready.pid);
  const { seconds, figures } = await health.during(run);
  const held = await probe.longest(ready.pid);
  line({
    under: what,
    seconds: round(seconds),
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)])),
    refused,
    loopMs: round(held.wallMs),
    loopOwnMs: round(held.cpuMs),
    rssMB: residentMB(),
    load: load(),
  });
  targets.push(
    { name: `${what}: /healthz p99, ms`, value: figures.p99Ms, target: 50, wanted: 'at most' },
    { name: `${what}: /healthz max, ms`, value: figures.maxMs, target: 150, wanted: 'at most' },
    { name: `${what}: event loop held, ms of its own`, value: held.cpuMs, target: 50, wanted: 'at most' },
  );
}

/** Many reads of every kind, one after the other in four lanes; what the master's memory comes to. */
async function memory(jobs: readonly string[], key: string): Promise<void> {
  if (only !== undefined && !only.includes('memory')) return;
  const kinds = [
    () => get(`${pathTo('jobs.list')}?size=50`),
    () => search(500),
    () => get(`${pathTo('jobs.get', { params: { jobId: jobs[0] ?? '' } })}`),
    () => get(`${pathTo('tasks.list', { params: { jobId: jobs[0] ?? '' } })}?size=50`),
    () => logs('job_id:="job-7" | stats by (level) count() n'),
    () => get(pathTo('workflows.list')),
    () => get('/metrics'),
    () => flux(1, 'range(start: 2026-01-01T00:00:00Z, stop: 2026-01-01T01:00:00Z) |> filter(fn: (r) => r.host == "7")'),
    () => smallEvent(key),
    () => logs(`job_id:="job-${Math.floor(Math.random() * 200)}"`),
  ];
  let done = 0;
  let most = 0;
  const before = residentMB();
  const from = performance.now();
  const told = setInterval(
    () => {
      most = Math.max(most, residentMB());
      const ofItsOwn = residentMB('RssAnon');
      line({
        calls: done,
        seconds: round((performance.now() - from) / 1000),
        rssMB: residentMB(),
        ofItsOwn,
        load: load(),
      });
    },
    quick ? 1000 : 10_000,
  );
  await all(4, async (lane) => {
    for (let i = lane; i < CALLS; i += 4) {
      if (RATE > 0) await sleep(Math.max(0, from + (i * 1000) / RATE - performance.now()));
      await kinds[i % kinds.length]?.();
      done++;
    }
  });
  clearInterval(told);
  most = Math.max(most, residentMB());
  const seconds = (performance.now() - from) / 1000;
  line({ calls: CALLS, perSecond: round(CALLS / seconds), beforeMB: before, rssMB: residentMB(), mostMB: most });
  targets.push({ name: 'resident memory, MB', value: most, target: 300, wanted: 'at most' });
}

async function seedLogs(): Promise<void> {
  for (const { bytes } of batchesOf(0, LINES))
    await posted(
      `http://127.0.0.1:${ready.ports.logStore}/insert/jsonline?_stream_fields=source,worker_id&_msg_field=_msg&_time_field=_time`,
      new Uint8Array(bytes),
      'application/stream+json',
    );
}

async function seedPoints(): Promise<void> {
  for (const bytes of linesOf(TICKS, 5000))
    await posted(
      `http://127.0.0.1:${ready.ports.metrics}/api/v2/write?org=yardmaster&bucket=metrics&precision=ms`,
      bytes,
      'text/plain',
    );
}

/** Jobs whose output is that of two replicas, and a secret, for which their answers are looked through. */
async function seedJobs(): Promise<{ key: string; jobs: string[] }> {
  const { call } = api(ready);
  await publishChain(ready, 'large', undefined, [
    { id: 'make', type: 'code', config: { source: `return { content: 'abcdefgh '.repeat(${OUTPUT} / 9) }` } },
  ]);
  await publishChain(ready, 'small', undefined, [{ id: 'pass', type: 'transform', config: { expression: '$' } }]);
  await call('secrets.set', { params: { name: 'BENCH' }, body: { value: 'a-secret-of-the-benchmark' } });
  const key = await createKey(ready);
  const jobs: string[] = [];
  for (let i = 0; i < OUTPUTS; i++) {
    const { jobId } = await call('jobs.create', {
      body: { workflowId: 'large', environment: 'dev', inputs: [{ i }, { i }] },
    });
    while ((await call('jobs.get', { params: { jobId } })).status === 'RUNNING') await sleep(20);
    jobs.push(jobId);
  }
  return { key, jobs };
}

function sorted(i: number): Promise<void> {
  return logs(`* | sort by (${['trace', 'ms', 'code', '_msg'][i % 4]}) | limit ${10 + i}`);
}

async function logs(query: string): Promise<void> {
  await posted(
    `http://127.0.0.1:${ready.ports.logStore}/select/logsql/query`,
    new URLSearchParams({
      query,
      start: String(LINE_START / 1000),
      end: String((LINE_START + LINES * LINE_STEP_MS) / 1000),
    }),
    null,
    [200, 400, 503],
  );
}

function search(limit = 10_000): Promise<void> {
  return get(
    `${pathTo('logs.search')}?limit=${limit}&from=${new Date(LINE_START).toISOString()}&query=${encodeURIComponent('*')}`,
  );
}

async function flux(i: number, range?: string): Promise<void> {
  const stop = new Date(START + TICKS * STEP_MS).toISOString();
  const during = range ?? `range(start: ${new Date(START).toISOString()}, stop: ${stop})`;
  const rest = [
    '|> group(columns: ["core"]) |> sort(columns: ["_value"]) |> map(fn: (r) => ({r with twice: r._value * 2.0}))',
    '|> aggregateWindow(every: 1m, fn: mean) |> group() |> sort(columns: ["_value"])',
    '|> group() |> sort(columns: ["_value", "_time"], desc: true) |> limit(n: 100000)',
    '|> pivot(rowKey: ["_time"], columnKey: ["host"], valueColumn: "_value")',
  ][i % 4];
  await posted(
    `http://127.0.0.1:${ready.ports.metrics}/api/v2/query?org=yardmaster`,
    `from(bucket: "metrics") |> ${during} |> filter(fn: (r) => r._measurement == "bench") ${rest}`,
    'application/vnd.flux',
    [200, 400, 429, 503],
  );
}

function output(jobId: string): Promise<void> {
  return get(pathTo('jobs.output', { params: { jobId } }));
}

async function event(key: string): Promise<void> {
  await posted(
    ready.url + pathTo('events.send', { params: { workflowId: 'large', environment: 'dev' } }),
    JSON.stringify([{ i: 1 }, { i: 2 }]),
    'application/json',
    [200],
    { 'api-key': key },
  );
}

async function smallEvent(key: string): Promise<void> {
  await posted(
    ready.url + pathTo('events.send', { params: { workflowId: 'small', environment: 'dev' } }),
    '[{"i":1}]',
    'application/json',
    [200],
    { 'api-key': key },
  );
}

async function get(path: string): Promise<void> {
  // A machine that is busy with much else may refuse a query: it is counted.
  await eaten(await fetch(ready.url + path, { headers: bearer }), path, [200, 503]);
}

async function posted(
  url: string,
  body: BodyInit,
  type: string | null,
  expected: readonly number[] = [200, 204],
  headers: Record<string, string> = bearer,
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { ...headers, ...(type === null ? {} : { 'content-type': type }) },
  });
  await eaten(answer, url, expected);
}

/** Reads the body to its end and keeps nothing of it. */
async function eaten(answer: Response, what: string, expected: readonly number[]): Promise<void> {
  if (answer.status >= 400) refused++;
  if (!expected.includes(answer.status))
    throw new Error(`${what}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  if (answer.body) for await (const _ of answer.body as unknown as AsyncIterable<Uint8Array>);
}

function all(count: number, run: (i: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, i) => run(i)));
}
async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await run();
}
function residentMB(field = 'VmRSS'): number {
  const status = readFileSync(`/proc/${ready.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}
function load(): number {
  return round(loadavg()[0] ?? 0);
}
