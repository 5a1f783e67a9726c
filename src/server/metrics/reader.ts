import type Database from 'better-sqlite3';
import type { DataPoint, Metrics } from '../../contract/api.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { unpacked } from './pack.ts';
import type { MetricRequest } from './request.ts';
import { openMetricFile } from './store-open.ts';
import { createWindows } from './windows.ts';

type Point = Pick<MetricPoint, 'time' | 'tags' | 'fields'>;

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
      const found = pointsOf(db, request);
      const { points, total } = request.intervalMs === null ? stored(found, request, names) : merged(found, request, request.intervalMs, names);
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

/** Matching points, by chunks from the newest to the oldest; of each only the fields that are asked for. */
function* pointsOf(db: Database.Database, { from, end, measurement, field, filters }: MetricRequest): Generator<Point> {
  const job = filters['job_id'];
  const wanted = Object.entries(filters);
  const where = ['t1 >= ?', 't0 < ?'];
  const args: (string | number)[] = [from, end];
  if (measurement !== null) where.push('measurement = ?') && args.push(measurement);
  if (job !== undefined) where.push('id IN (SELECT chunk FROM job_chunk WHERE job_id = ?)') && args.push(job);
  const deadline = Date.now() + QUERY_MS;
  for (const data of db.prepare<unknown[], string | Uint8Array>(`SELECT data FROM chunk WHERE ${where.join(' AND ')} ORDER BY t1 DESC, id DESC`).pluck().iterate(...args)) {
    if (Date.now() > deadline) throw new Fault('STORE_UNAVAILABLE', `the query took longer than ${QUERY_MS / 1000} s: narrow its time range, or name a job or a measurement`);
    for (const { time, tags, fields } of JSON.parse(unpacked(data)) as MetricPoint[]) {
      if (time < from || time >= end || !wanted.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value)) continue;
      if (field === null) yield { time, tags, fields };
      else if (Object.hasOwn(fields, field)) yield { time, tags, fields: { [field]: fields[field] as number } };
    }
  }
}

function stored(found: Iterable<Point>, { limit }: MetricRequest, names: Set<string>): { points: DataPoint[]; total: number } {
  let newest: Point[] = [];
  let total = 0;
  const cut = () => (newest = newest.sort((a, b) => b.time - a.time).slice(0, limit));
  for (const point of found) {
    total++;
    for (const name in point.fields) names.add(name);
    newest.push(point);
    // Chunks overlap in time, so the newest points are known only at the end; more than twice the limit need not be kept.
    if (newest.length >= 2 * limit + 1000) cut();
  }
  return { points: cut().reverse().map(({ time, tags, fields }) => ({ timestamp: iso(time), tags, ...fields }) as DataPoint), total };
}

function merged(found: Iterable<Point>, { limit }: MetricRequest, intervalMs: number, names: Set<string>): { points: DataPoint[]; total: number } {
  const windows = createWindows(intervalMs);
  for (const { time, fields } of found) windows.add(time, fields);
  const all = windows.result();
  for (const { fields } of all) for (const name in fields) names.add(name);
  const newest = limit === 0 ? [] : all.slice(-limit);
  return { points: newest.map(({ time, fields }) => ({ timestamp: iso(time), ...fields }) as DataPoint), total: all.length };
}
