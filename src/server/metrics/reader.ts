import type Database from 'better-sqlite3';
import type { DataPoint, Metrics } from '../../contract/api.ts';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { MetricRequest } from './request.ts';
import { openMetricFile } from './store-open.ts';
import { createWindows } from './windows.ts';

interface Row {
  time: number;
  tags: string;
  fields: string;
}

const QUERY_MS = 30_000;

export interface MetricReader {
  query(request: MetricRequest): Metrics;
  close(): void;
}

/** Answers metric queries from what is committed. */
export function openReader(folder: string): MetricReader {
  const db = openMetricFile(folder, true);
  return {
    query(request: MetricRequest): Metrics {
      const names = new Set<string>();
      const rows = rowsOf(db, request);
      const { points, total } = request.intervalMs === null ? stored(rows, request, names) : merged(rows, request, request.intervalMs, names);
      return {
        from: iso(request.from),
        to: iso(request.to),
        interval: request.interval,
        filters: request.filters,
        dataPoints: points,
        totalDataPoints: total,
        metricNames: [...names].sort(),
        ...(total > points.length ? { truncated: true } : {}),
      };
    },
    close: () => void db.close(),
  };
}

/** Matching rows, newest first; of each only the fields that are asked for. */
function* rowsOf(db: Database.Database, { from, end, measurement, field, filters }: MetricRequest): Generator<{ time: number; tags: Record<string, string>; fields: Record<string, number> }> {
  const where = ['time >= ?', 'time < ?'];
  const args: (string | number)[] = [from, end];
  if (measurement !== null) where.push('measurement = ?') && args.push(measurement);
  const { job_id, ...others } = filters;
  if (job_id !== undefined) where.push('job_id IS NOT NULL AND job_id = ?') && args.push(job_id);
  const wanted = Object.entries(others);
  const deadline = Date.now() + QUERY_MS;
  let seen = 0;
  for (const row of db.prepare<unknown[], Row>(`SELECT time, tags, fields FROM point WHERE ${where.join(' AND ')} ORDER BY time DESC, id DESC`).iterate(...args)) {
    if ((++seen & 1023) === 0 && Date.now() > deadline) throw new Fault('STORE_UNAVAILABLE', `the query took longer than ${QUERY_MS / 1000} s: narrow its time range, or name a job`);
    const tags = JSON.parse(row.tags) as Record<string, string>;
    if (!wanted.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value)) continue;
    const fields = JSON.parse(row.fields) as Record<string, number>;
    if (field === null) yield { time: row.time, tags, fields };
    else if (Object.hasOwn(fields, field)) yield { time: row.time, tags, fields: { [field]: fields[field] as number } };
  }
}

function stored(rows: ReturnType<typeof rowsOf>, { limit }: MetricRequest, names: Set<string>): { points: DataPoint[]; total: number } {
  const points: DataPoint[] = [];
  let total = 0;
  for (const { time, tags, fields } of rows) {
    total++;
    for (const name in fields) names.add(name);
    if (points.length < limit) points.push({ timestamp: iso(time), tags, ...fields } as DataPoint);
  }
  return { points: points.reverse(), total };
}

function merged(rows: ReturnType<typeof rowsOf>, { limit }: MetricRequest, intervalMs: number, names: Set<string>): { points: DataPoint[]; total: number } {
  const windows = createWindows(intervalMs);
  for (const { time, fields } of rows) windows.add(time, fields);
  const all = windows.result();
  for (const { fields } of all) for (const name in fields) names.add(name);
  const newest = limit === 0 ? [] : all.slice(-limit);
  return { points: newest.map(({ time, fields }) => ({ timestamp: iso(time), ...fields }) as DataPoint), total: all.length };
}
