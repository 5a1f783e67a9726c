import type { Chunk } from './buffer.ts';
import { packed } from './pack.ts';
import { openMetricFile } from './store-open.ts';

export interface MetricWriter {
  append(chunk: Chunk): void;
  stats(): { points: number; bytes: number };
  close(): void;
}

/** The one writer of the metric store. Above `most` points the oldest chunks go. */
export function openWriter(folder: string, most: number): MetricWriter {
  const db = openMetricFile(folder, false);
  const insert = db.prepare('INSERT INTO chunk (measurement, t0, t1, count, jobs, data) VALUES (?, ?, ?, ?, ?, ?)');
  const insertJob = db.prepare('INSERT OR IGNORE INTO job_chunk (job_id, chunk) VALUES (?, ?)');
  const oldest = db.prepare<[], { id: number; count: number; jobs: string }>('SELECT id, count, jobs FROM chunk ORDER BY t1, id LIMIT 1');
  const remove = db.prepare('DELETE FROM chunk WHERE id = ?');
  const removeJob = db.prepare('DELETE FROM job_chunk WHERE job_id = ? AND chunk = ?');
  const count = db.prepare("UPDATE count SET value = value + ? WHERE name = 'points'");
  let points = db.prepare("SELECT value FROM count WHERE name = 'points'").pluck().get() as number;

  function removeOldest(): number {
    const chunk = oldest.get();
    if (!chunk) return 0;
    for (const job of JSON.parse(chunk.jobs) as string[]) removeJob.run(job, chunk.id);
    remove.run(chunk.id);
    return chunk.count;
  }
  const append = db.transaction(({ measurement, from, to, count: added, jobs: ids, text }: Chunk) => {
    const jobs = ids === '' ? [] : ids.split(' ');
    const { lastInsertRowid: id } = insert.run(measurement, Math.floor(from), Math.ceil(to), added, JSON.stringify(jobs), packed(text));
    for (const job of jobs) insertJob.run(job, id);
    let removed = 0;
    while (points + added - removed > most) {
      const gone = removeOldest();
      if (gone === 0) break;
      removed += gone;
    }
    count.run(added - removed);
    return added - removed;
  });
  return {
    append(chunk) {
      const before = points;
      points += append(chunk);
      if (points < before + chunk.count) db.pragma('incremental_vacuum(500)');
    },
    stats: () => ({ points, bytes: (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number) }),
    close() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}
