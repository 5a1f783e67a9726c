import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { measureFirst, measureHttp, startPeer, type HttpFigures, type LogServer } from '../lib/log-http.ts';
import { startMaster } from '../lib/processes.ts';
import { line, round, type Target } from '../lib/report.ts';

/** Of VictoriaLogs' time, at most. */
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

/** The built master over HTTP, and where VLOGS_BIN names it VictoriaLogs with the same lines and questions. */
export async function besideVictoriaLogs(folder: string, lines: number, asked: number): Promise<Target[]> {
  const ours = await measure('yardmaster', join(folder, 'http'), 'logs', lines, asked, async (data) => {
    const { ready, pid, stop } = await startMaster({ workers: 0, durability: 'normal', data });
    return { url: `http://127.0.0.1:${ready.ports.logStore}`, pid, stop };
  });
  const program = process.env['VLOGS_BIN'];
  if (!program) return [];
  const theirs = await measure('victorialogs', join(folder, 'peer'), '', lines, asked, (data) =>
    startPeer(program, data),
  );
  return [
    {
      name: 'ingest against VictoriaLogs',
      value: ours.linesPerSecond / theirs.linesPerSecond,
      target: 1,
      wanted: 'at least',
    },
    ...Object.entries(MOST).map(([name, target]): Target => ({
      name: `${name} against VictoriaLogs`,
      value: (ours.queries[name] ?? 0) / (theirs.queries[name] ?? 1),
      target,
      wanted: 'at most',
    })),
  ];
}

/** `store`: the folder of the log store within `data`. */
async function measure(
  system: string,
  data: string,
  store: string,
  lines: number,
  asked: number,
  start: (data: string) => Promise<LogServer & { stop(): Promise<void> }>,
): Promise<HttpFigures> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const server = await start(data);
  let figures: HttpFigures;
  try {
    figures = await measureHttp(system, server, lines, asked);
  } finally {
    await server.stop();
  }
  line({ system, bytesPerLine: round(bytesOf(join(data, store)) / lines) });
  const again = await start(data);
  try {
    await measureFirst(system, again.url, lines);
  } finally {
    await again.stop();
  }
  return figures;
}

function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
