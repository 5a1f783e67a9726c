import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf } from '../lib/disk.ts';
import { linesOf, SERIES, START, STEP_MS } from '../lib/metric-points.ts';
import { metricQueries, timeQuery, type MetricQuery } from '../lib/metric-queries.ts';
import { cpuMs, peakMemoryMb } from '../lib/processor-time.ts';
import { round } from '../lib/report.ts';

/** How a metric store is started and asked. All of them take line protocol at `/write`. */
export interface MetricServer {
  readonly name: string;
  readonly port: number;
  arguments(folder: string): string[];
  environment(folder: string): Record<string, string>;
  prepare(base: string): Promise<unknown>;
  questionTo(base: string, query: MetricQuery, end: number): string;
}

export const INFLUXDB: MetricServer = {
  name: 'InfluxDB 1.x',
  port: 18086,
  arguments: () => ['run'],
  environment: (folder) => ({
    HOME: folder,
    INFLUXDB_HTTP_BIND_ADDRESS: '127.0.0.1:18086',
    INFLUXDB_BIND_ADDRESS: '127.0.0.1:18088',
    INFLUXDB_META_DIR: join(folder, 'meta'),
    INFLUXDB_DATA_DIR: join(folder, 'data'),
    INFLUXDB_DATA_WAL_DIR: join(folder, 'wal'),
    INFLUXDB_REPORTING_DISABLED: 'true',
    INFLUXDB_MONITOR_STORE_ENABLED: 'false',
  }),
  prepare: (base) =>
    fetch(`${base}/query`, { method: 'POST', body: new URLSearchParams({ q: 'CREATE DATABASE metrics' }) }),
  questionTo: (base, { influxql }) => `${base}/query?db=metrics&epoch=ms&q=${encodeURIComponent(influxql)}`,
};

export const VICTORIA_METRICS: MetricServer = {
  name: 'VictoriaMetrics',
  port: 18428,
  arguments: (folder) => [`-storageDataPath=${folder}`, '-httpListenAddr=127.0.0.1:18428', '-retentionPeriod=100y'],
  environment: () => ({}),
  prepare: async () => {},
  questionTo: (base, { promql, stepSeconds }, end) =>
    `${base}/api/v1/query_range?query=${encodeURIComponent(promql)}&start=${START / 1000 + stepSeconds}&end=${end / 1000}&step=${stepSeconds}&nocache=1`,
};

/** Starts the program, and gives it over HTTP the points and the questions that ours gets. */
export async function measureMetricServer(
  server: MetricServer,
  program: string,
  { ticks, batch, folder }: { ticks: number; batch: number; folder: string },
) {
  mkdirSync(folder, { recursive: true });
  const base = `http://127.0.0.1:${server.port}`;
  const child = spawn(program, server.arguments(folder), {
    stdio: 'ignore',
    env: { ...process.env, ...server.environment(folder) },
  });
  const pid = child.pid as number;
  const spentMs = () => cpuMs(pid);
  try {
    await answering(server, base);
    await server.prepare(base);
    const before = spentMs();
    let seconds = 0;
    for (const body of linesOf(ticks, batch)) {
      const from = performance.now();
      const answer = await fetch(`${base}/write?db=metrics&precision=ms`, { method: 'POST', body });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${server.name} answered ${answer.status}`);
      seconds += (performance.now() - from) / 1000;
    }
    await settled(spentMs);
    const settledCpuMs = spentMs() - before;
    const end = START + ticks * STEP_MS;
    const queries = [];
    for (const query of metricQueries(end))
      queries.push(await timeQuery(query.name, () => fetch(server.questionTo(base, query, end)), spentMs));
    const points = ticks * SERIES;
    return {
      points,
      pointsPerSecond: Math.round(points / seconds),
      settledCpuMs,
      bytesPerPoint: round(bytesOf(folder) / points),
      queries,
      memoryMb: peakMemoryMb(pid),
    };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
  }
}

async function answering({ name }: MetricServer, base: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await fetch(`${base}/ping`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(50);
  }
  throw new Error(`${name} does not answer`);
}

/** Merges in the background are part of the work: waits until it is at most a tenth of one processor, three minutes at most. */
async function settled(spentMs: () => number): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const before = spentMs();
    await sleep(3000);
    if (spentMs() - before <= 300) return;
  }
}
