import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchesOf, LINE_START, LINE_STEP_MS, queriesOf } from './log-lines.ts';
import { line, median, quantile, round } from './report.ts';

/** What VictoriaLogs and a store that speaks like it are asked over HTTP. */
export interface HttpFigures {
  linesPerSecond: number;
  /** Median ms of each query. */
  queries: Record<string, number>;
}

/** Batches under way at once. */
const LANES = 2;

export async function measureHttp(system: string, url: string, lines: number, asked: number): Promise<HttpFigures> {
  const times: number[] = [];
  let spent = 0;
  const batches = batchesOf(0, lines);
  // What it takes to make the lines is not counted: a few batches are made, then sent.
  for (let more = true; more;) {
    const some: Buffer[] = [];
    while (some.length < 16) {
      const next = batches.next();
      if (next.done) {
        more = false;
        break;
      }
      some.push(next.value.bytes);
    }
    const from = performance.now();
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let body = some.pop(); body; body = some.pop()) {
          const began = performance.now();
          const answer = await fetch(
            `${url}/insert/jsonline?_stream_fields=source,worker_id&_msg_field=_msg&_time_field=_time`,
            { method: 'POST', body: new Uint8Array(body), headers: { 'content-type': 'application/stream+json' } },
          );
          if (!answer.ok) throw new Error(`${system}: ${answer.status} ${await answer.text()}`);
          times.push(performance.now() - began);
        }
      }),
    );
    spent += performance.now() - from;
  }
  const linesPerSecond = Math.round(lines / (spent / 1000));
  line({
    system,
    ingested: lines,
    linesPerSecond,
    batchP50Ms: round(median(times)),
    batchP99Ms: round(
      quantile(
        times.toSorted((a, b) => a - b),
        0.99,
      ),
    ),
  });
  // Whoever flushes by the second has flushed.
  await sleep(3000);
  const queries: Record<string, number> = {};
  for (const { name, query, limit, rows } of queriesOf(lines)) {
    const took: number[] = [];
    let found = 0;
    for (let i = 0; i < asked; i++) {
      const from = performance.now();
      const body = new URLSearchParams({
        query,
        start: String(LINE_START / 1000),
        end: String((LINE_START + lines * LINE_STEP_MS) / 1000),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      });
      const answer = await fetch(`${url}/select/logsql/query`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`${system}, ${name}: ${answer.status} ${await answer.text()}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      found = bytes.reduce((n, byte) => n + (byte === 10 ? 1 : 0), 0);
      took.push(performance.now() - from);
    }
    queries[name] = median(took);
    line({
      system,
      query: name,
      rows: found,
      firstMs: round(took[0] as number),
      medianMs: round(median(took)),
      ...(rows !== null && rows !== found ? { wanted: rows } : {}),
    });
  }
  return { linesPerSecond, queries };
}

/** Starts VictoriaLogs with a folder of its own. */
export async function startPeer(program: string, path: string): Promise<{ url: string; stop(): Promise<void> }> {
  const url = 'http://127.0.0.1:19428';
  const child = spawn(
    program,
    [
      `-storageDataPath=${path}`,
      '-httpListenAddr=127.0.0.1:19428',
      '-retentionPeriod=100y',
      '-search.maxQueryDuration=120s',
    ],
    { stdio: 'ignore' },
  );
  for (let i = 0; ; i++) {
    if (
      await fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break;
    if (i === 100) throw new Error(`${program} does not answer`);
    await sleep(100);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}
