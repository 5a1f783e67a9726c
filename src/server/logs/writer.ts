import type { StoredRecord } from './record.ts';
import { openLogFile } from './store-open.ts';

export interface LogWriter {
  /** All in one transaction. Throws where the disk refuses. */
  append(records: readonly StoredRecord[]): void;
  stats(): { records: number; bytes: number };
  close(): void;
}

/** Records removed in one go when the store is full, so that the ingest never stands still for long. */
const REMOVED_AT_ONCE = 5000;

/** The one writer of the log store. Above `maxBytes` the oldest records go. */
export function openWriter(folder: string, maxBytes: number): LogWriter {
  const db = openLogFile(folder, false);
  const insert = db.prepare('INSERT INTO log (time, msg, level, job_id, task_id, worker_id, source, fields) VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM log WHERE id IN (SELECT id FROM log ORDER BY time, id LIMIT ?)');
  const count = db.prepare("UPDATE count SET value = value + ? WHERE name = 'records'");
  let records = db.prepare("SELECT value FROM count WHERE name = 'records'").pluck().get() as number;
  const bytes = () => ((db.pragma('page_count', { simple: true }) as number) - (db.pragma('freelist_count', { simple: true }) as number)) * (db.pragma('page_size', { simple: true }) as number);

  const append = db.transaction((batch: readonly StoredRecord[]) => {
    for (const r of batch) insert.run(r.time, r.msg, r.level, r.job_id, r.task_id, r.worker_id, r.source, r.fields);
    count.run(batch.length);
    return batch.length;
  });
  const trim = db.transaction(() => {
    const removed = remove.run(REMOVED_AT_ONCE).changes;
    count.run(-removed);
    return removed;
  });

  return {
    append(batch) {
      records += append(batch);
      // Each append makes room for more than it takes, until the store is within its size again.
      if (bytes() <= maxBytes) return;
      for (let removed = 0; removed < batch.length + REMOVED_AT_ONCE; ) {
        const now = trim();
        records -= now;
        removed += now;
        if (now === 0 || bytes() <= maxBytes) break;
      }
      db.pragma('incremental_vacuum(2000)');
    },
    stats: () => ({ records, bytes: bytes() }),
    close() {
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}
