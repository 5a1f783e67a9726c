import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../src/contract/limits.ts';
import { createLogs } from '../src/server/logs/logs.ts';
import type { LogBatch } from '../src/server/logs/store/port.ts';
import { recordsIn } from '../src/server/logs/store/store.fixture.ts';
import { bytesOf } from './lib/disk.ts';
import { batchesOf, jobOf, LINE_START, LINE_STEP_MS, queriesOf, taskOf } from './lib/log-lines.ts';
import { line, median, opening, quantile, round, summary, type Target } from './lib/report.ts';

/**
 * The log store: lines of 252 bytes in batches of 1 MB, the queries of its pages, what SIGKILL leaves of what was
 * acknowledged. `--lines=5000000` for more; `--fill=10GB` fills a store of that size once and tells of its queries, its memory and its retention.
 */
const quick = process.argv.includes('--quick');
const given = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const fill = given('fill');
const LINES = Number(given('lines') ?? (quick ? 10_000 : 1_000_000));
const KILLS = quick ? 1 : 20;
const ASKED = quick ? 1 : 5;
const OPTIONS: LogBatch['options'] = {
  timeFields: ['_time'],
  messageFields: ['_msg'],
  streamFields: ['source', 'worker_id'],
  ignoreFields: [],
  extraFields: {},
};

opening('logs', quick, ['better-sqlite3']);
const targets: Target[] = [];
const folder = mkdtempSync(join(tmpdir(), 'bench-logs-'));
try {
  if (fill !== undefined) await measureFill(sizeOf(fill));
  else {
    const ours = await measureStore(LINES);
    targets.push({ name: 'loop delay p99, ms', value: ours.loopP99Ms, target: quick ? 100 : 10, wanted: 'at most' });
    targets.push({ name: 'memory, MB', value: ours.memoryMb, target: 700, wanted: 'at most' });
    targets.push({ name: 'bytes a line', value: ours.bytesPerLine, target: quick ? 120 : 55, wanted: 'at most' });
    let wrong = 0;
    for (let i = 0; i < KILLS; i++) wrong += await killRound(join(folder, 'kill'), i);
    line({ kills: KILLS, lostOrDoubled: wrong });
    targets.push({ name: 'acknowledged lines lost or doubled by SIGKILL', value: wrong, target: 0, wanted: 'at most' });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = summary(targets);

function sizeOf(text: string): number {
  const [, n = '', unit = ''] = /^(\d+)(MB|GB)$/.exec(text) ?? [];
  if (n === '') throw new Error('--fill takes a size such as 10GB or 500MB');
  return Number(n) * (unit === 'GB' ? 1e9 : 1e6);
}

/** Processor time of this thread in each millisecond's tick: what the loop did itself, whatever else runs on the machine. */
function ownTicks() {
  const ticks: number[] = [];
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    enable() {
      last = spent();
      timer = setInterval(() => {
        const now = spent();
        ticks.push(now - last);
        last = now;
      }, 1);
    },
    disable: () => clearInterval(timer),
    p99: () =>
      quantile(
        ticks.toSorted((a, b) => a - b),
        0.99,
      ),
    most: () => Math.max(0, ...ticks),
  };
}

/** Fills a store in this process, and asks it. */
async function measureStore(lines: number) {
  const path = join(folder, 'ours');
  const logs = await createLogs({
    folder: path,
    limits: LIMITS,
    clock: { now: () => LINE_START + lines * LINE_STEP_MS },
  });
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const own = ownTicks();
  const times: number[] = [];
  let bytes = 0;
  let cpu = 0;
  let memory = 0;
  for (const batch of batchesOf(0, lines)) {
    const size = batch.bytes.length;
    const before = process.cpuUsage();
    loop.enable();
    own.enable();
    const from = performance.now();
    const ack = await logs.insert({ id: null, ndjson: new Uint8Array(batch.bytes), options: OPTIONS });
    times.push(performance.now() - from);
    loop.disable();
    own.disable();
    const { user, system } = process.cpuUsage(before);
    cpu += (user + system) / 1e6;
    bytes += size;
    memory = Math.max(memory, process.memoryUsage.rss());
    if (ack.stored !== batch.lines) throw new Error(`${ack.stored} of ${batch.lines} lines were stored`);
  }
  const seconds = times.reduce((a, b) => a + b, 0) / 1000;
  line({
    ingested: lines,
    linesPerSecond: Math.round(lines / seconds),
    linesPerCpuSecond: Math.round(lines / cpu),
    megabytesPerSecond: round(bytes / 1e6 / seconds),
    batchP50Ms: round(median(times)),
    batchP99Ms: round(
      quantile(
        times.toSorted((a, b) => a - b),
        0.99,
      ),
    ),
    loopP99Ms: round(loop.percentile(99) / 1e6),
    loopOwnP99Ms: round(own.p99()),
    loopOwnMostMs: round(own.most()),
    load: round(loadavg()[0] as number),
  });
  const asked = await askAll('fresh');
  const settleFrom = performance.now();
  // What the writer's thread says of itself comes once a second.
  while (logs.stats().rows < lines) await new Promise((resolve) => setTimeout(resolve, 20));
  if (!quick) await settled();
  const bytesPerLine = bytesOf(path) / logs.stats().rows;
  line({
    settledSeconds: round((performance.now() - settleFrom) / 1000),
    blocks: logs.stats().blocks,
    bytesPerLine: round(bytesPerLine),
    rows: logs.stats().rows,
    files: readdirSync(path).filter((name) => name.endsWith('.db')).length,
  });
  if (!quick) await askAll('merged');
  await besideCostly();
  await logs.close();
  return { loopP99Ms: loop.percentile(99) / 1e6, memoryMb: memory / 1e6, bytesPerLine, asked };

  /** How long small searches and a follower wait while one costly query runs after the other. */
  async function besideCostly(): Promise<void> {
    const stop = new AbortController();
    let costly = 0;
    const busy = (async () => {
      while (!stop.signal.aborted) {
        for await (const page of logs.run(
          {
            query: 'trace:in(code:=200 | fields trace) | stats count() n',
            from: null,
            to: null,
            extraFilters: [],
            limit: null,
            offset: 0,
            now: LINE_START,
            timeoutMs: 120_000,
          },
          stop.signal,
        ))
          costly += page.length > 0 ? 1 : 0;
      }
    })().catch(() => {});
    let heard = (): void => {};
    logs.tail({ query: 'mark:*' }, () => heard(), stop.signal);
    const searches: number[] = [];
    const follows: number[] = [];
    for (let i = 0; i < (quick ? 3 : 60); i++) {
      const from = performance.now();
      await logs.search({ query: `job_id:=${jobOf(lines - 1)}`, limit: 50, order: 'desc' });
      searches.push(performance.now() - from);
      const told = new Promise<void>((resolve) => (heard = resolve));
      const sent = performance.now();
      await logs.insert({ id: null, ndjson: new TextEncoder().encode(`{"mark":"${i}"}\n`), options: OPTIONS });
      await told;
      follows.push(performance.now() - sent);
    }
    stop.abort();
    await busy;
    const p99 = (times: number[]) =>
      round(
        quantile(
          times.toSorted((a, b) => a - b),
          0.99,
        ),
      );
    line({
      besideCostly: costly,
      searchP50Ms: round(median(searches)),
      searchP99Ms: p99(searches),
      followP50Ms: round(median(follows)),
      followP99Ms: p99(follows),
      memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
    });
  }
  /** Until blocks are as large as they become, and what they replaced is gone. */
  async function settled(): Promise<void> {
    for (let same = 0, blocks = -1; same < 14;) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      same = logs.stats().blocks === blocks ? same + 1 : 0;
      blocks = logs.stats().blocks;
    }
  }
  async function askAll(state: string): Promise<void> {
    for (const { name, query, limit = null, rows } of queriesOf(lines)) {
      const took: number[] = [];
      const spent: number[] = [];
      let found = 0;
      for (let i = 0; i < ASKED; i++) {
        const before = process.cpuUsage();
        const from = performance.now();
        found = 0;
        for await (const page of logs.run(
          {
            query,
            from: null,
            to: null,
            extraFilters: [],
            limit,
            offset: 0,
            now: LINE_START + lines * LINE_STEP_MS,
            timeoutMs: 120_000,
          },
          new AbortController().signal,
        ))
          for (const byte of page) if (byte === 10) found++;
        took.push(performance.now() - from);
        const { user, system } = process.cpuUsage(before);
        spent.push((user + system) / 1000);
      }
      if (rows !== null && rows !== found) throw new Error(`${name}: ${found} rows, not ${rows}`);
      memory = Math.max(memory, process.memoryUsage.rss());
      line({
        state,
        query: name,
        rows: found,
        firstMs: round(took[0] as number),
        medianMs: round(median(took)),
        cpuMs: round(median(spent)),
        memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
      });
    }
  }
}

/** A sender that is killed after some acknowledgements; lines of acknowledged batches that are not there exactly once. */
async function killRound(path: string, round: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      fileURLToPath(new URL('../src/server/logs/store/write/ingest-process.fixture.ts', import.meta.url)),
      path,
      String(round * 1000),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let acknowledged = 0;
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    acknowledged = text.split('\n').length - 1;
    if (acknowledged > (round * 7) % 30) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  const counts = new Map<number, number>();
  for (const { batch } of recordsIn(path).records) counts.set(batch as number, (counts.get(batch as number) ?? 0) + 1);
  const last = text.slice(0, text.lastIndexOf('\n')).split('\n').map(Number).at(-1) ?? 0;
  let wrong = 0;
  for (let n = round * 1000; n <= last; n++) if (counts.get(n) !== (n % 7 === 3 ? 1500 : 40)) wrong++;
  return wrong;
}

/**
 * A store that gets a fifth more than it may keep. Each line has a kilobyte of noise, so that the disk fills before the
 * patience ends; tells now and then how it goes.
 */
async function measureFill(bytes: number): Promise<void> {
  const path = join(folder, 'full');
  const logs = await createLogs({
    folder: path,
    limits: { ...LIMITS, logStoreBytes: bytes },
    clock: { now: Date.now },
  });
  const noise = randomBytes(8 * 1024 * 1024).toString('hex');
  let sent = 0;
  let written = 0;
  let memory = 0;
  const began = performance.now();
  // Noise in hexadecimal takes half of its length.
  for (const batch of batchesOf(0, Math.ceil((bytes * 1.2) / 540), 250_000)) {
    const lines = batch.bytes
      .toString('latin1')
      .split('\n')
      .slice(0, -1)
      .map(
        (text, i) =>
          `${text.slice(0, -1)},"noise":"${noise.substr(((written + i) * 4099) % (noise.length - 1024), 1024)}"}`,
      );
    await logs.insert({ id: null, ndjson: new TextEncoder().encode(lines.join('\n')), options: OPTIONS });
    written += batch.lines;
    sent += batch.bytes.length + batch.lines * 1036;
    memory = Math.max(memory, process.memoryUsage.rss());
    if (Math.floor(written / 500_000) !== Math.floor((written - batch.lines) / 500_000)) await tell();
  }
  await tell();
  for (const [name, query, limit] of [
    ['newest 500', '*', 500],
    ['one job', `job_id:="${jobOf(written - 1)}"`, 500],
    ['one task', `task_id:="${taskOf(written - 1)}"`, null],
    ['absent word', 'neverwritten', null],
    ['count', '* | stats by (level) count() n', null],
    ['substring', '_msg:~"eset by pee" | stats count() n', null],
  ] as const) {
    const from = performance.now();
    let found = 0;
    for await (const page of logs.run(
      { query, from: null, to: null, extraFilters: [], limit, offset: 0, now: Date.now(), timeoutMs: 600_000 },
      new AbortController().signal,
    ))
      for (const byte of page) if (byte === 10) found++;
    memory = Math.max(memory, process.memoryUsage.rss());
    line({
      query: name,
      rows: found,
      ms: round(performance.now() - from),
      memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
    });
  }
  await logs.close();
  const from = performance.now();
  const again = await createLogs({
    folder: path,
    limits: { ...LIMITS, logStoreBytes: bytes },
    clock: { now: Date.now },
  });
  line({ openedMs: round(performance.now() - from), rows: again.stats().rows });
  await again.close();
  targets.push({ name: 'memory, MB', value: memory / 1e6, target: 700, wanted: 'at most' });
  targets.push({ name: 'disk against its bound', value: bytesOf(path) / bytes, target: 1.1, wanted: 'at most' });

  async function tell(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { rows, bytes: onDisk, blocks } = logs.stats();
    line({
      sentGb: round(sent / 1e9),
      lines: written,
      rows,
      blocks,
      diskGb: round(onDisk / 1e9),
      files: readdirSync(path).filter((name) => name.endsWith('.db')).length,
      memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
      seconds: Math.round((performance.now() - began) / 1000),
    });
  }
}
