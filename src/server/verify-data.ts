import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import { systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import { verifyDatabase } from './backup/verify-folder.ts';
import { createLogs } from './logs/logs.ts';
import { readSegment } from './logs/pipeline/segment.ts';
import { verifyMetrics } from './metrics/verify-metrics.ts';
import type { FoundDamage } from './observability/port.ts';

export interface VerifiedData {
  readonly damages: FoundDamage[];
  readonly bytes: number;
}

/**
 * Reads the data of a folder that no master uses: the database, and (`deep`) every byte of the logs, of the lines that wait
 * for them, and of the metrics. The database is not changed.
 */
export async function verifyData(folder: string, deep: boolean): Promise<VerifiedData> {
  const database = verifyDatabase(folder);
  if (!deep) return database;
  const parts = [database, verifySegments(folder), await verifyLogs(folder), metricsIn(folder)];
  return {
    damages: parts.flatMap(({ damages }) => damages),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Nothing is deleted that the master would keep by its settings, which are in the database. */
const KEEP_ALL = { ...LIMITS, logStoreBytes: Number.MAX_SAFE_INTEGER, logRetentionDays: 0 };

async function verifyLogs(folder: string): Promise<VerifiedData> {
  const logs = join(folder, 'logs');
  if (!existsSync(logs)) return { damages: [], bytes: 0 };
  const damages: FoundDamage[] = [];
  try {
    const room = await createLogs({
      folder: logs,
      limits: KEEP_ALL,
      clock: systemClock,
      damage: { report: (damage) => void damages.push(damage), forget() {}, warnings: () => [] },
    });
    try {
      const { bytes } = await room.verify({ bytesPerSecond: 0, signal: new AbortController().signal });
      return { damages: once(damages), bytes };
    } finally {
      await room.close();
    }
  } catch (error) {
    return { damages: [...once(damages), unreadable('logs', 'logs', error)], bytes: 0 };
  }
}

function metricsIn(folder: string): VerifiedData {
  const metrics = join(folder, 'metrics');
  return existsSync(metrics) ? verifyMetrics(metrics) : { damages: [], bytes: 0 };
}

/** What was found at the opening is found again. */
const once = (damages: readonly FoundDamage[]): FoundDamage[] => [
  ...new Map(damages.map((one) => [`${one.file}\0${one.place}`, one])).values(),
];

function verifySegments(folder: string): VerifiedData {
  const pipeline = join(folder, 'pipeline');
  const damages: FoundDamage[] = [];
  let bytes = 0;
  if (!existsSync(pipeline)) return { damages, bytes };
  for (const name of readdirSync(pipeline, { recursive: true }).map(String).sort()) {
    const file = join(pipeline, name);
    if (!/\.(batch|open)$/.test(name) || !statSync(file).isFile()) continue;
    try {
      bytes += statSync(file).size;
      const { damaged, lost, complete } = readSegment(file);
      if (damaged === 0 && lost === 0 && (complete || name.endsWith('.open'))) continue;
      damages.push({
        ...{ part: 'pipeline', file: `pipeline/${name}`, place: '', from: null, to: null, lost },
        what: `${lost === null ? 'log lines' : `${lost} log lines`} that wait for the log store cannot be read`,
      });
    } catch (error) {
      damages.push(unreadable('pipeline', `pipeline/${name}`, error));
    }
  }
  return { damages, bytes };
}

const unreadable = (part: FoundDamage['part'], file: string, error: unknown): FoundDamage => ({
  ...{ part, file, place: '', from: null, to: null, lost: null },
  what: `cannot be read (${errorMessage(error)})`,
});
