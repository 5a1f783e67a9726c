import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LIMITS } from '../../src/contract/limits.ts';
import { createInfluxHttp } from '../../src/server/metrics/http/serve.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import type { MetricStore } from '../../src/server/metrics/port.ts';
import { bytesOf } from './disk.ts';
import { linesOf, SERIES, START, STEP_MS } from './metric-points.ts';
import { metricQueries, timeQuery, type QueryFigures } from './metric-queries.ts';
import { peakMemoryMb } from './processor-time.ts';
import { median, quantile, round } from './report.ts';

/**
 * The metric store in this process: writes, and asks a day's means by minute over all series, an hour's maxima by host, the last
 * value of each series, and Flux over HTTP. Times of the processor are those of all threads of this process.
 */
export async function measureOwnMetrics(path: string, ticks: number, batch: number) {
  const points = ticks * SERIES;
  const { room, store } = await createMetrics({
    folder: path,
    limits: { ...LIMITS },
    clock: { now: () => START + ticks * STEP_MS },
  });
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const batches: number[] = [];
  let seconds = 0;
  let cpu = 0;
  for (const bytes of linesOf(ticks, batch)) {
    loop.enable();
    const from = performance.now();
    const spent = ownCpuMs();
    await store.write('metrics', bytes, 'ms');
    cpu += ownCpuMs() - spent;
    batches.push(performance.now() - from);
    loop.disable();
    seconds += (performance.now() - from) / 1000;
  }
  const settleFrom = performance.now();
  const settleSpent = ownCpuMs();
  await room.settle();
  const settleMs = performance.now() - settleFrom;
  const settleCpuMs = ownCpuMs() - settleSpent;
  loop.enable();
  const range = { from: START, to: START + ticks * STEP_MS };
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
    points,
    pointsPerSecond: Math.round(points / seconds),
    pointsPerCpuSecond: Math.round((points / cpu) * 1000),
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
    bytesPerPoint: round(bytesOf(path) / points),
    dayOfMeansMs: round(dayOfMeans.ms),
    hourlyMaxByHostMs: round(byHost.ms),
    dayOfOneSeriesMs: round(one.ms),
    lastOfEachMs: round(last.ms),
    loopP99Ms: round(loop.percentile(99) / 1e6 - 1),
    memoryMb: peakMemoryMb(process.pid),
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
    figures.push(await timeQuery(name, () => fetch(url, { method: 'POST', headers, body: flux }), ownCpuMs));
  }
  http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return figures;
}

/** Processor time of this process, all threads, ms. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function times<T>(count: number, run: () => Promise<T>): Promise<{ ms: number; cpu: number; result: T }> {
  const taken: number[] = [];
  const spent: number[] = [];
  let result: T;
  do {
    const from = performance.now();
    const before = ownCpuMs();
    result = await run();
    taken.push(performance.now() - from);
    spent.push(ownCpuMs() - before);
  } while (taken.length < count);
  return { ms: median(taken), cpu: median(spent), result };
}
