import { setTimeout as sleep } from 'node:timers/promises';
import { provisionInflux } from '../src/lib/influxdb/provision.ts';
import { createRemoteHttp, remoteTarget } from '../src/lib/remote-http.ts';
import { TASKS } from '../src/server/dashboards/built-in/tasks.ts';
import { batchesOf, LINE_START, LINE_STEP_MS } from './lib/log-lines.ts';
import { api } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, round, summary, type Target } from './lib/report.ts';
import { taskMetricLines } from './lib/task-metrics.ts';

/**
 * Searches in logs and charts over remote stores against embedded ones, on the same data in one run: a master answers from
 * its own stores, and a second one, started with --logs and --metrics, asks the first. What is between them is all that
 * differs: the protocol, the way there and back, and how a question is put in LogsQL and Flux.
 */
const quick = process.argv.includes('--quick');
const LINES = quick ? 2000 : 500_000;
const POINTS = quick ? 2000 : 100_000;
const ROUNDS = quick ? 1 : 9;
const HOUR_MS = 3_600_000;

opening('remote', quick, ['better-sqlite3', 'fastify']);
const embedded = await startMaster({ workers: 0, durability: 'normal' });
const { ports, token } = embedded.ready;
const metricsUrl = `http://127.0.0.1:${ports.metrics}`;
const logsUrl = `http://127.0.0.1:${ports.logStore}`;
const headers = { authorization: `Bearer ${token}` };

async function send(url: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

const target = { url: metricsUrl, credentials: { token }, caFile: null };
const http = createRemoteHttp(remoteTarget(target, '--metrics-ca'), 1);
await provisionInflux(http, metricsUrl, {
  ...{ organization: 'yardmaster', bucket: 'metrics', dryRun: false },
  retention: { all: 0, jobs: 0, rolled: 0 },
});
http.close();
const now = Math.floor(Date.now() / 60_000) * 60_000;
for (const body of taskMetricLines(POINTS, now - HOUR_MS, now))
  await send(`${metricsUrl}/api/v2/write?org=yardmaster&bucket=metrics&precision=ms`, body);
for (const { bytes } of batchesOf(0, LINES)) await send(`${logsUrl}/insert/jsonline`, new Uint8Array(bytes));
line({ points: POINTS, lines: LINES });

const remote = await startMaster({
  ...{ workers: 0, durability: 'normal' },
  environment: {
    YARDMASTER_LOGS: logsUrl,
    YARDMASTER_LOGS_TOKEN: token,
    YARDMASTER_METRICS: metricsUrl,
    YARDMASTER_METRICS_ORG: 'yardmaster',
    YARDMASTER_METRICS_BUCKET: 'metrics',
    YARDMASTER_METRICS_TOKEN: token,
  },
});

/** It begins earlier in each round, so that nothing is known of the round before. */
const range = (round: number) => ({
  from: new Date(now - HOUR_MS - round * 60_000).toISOString(),
  to: new Date(now).toISOString(),
});
const logRange = {
  from: new Date(LINE_START).toISOString(),
  to: new Date(LINE_START + LINES * LINE_STEP_MS).toISOString(),
};
const panels = TASKS.panels.flatMap(({ queries }) => queries.filter((query) => query.source === 'metrics'));
type Client = ReturnType<typeof api>;
async function taskDetails({ call }: Client, round: number): Promise<number> {
  const all = await Promise.all(
    panels.map(({ measurement, field, aggregate, groupBy = [] }) =>
      call('metrics.series', {
        query: { measurement, field, aggregate, groupBy: groupBy.join(','), ...range(round), interval: '20s' },
      }),
    ),
  );
  return all.reduce((sum, { series }) => sum + series.length, 0);
}
/** What was found is counted: both must find the same. */
const questions: Record<string, (client: Client, round: number) => Promise<number>> = {
  'metrics: all fields of a measurement by minute': async ({ call }, round) =>
    (await call('metrics.query', { query: { measurement: 'task_metrics', interval: '1m', ...range(round) } }))
      .dataPoints.length,
  'metrics: one field by minute': async ({ call }, round) =>
    (
      await call('metrics.query', {
        query: { measurement: 'task_metrics', field: 'timer_run_ms', interval: '1m', ...range(round) },
      })
    ).dataPoints.length,
  'charts: p95 by node': async ({ call }, round) =>
    (
      await call('metrics.series', {
        query: {
          ...{ measurement: 'task_metrics', field: 'timer_run_ms', aggregate: 'p95', groupBy: 'node' },
          ...{ ...range(round), interval: '20s' },
        },
      })
    ).series.length,
  'charts: the panels of Task Details together': taskDetails,
  'charts: the same panels again': (client) => taskDetails(client, ROUNDS),
  'logs: lines of a job': async ({ call }) =>
    (await call('logs.search', { query: { query: 'job_id:="job-7"', limit: 500, ...logRange } })).records.length,
  'logs: words': async ({ call }) =>
    (await call('logs.search', { query: { query: '"connection reset" level:=ERROR', limit: 500, ...logRange } }))
      .records.length,
  'logs: histogram by level': async ({ call }) =>
    (
      await call('logs.hits', {
        query: {
          query: '*',
          step: `${Math.max(1, Math.round((LINES * LINE_STEP_MS) / 60_000))}s`,
          field: 'level',
          ...logRange,
        },
      })
    ).hits.length,
};

const targets: Target[] = [];
try {
  const clients = { embedded: api(embedded.ready), remote: api(remote.ready) };
  // What was written a moment ago is found by both.
  await sleep(quick ? 500 : 3000);
  for (const [question, ask] of Object.entries(questions)) {
    const took: Record<keyof typeof clients, number[]> = { embedded: [], remote: [] };
    const found: Record<string, number> = {};
    // In turns, so that what else the machine does hits both; the first round compiles.
    for (let round = 0; round <= ROUNDS; round++)
      for (const name of ['embedded', 'remote'] as const) {
        const began = performance.now();
        found[name] = await ask(clients[name], round);
        if (round > 0) took[name].push(performance.now() - began);
      }
    const [own, theirs] = [median(took.embedded), median(took.remote)];
    line({ question, found, embeddedMs: round(own), remoteMs: round(theirs) });
    if (found['embedded'] !== found['remote']) throw new Error(`${question}: found ${JSON.stringify(found)}`);
    targets.push({
      name: `${question}: remote against embedded`,
      value: theirs / own,
      // A short run has so little data that the way there and back is all of it.
      target: quick ? 100 : question.endsWith('again') ? 1 : question.startsWith('logs') ? 4 : 10,
      wanted: 'at most',
    });
  }
} finally {
  await Promise.all([remote.stop(), embedded.stop()]);
}
process.exitCode = summary(targets);
