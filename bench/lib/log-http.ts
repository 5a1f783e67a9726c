import { setTimeout as sleep } from 'node:timers/promises';
import { batchesOf, LINE_START, LINE_STEP_MS, queriesOf } from './log-lines.ts';
import { cpuMs, peakMemoryMb } from './processor-time.ts';
import { line, median, quantile, round } from './report.ts';

/** What VictoriaLogs and a store that speaks like it are asked over HTTP. */
export interface HttpFigures {
  readonly linesPerSecond: number;
  /** Of the processor, until all lines were taken in. */
  readonly cpuSeconds: number;
  /** The most until then. */
  readonly memoryMb: number;
  /** Median ms of each query. */
  readonly queries: Readonly<Record<string, number>>;
}

/** What is measured: a store that listens at `url`, and its process. */
export interface LogServer {
  readonly url: string;
  readonly pid: number;
}

/** Batches under way at once. */
const LANES = 4;
/** Lines that a follower waits for. */
const FOLLOWED = 20;

/** Sends all lines, then asks each query `asked` times, and follows new lines. */
export async function measureHttp(
  system: string,
  { url, pid }: LogServer,
  lines: number,
  asked: number,
): Promise<HttpFigures> {
  const times: number[] = [];
  let spent = 0;
  const cpuBefore = cpuMs(pid);
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
  const cpuSeconds = round((cpuMs(pid) - cpuBefore) / 1000);
  const memoryMb = peakMemoryMb(pid);
  line({
    system,
    ingested: lines,
    linesPerSecond,
    cpuSeconds,
    memoryMb,
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
  for (const query of queriesOf(lines)) {
    const { name, rows } = query;
    const took: number[] = [];
    const before = cpuMs(pid);
    let found = 0;
    for (let i = 0; i < asked; i++) {
      const from = performance.now();
      found = await ask(system, url, query, lines);
      took.push(performance.now() - from);
    }
    queries[name] = median(took);
    line({
      system,
      query: name,
      rows: found,
      firstMs: round(took[0] as number),
      medianMs: round(median(took)),
      cpuMs: round((cpuMs(pid) - before) / asked),
      ...(rows !== null && rows !== found ? { wanted: rows } : {}),
    });
  }
  const follows = await follow(url);
  queries['tail'] = median(follows);
  line({ system, tailP50Ms: round(median(follows)), memoryMb: peakMemoryMb(pid) });
  return { linesPerSecond, cpuSeconds, memoryMb, queries };
}

type Query = ReturnType<typeof queriesOf>[number];

/** Lines of its answer. */
async function ask(system: string, url: string, { name, query, limit }: Query, lines: number): Promise<number> {
  const body = new URLSearchParams({
    query,
    start: String(LINE_START / 1000),
    end: String((LINE_START + lines * LINE_STEP_MS) / 1000),
    ...(limit === undefined ? {} : { limit: String(limit) }),
  });
  const answer = await fetch(`${url}/select/logsql/query`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${system}, ${name}: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer()).reduce((n, byte) => n + (byte === 10 ? 1 : 0), 0);
}

/** The first questions after a start: one job, then one task. */
export async function measureFirst(system: string, url: string, lines: number): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  for (const query of queriesOf(lines).filter(({ name }) => name === 'one job' || name === 'one task')) {
    const from = performance.now();
    await ask(system, url, query, lines);
    const ms = performance.now() - from;
    took[query.name] = ms;
    line({ system, afterStart: query.name, ms: round(ms) });
  }
  return took;
}

/** How long each new line takes to whoever follows, without the delay that tails have for lines that come late, ms. */
async function follow(url: string): Promise<number[]> {
  const stop = new AbortController();
  // Its headers may come with the first line.
  const tail = fetch(`${url}/select/logsql/tail?query=follow:*&offset=1ms&refresh_interval=50ms`, {
    signal: stop.signal,
  });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const took: number[] = [];
  for (let i = 0; i < FOLLOWED; i++) {
    const from = performance.now();
    const body = `${JSON.stringify({ _time: new Date().toISOString(), _msg: 'followed', follow: String(i), source: 'follow' })}\n`;
    const answer = await fetch(`${url}/insert/jsonline?_stream_fields=source`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`a line was not taken: ${answer.status}`);
    await answer.arrayBuffer();
    reader ??= ((await tail).body as ReadableStream<Uint8Array>).getReader();
    for (let text = ''; !text.includes(`"${i}"`);) {
      const { value, done } = await reader.read();
      if (done) throw new Error('the tail ended');
      text += new TextDecoder().decode(value);
    }
    took.push(performance.now() - from);
  }
  stop.abort();
  await reader?.closed.catch(() => {});
  return took;
}
