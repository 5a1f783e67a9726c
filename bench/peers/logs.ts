import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, leaveOut, programOf } from '../lib/comparison.ts';
import { bytesOf } from '../lib/disk.ts';
import { measureFirst, measureHttp, type HttpFigures, type LogServer } from '../lib/log-http.ts';
import { startMaster } from '../lib/processes.ts';
import { line, opening, round, summary, type Target } from '../lib/report.ts';
import { startVictoriaLogs } from './victoria-logs.ts';

/**
 * The built master over HTTP, and VictoriaLogs with the same lines of 252 bytes and the same questions. `--lines=1000000`
 * for fewer; the ratios are for 5 million.
 */
const quick = process.argv.includes('--quick');
const given = process.argv.find((one) => one.startsWith('--lines='))?.slice('--lines='.length);
const LINES = Number(given ?? (quick ? 10_000 : 5_000_000));
const ASKED = quick ? 1 : 5;
const PEER = 'VictoriaLogs';
/** Of the peer's time, at most. */
const MOST: Readonly<Record<string, number>> = {
  'one job': 1,
  'one task': 1,
  words: 1.5,
  phrase: 1.5,
  'rare phrase': 1.5,
  'rare substring': 1.5,
  'level, count': 1,
  'worker and word, newest 500': 1.5,
  substring: 1.5,
  regexp: 5,
  'hits by level per minute': 1,
  'hits by level per hour': 1,
  'newest 500': 0.5,
  'newest 500 errors': 0.5,
  tail: 0.5,
};

type Figures = HttpFigures & { readonly bytesPerLine: number; readonly first: Readonly<Record<string, number>> };

opening('peers/logs', quick, ['better-sqlite3']);
const folder = mkdtempSync(join(tmpdir(), 'bench-logs-'));
const targets: Target[] = [];
try {
  const ours = await measure('Yardmaster', join(folder, 'ours'), 'logs', async (data) => {
    const { ready, pid, stop } = await startMaster({ workers: 0, durability: 'normal', data });
    return { url: `http://127.0.0.1:${ready.ports.logStore}`, pid, stop };
  });
  const program = programOf('VLOGS_BIN', 'victoria-logs', 'victoria-logs-prod');
  if ('missing' in program) leaveOut(PEER, program.missing);
  else
    targets.push(
      ...beside(ours, await measure(PEER, join(folder, 'peer'), '', (data) => startVictoriaLogs(program.path, data))),
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = summary(targets);

function beside(ours: Figures, theirs: Figures): Target[] {
  const row = (work: string, own: number | undefined, other: number | undefined, target: number | undefined) =>
    compare({
      work,
      peer: PEER,
      ours: own ?? Number.NaN,
      theirs: other ?? Number.NaN,
      ...(target === undefined ? {} : { target }),
      wanted: 'at most',
    });
  return [
    ...compare({
      work: 'lines in a second',
      peer: PEER,
      ours: ours.linesPerSecond,
      theirs: theirs.linesPerSecond,
      target: 1,
      wanted: 'at least',
    }),
    ...row('seconds of the processor, lines in', ours.cpuSeconds, theirs.cpuSeconds, undefined),
    ...row('memory while lines come in, MB', ours.memoryMb, theirs.memoryMb, 1),
    ...row('bytes on disk a line', ours.bytesPerLine, theirs.bytesPerLine, 1),
    ...Object.keys(ours.queries).flatMap((name) =>
      row(`${name}, ms`, ours.queries[name], theirs.queries[name], MOST[name]),
    ),
    ...Object.keys(ours.first).flatMap((name) =>
      row(`${name} after a start, ms`, ours.first[name], theirs.first[name], 1),
    ),
  ];
}

/** `store`: the folder of the log store within `data`. */
async function measure(
  system: string,
  data: string,
  store: string,
  start: (data: string) => Promise<LogServer & { stop(): Promise<void> }>,
): Promise<Figures> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const server = await start(data);
  let figures: HttpFigures;
  try {
    figures = await measureHttp(system, server, LINES, ASKED);
  } finally {
    await server.stop();
  }
  const bytesPerLine = round(bytesOf(join(data, store)) / LINES);
  line({ system, bytesPerLine });
  const again = await start(data);
  try {
    return { ...figures, bytesPerLine, first: await measureFirst(system, again.url, LINES) };
  } finally {
    await again.stop();
  }
}
