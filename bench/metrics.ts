import Database from 'better-sqlite3';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../src/contract/limits.ts';
import { createMetrics } from '../src/server/metrics/metrics.ts';
import { pointsOf, SERIES } from './lib/metric-points.ts';
import { measureOwnMetrics, ownCpuMs } from './lib/own-metrics.ts';
import { line, opening, round, summary, type Target } from './lib/report.ts';

/**
 * The metric store: 10 M points of 2,000 series over a day as line protocol, then a day's means by minute over all
 * series, the last value of each, Flux over HTTP, and what SIGKILL leaves of what was acknowledged. Beside it: plain rows in SQLite.
 * `--points=2000000` for fewer.
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
  const ours = await measureOwnMetrics(join(folder, 'ours'), TICKS, BATCH);
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
    const spent = ownCpuMs();
    db.transaction(() => {
      for (const { series, time, value } of batch) insert.run(series, time, value);
    })();
    seconds += (performance.now() - from) / 1000;
    cpu += ownCpuMs() - spent;
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
