import Database from 'better-sqlite3';
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../src/contract/limits.ts';
import { createMetrics } from '../src/server/metrics/metrics.ts';
import { createInfluxHttp } from '../src/server/metrics/http/serve.ts';
import type { MetricStore } from '../src/server/metrics/port.ts';
import { metricQueries, timeQuery, type QueryFigures } from './lib/metric-queries.ts';
import { linesOf, pointsOf, SERIES, START, STEP_MS } from './lib/metric-points.ts';
import { measurePeer } from './peers/metrics.ts';
import { line, median, opening, quantile, round, summary, type Target } from './lib/report.ts';

/**
 * The metric store: 10 M points of 2,000 series over a day as line protocol, then a day's means by minute over all
 * series, the last value of each, Flux over HTTP, and what SIGKILL leaves of what was acknowledged. Beside it: plain rows in SQLite,
 * and InfluxDB 1.x or VictoriaMetrics where INFLUXD_BIN or VMETRICS_BIN names their program. `--points=2000000` for fewer.
 * Times of the processor are those of all threads: they say how much work it is, whatever else runs on the machine.
 */
const quick = process.argv.includes('--quick');
const given = Number(process.argv.find((one) => one.startsWith('--points='))?.slice('--points='.length) ?? 10_000_000);
const TICKS = quick ? 20 : Math.max(1, Math.round(given / SERIES));
const BATCH = 5000;
const KILLS = quick ? 1 : 20;
const POINTS = TICKS * SERIES;

opening('metrics', quick, ['better-sqlite3']);
const targets: Target[] = [];
const folder = mkdtempSync(join(tmpdir(), 'bench-metrics-'));
try {
  const ours = await measureOurs();
  line({ system: 'yardmaster', ...ours });
  const floor = measureFloor(quick ? POINTS : 1_000_000);
  line({ system: 'sqlite rows', ...floor });
  targets.push({
    name: 'ingest against plain rows',
    value: ours.pointsPerSecond / floor.pointsPerSecond,
    target: quick ? 0.2 : 1.5,
    wanted: 'at least',
  });
  targets.push({ name: 'bytes a point', value: ours.bytesPerPoint, target: quick ? 20 : 2.5, wanted: 'at most' });
  targets.push({ name: 'loop delay p99 ms', value: ours.loopP99Ms, target: quick ? 100 : 10, wanted: 'at most' });
  for (const [system, program] of [
    ['influxdb', process.env['INFLUXD_BIN']],
    ['victoriametrics', process.env['VMETRICS_BIN']],
  ] as const) {
    if (!program) continue;
    const peer = await measurePeer(system, program, TICKS, BATCH, join(folder, system));
    line({ system, ...peer });
    targets.push({
      name: `ingest against ${system}`,
      value: ours.pointsPerSecond / peer.pointsPerSecond,
      target: system === 'influxdb' ? 1.5 : 0.5,
      wanted: 'at least',
    });
    targets.push({
      name: `day of means against ${system}`,
      value: ours.dayOfMeansMs / peer.dayOfMeansMs,
      target: system === 'influxdb' ? 0.1 : 1,
      wanted: 'at most',
    });
    for (const [i, { name, most }] of metricQueries(0).entries()) {
      const [own, theirs] = [ours.queries[i], peer.queries[i]];
      if (!own || !theirs) continue;
      line({ query: name, against: system, processorTime: round(own.warmCpuMs / Math.max(10, theirs.warmCpuMs)) });
      targets.push({
        name: `${name} against ${system}`,
        value: own.warmMs / theirs.warmMs,
        target: most,
        wanted: 'at most',
      });
    }
    if (system === 'victoriametrics')
      targets.push({
        name: `processor time until settled against ${system}`,
        value: (ours.ingestCpuMs + ours.settleCpuMs) / peer.settledCpuMs,
        target: 1.5,
        wanted: 'at most',
      });
    if (system === 'influxdb')
      targets.push({
        name: 'disk against influxdb',
        value: ours.bytesPerPoint / peer.bytesPerPoint,
        target: 0.6,
        wanted: 'at most',
      });
  }
  const lost = await kills();
  line({ kills: KILLS, ...lost });
  targets.push({
    name: 'acknowledged points lost or doubled by SIGKILL',
    value: lost.wrong,
    target: 0,
    wanted: 'at most',
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = summary(targets);

function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function measureOurs() {
  const path = join(folder, 'ours');
  const { room, store } = await createMetrics({
    folder: path,
    limits: { ...LIMITS },
    clock: { now: () => START + TICKS * STEP_MS },
  });
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const batches: number[] = [];
  let seconds = 0;
  let cpu = 0;
  for (const bytes of linesOf(TICKS, BATCH)) {
    loop.enable();
    const from = performance.now();
    const spent = cpuMs();
    await store.write('metrics', bytes, 'ms');
    cpu += cpuMs() - spent;
    batches.push(performance.now() - from);
    loop.disable();
    seconds += (performance.now() - from) / 1000;
  }
  const settleFrom = performance.now();
  const settleSpent = cpuMs();
  await room.settle();
  const settleMs = performance.now() - settleFrom;
  const settleCpuMs = cpuMs() - settleSpent;
  loop.enable();
  const range = { from: START, to: START + TICKS * STEP_MS };
  const dayOfMeans = await times(5, () =>
    room.series({
      measurement: 'bench',
      field: 'value',
      aggregate: 'mean',
      groupBy: [],
      filters: {},
      ...range,
      intervalMs: 60_000,
      limit: 10,
    }),
  );
  const byHost = await times(3, () =>
    room.series({
      measurement: 'bench',
      field: 'value',
      aggregate: 'max',
      groupBy: ['host'],
      filters: {},
      ...range,
      intervalMs: 3_600_000,
      limit: 1000,
    }),
  );
  const one = await times(5, () =>
    room.series({
      measurement: 'bench',
      field: 'value',
      aggregate: 'mean',
      groupBy: [],
      filters: { host: ['7'], core: ['1'] },
      ...range,
      intervalMs: 60_000,
      limit: 10,
    }),
  );
  const last = await times(5, () =>
    room.series({
      measurement: 'bench',
      field: 'value',
      aggregate: 'last',
      groupBy: ['host', 'core'],
      filters: {},
      ...range,
      intervalMs: null,
      limit: 10_000,
    }),
  );
  loop.disable();
  const queries = await measureQueries(store, range.to);
  if (last.result.total !== SERIES) throw new Error(`${last.result.total} series have a last value`);
  const sorted = batches.toSorted((a, b) => a - b);
  const measured = {
    points: POINTS,
    pointsPerSecond: Math.round(POINTS / seconds),
    pointsPerCpuSecond: Math.round((POINTS / cpu) * 1000),
    ingestCpuMs: Math.round(cpu),
    settleCpuMs: Math.round(settleCpuMs),
    queries,
    dayOfMeansCpuMs: round(dayOfMeans.cpu),
    hourlyMaxByHostCpuMs: round(byHost.cpu),
    dayOfOneSeriesCpuMs: round(one.cpu),
    lastOfEachCpuMs: round(last.cpu),
    batchP50Ms: round(quantile(sorted, 0.5)),
    batchP99Ms: round(quantile(sorted, 0.99)),
    settleMs: Math.round(settleMs),
    bytesPerPoint: round(bytesOf(path) / POINTS),
    dayOfMeansMs: round(dayOfMeans.ms),
    hourlyMaxByHostMs: round(byHost.ms),
    dayOfOneSeriesMs: round(one.ms),
    lastOfEachMs: round(last.ms),
    loopP99Ms: round(loop.percentile(99) / 1e6 - 1),
    rssMegabytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
  await room.close();
  return measured;
}

/** Flux as clients ask it: over HTTP, the answer as CSV. */
async function measureQueries(store: MetricStore, end: number): Promise<QueryFigures[]> {
  const http = createInfluxHttp({
    store,
    limits: { ...LIMITS },
    clock: { now: () => end },
    refusing: () => null,
    audit: async () => {},
    onError(error) {
      throw error;
    },
  });
  const server = createServer((request, response) =>
    http.handle(request, response, { name: 'bench', role: 'admin', address: null }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/query`;
  const figures: QueryFigures[] = [];
  for (const { name, flux } of metricQueries(end)) {
    const headers = { 'content-type': 'application/vnd.flux' };
    figures.push(await timeQuery(name, () => fetch(url, { method: 'POST', headers, body: flux }), cpuMs));
  }
  http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return figures;
}

/** Of this process, all threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function times<T>(count: number, run: () => Promise<T>): Promise<{ ms: number; cpu: number; result: T }> {
  const taken: number[] = [];
  const spent: number[] = [];
  let result: T;
  do {
    const from = performance.now();
    const before = cpuMs();
    result = await run();
    taken.push(performance.now() - from);
    spent.push(cpuMs() - before);
  } while (taken.length < count);
  return { ms: median(taken), cpu: median(spent), result };
}

/** The same points as rows: what SQLite does without a layout of ours. */
function measureFloor(points: number) {
  const file = join(folder, 'rows.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    'CREATE TABLE point (series INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY (series, time)) STRICT, WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT INTO point VALUES (?, ?, ?)');
  let seconds = 0;
  let cpu = 0;
  for (const batch of pointsOf(points / SERIES, BATCH)) {
    const from = performance.now();
    const spent = cpuMs();
    db.transaction(() => {
      for (const { series, time, value } of batch) insert.run(series, time, value);
    })();
    seconds += (performance.now() - from) / 1000;
    cpu += cpuMs() - spent;
  }
  const from = performance.now();
  db.prepare('SELECT time / 60000, avg(value) FROM point GROUP BY 1').all();
  const dayOfMeansMs = performance.now() - from;
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return {
    points,
    pointsPerSecond: Math.round(points / seconds),
    pointsPerCpuSecond: Math.round((points / cpu) * 1000),
    bytesPerPoint: round(statSync(file).size / points),
    meansMs: round(dayOfMeansMs),
  };
}

/** A process writes, and tells what was acknowledged, until it is killed; then the store must hold all of that, each once. */
async function kills() {
  let wrong = 0;
  let acknowledged = 0;
  const path = join(folder, 'kills');
  for (let round = 0; round < KILLS; round++) {
    const child = fork(fileURLToPath(new URL('lib/metric-writer.ts', import.meta.url)), [path, String(round)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let told = 0;
    child.on('message', (count: number) => {
      told = count;
      if (count >= 20 + ((round * 7) % 40)) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.on('exit', resolve));
    acknowledged += told;
    const { room } = await createMetrics({ folder: path, limits: { ...LIMITS }, clock: { now: Date.now } });
    const { series } = await room.series({
      measurement: 'kill',
      field: 'n',
      aggregate: 'count',
      groupBy: ['batch'],
      filters: { round: [String(round)] },
      from: 0,
      to: 1e13,
      intervalMs: null,
      limit: 10_000,
    });
    await room.close();
    const counts = new Map(series.map(({ tags, values }) => [tags['batch'], values[0]]));
    for (let batch = 0; batch < told; batch++) if (counts.get(String(batch % 10)) === undefined) wrong++;
    const total = [...counts.values()].reduce<number>((sum, count) => sum + (count ?? 0), 0);
    // One more may have been written than was told of.
    if (total < told * 1000 || total > (told + 2) * 1000 || total % 1000 !== 0) wrong++;
  }
  return { acknowledgedBatches: acknowledged, wrong };
}
