import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf, SERIES, START, STEP_MS } from '../lib/metric-points.ts';
import { metricQueries, timeQuery } from '../lib/metric-queries.ts';
import { cpuMs, peakMemoryMb } from '../lib/processor-time.ts';
import { median, round } from '../lib/report.ts';

/** InfluxDB 1.x or VictoriaMetrics with the same points and questions, over HTTP. */
export async function measurePeer(
  system: 'influxdb' | 'victoriametrics',
  program: string,
  ticks: number,
  batch: number,
  folder: string,
) {
  mkdirSync(folder, { recursive: true });
  const port = system === 'influxdb' ? 18086 : 18428;
  const base = `http://127.0.0.1:${port}`;
  const child =
    system === 'influxdb'
      ? spawn(program, ['run'], {
          stdio: 'ignore',
          env: {
            ...process.env,
            HOME: folder,
            INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
            INFLUXDB_BIND_ADDRESS: `127.0.0.1:${port + 2}`,
            INFLUXDB_META_DIR: join(folder, 'meta'),
            INFLUXDB_DATA_DIR: join(folder, 'data'),
            INFLUXDB_DATA_WAL_DIR: join(folder, 'wal'),
            INFLUXDB_REPORTING_DISABLED: 'true',
            INFLUXDB_MONITOR_STORE_ENABLED: 'false',
          },
        })
      : spawn(program, [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=100y'], {
          stdio: 'ignore',
        });
  try {
    for (
      let tries = 0;
      !(await fetch(`${base}/ping`).then(
        () => true,
        () => false,
      ));
      tries++
    ) {
      if (tries > 200) throw new Error(`${system} does not answer`);
      await sleep(50);
    }
    if (system === 'influxdb')
      await fetch(`${base}/query`, { method: 'POST', body: new URLSearchParams({ q: 'CREATE DATABASE metrics' }) });
    const pid = child.pid as number;
    const spent = cpuMs(pid);
    let seconds = 0;
    for (const body of linesOf(ticks, batch)) {
      const from = performance.now();
      const answer = await fetch(`${base}/write?db=metrics&precision=ms`, { method: 'POST', body });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${system} answered ${answer.status}`);
      seconds += (performance.now() - from) / 1000;
    }
    const ingestCpuMs = cpuMs(pid) - spent;
    await sleep(3000);
    const settledCpuMs = cpuMs(pid) - spent;
    const end = START + ticks * STEP_MS;
    const means =
      system === 'influxdb'
        ? `${base}/query?db=metrics&epoch=ms&q=${encodeURIComponent(`SELECT mean(value) FROM bench WHERE time >= ${START}ms AND time < ${end}ms GROUP BY time(1m)`)}`
        : `${base}/api/v1/query_range?query=${encodeURIComponent('avg(avg_over_time(bench_value[1m]))')}&start=${START / 1000}&end=${end / 1000}&step=60&nocache=1`;
    const last =
      system === 'influxdb'
        ? `${base}/query?db=metrics&q=${encodeURIComponent('SELECT last(value) FROM bench GROUP BY host, core')}`
        : `${base}/api/v1/query?query=${encodeURIComponent('last_over_time(bench_value[1h])')}&time=${end / 1000}&nocache=1`;
    const queries = [];
    for (const { name, promql, stepSeconds } of system === 'victoriametrics' ? metricQueries(end) : []) {
      const url = `${base}/api/v1/query_range?query=${encodeURIComponent(promql)}&start=${START / 1000 + stepSeconds}&end=${end / 1000}&step=${stepSeconds}&nocache=1`;
      queries.push(
        await timeQuery(
          name,
          () => fetch(url),
          () => cpuMs(pid),
        ),
      );
    }
    return {
      memoryMb: peakMemoryMb(pid),
      queries,
      ingestCpuMs,
      settledCpuMs,
      points: ticks * SERIES,
      pointsPerSecond: Math.round((ticks * SERIES) / seconds),
      bytesPerPoint: round(bytesOf(folder) / (ticks * SERIES)),
      dayOfMeansMs: round(await timed(means)),
      lastOfEachMs: round(await timed(last)),
    };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
  }
}

async function timed(url: string): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    taken.push(performance.now() - from);
  }
  return median(taken);
}

function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
