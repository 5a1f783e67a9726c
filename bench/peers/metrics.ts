import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEMORY, setFlags, SHARED } from '../../src/lib/after-start.ts';
import { compare, leaveOut, programOf } from '../lib/comparison.ts';
import { SERIES } from '../lib/metric-points.ts';
import { metricQueries } from '../lib/metric-queries.ts';
import { measureOwnMetrics } from '../lib/own-metrics.ts';
import { line, opening, summary, type Target } from '../lib/report.ts';
import { INFLUXDB, measureMetricServer, VICTORIA_METRICS, type MetricServer } from './metric-servers.ts';

/**
 * The metric store with 10 million points of 2,000 series, and the same points and questions in VictoriaMetrics and
 * InfluxDB 1.x over HTTP. Ours is written to without HTTP, and the process that writes counts with it. `--points=2000000` for fewer.
 */
const quick = process.argv.includes('--quick');
const given = Number(process.argv.find((one) => one.startsWith('--points='))?.slice('--points='.length) ?? 10_000_000);
const ticks = quick ? 20 : Math.max(1, Math.round(given / SERIES));
const BATCH = 5000;
const PEERS: readonly { server: MetricServer; program: ReturnType<typeof programOf>; aims: Aims }[] = [
  {
    server: VICTORIA_METRICS,
    program: programOf('VMETRICS_BIN', 'victoria-metrics', 'victoria-metrics-prod'),
    aims: { pointsPerSecond: 0.9, settledCpuMs: 1.5, bytesPerPoint: 1.2, memoryMb: 1.2, query: (most) => most },
  },
  {
    server: INFLUXDB,
    program: programOf('INFLUXD_BIN', 'influxd'),
    aims: { pointsPerSecond: 1, settledCpuMs: 1, bytesPerPoint: 1, memoryMb: 1, query: () => 1 },
  },
];

/** What the ratios are to be. */
interface Aims {
  readonly pointsPerSecond: number;
  readonly settledCpuMs: number;
  readonly bytesPerPoint: number;
  readonly memoryMb: number;
  /** From what is aimed at beside VictoriaMetrics. */
  query(most: number): number;
}

opening('peers/metrics', quick, ['better-sqlite3']);
// As in a master.
for (const flags of [MEMORY, SHARED]) setFlags(flags);
const folder = mkdtempSync(join(tmpdir(), 'bench-metrics-'));
const targets: Target[] = [];
try {
  const measured = await measureOwnMetrics(join(folder, 'ours'), ticks, BATCH);
  const ours = { ...measured, settledCpuMs: measured.ingestCpuMs + measured.settleCpuMs };
  line({ system: 'Yardmaster', ...ours });
  for (const { server, program, aims } of PEERS) {
    const peer = server.name;
    if ('missing' in program) {
      leaveOut(peer, program.missing);
      continue;
    }
    const theirs = await measureMetricServer(server, program.path, { ticks, batch: BATCH, folder: join(folder, peer) });
    line({ system: peer, ...theirs });
    const rows = [
      ['points in a second', 'pointsPerSecond', 'at least'],
      ['ms of the processor until settled', 'settledCpuMs', 'at most'],
      ['bytes on disk a point', 'bytesPerPoint', 'at most'],
      ['memory, points, MB', 'memoryMb', 'at most'],
    ] as const;
    for (const [work, figure, wanted] of rows)
      targets.push(
        ...compare({ work, peer, ours: ours[figure], theirs: theirs[figure], target: aims[figure], wanted }),
      );
    for (const [i, { name, most }] of metricQueries(0).entries()) {
      const [own, other] = [ours.queries[i], theirs.queries[i]];
      if (!own || !other) continue;
      const query = { peer, wanted: 'at most' } as const;
      targets.push(
        ...compare({ ...query, work: `${name}, ms`, ours: own.warmMs, theirs: other.warmMs, target: aims.query(most) }),
        ...compare({ ...query, work: `${name}, ms of the processor`, ours: own.warmCpuMs, theirs: other.warmCpuMs }),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = summary(targets);
