import type { MetricPoint } from '../../contract/worker-protocol.ts';
import { openMetricFile } from './store-open.ts';

export interface MetricWriter {
  append(points: readonly MetricPoint[]): void;
  stats(): { points: number; bytes: number };
  close(): void;
}

const REMOVED_AT_ONCE = 5000;

/** The one writer of the metric store. Above `most` points the oldest go. */
export function openWriter(folder: string, most: number): MetricWriter {
  const db = openMetricFile(folder, false);
  const insert = db.prepare('INSERT INTO point (time, measurement, job_id, tags, fields) VALUES (?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM point WHERE id IN (SELECT id FROM point ORDER BY time, id LIMIT ?)');
  const count = db.prepare("UPDATE count SET value = value + ? WHERE name = 'points'");
  let points = db.prepare("SELECT value FROM count WHERE name = 'points'").pluck().get() as number;

  const append = db.transaction((batch: readonly MetricPoint[]) => {
    for (const { time, measurement, tags, fields } of batch) insert.run(Math.round(time), measurement, tags['job_id'] ?? null, JSON.stringify(tags), JSON.stringify(fields));
    const over = points + batch.length - most;
    const removed = over > 0 ? remove.run(Math.min(over, batch.length + REMOVED_AT_ONCE)).changes : 0;
    count.run(batch.length - removed);
    return batch.length - removed;
  });
  return {
    append(batch) {
      points += append(batch);
      if (points >= most) db.pragma('incremental_vacuum(1000)');
    },
    stats: () => ({ points, bytes: (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number) }),
    close() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}
