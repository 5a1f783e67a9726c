import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parseStored } from '../../../../lib/json.ts';
import type { MetricPoint } from '../../../../contract/worker-protocol.ts';
import type { ShapeBatch } from '../../collector/port.ts';
import { createCollector } from '../../collector/collector.ts';

/** Rows of the old store that are taken in one step. */
const STEP = 20;

export interface Migration {
  /** The next points and how far they reach; null: all are taken over. */
  next(after: number): { batches: ShapeBatch[]; upTo: number } | null;
  /** The old file is not needed any more. */
  done(): void;
}

/** The store of version 0.1 (`metrics.db`: JSON of points, some of it compressed), on its way into this one. Null: there is none. */
export function openMigration(folder: string): Migration | null {
  const file = join(folder, 'metrics.db');
  if (!existsSync(file)) return null;
  let db: Database.Database | null = new Database(file);
  return {
    next(after) {
      const rows =
        db
          ?.prepare<[number], { id: number; data: string | Uint8Array }>(
            `SELECT id, data FROM chunk WHERE id > ? ORDER BY id LIMIT ${STEP}`,
          )
          .all(after) ?? [];
      const last = rows.at(-1);
      if (!last) return null;
      const batches: ShapeBatch[] = [];
      const collector = createCollector((batch) => batches.push(batch));
      for (const { data } of rows)
        for (const point of parseStored<MetricPoint[]>(
          typeof data === 'string' ? data : zstdDecompressSync(data).toString(),
        ))
          collector.add(point);
      collector.flush();
      return { batches, upTo: last.id };
    },
    done() {
      db?.close();
      db = null;
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    },
  };
}
