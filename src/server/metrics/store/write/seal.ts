import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { encodeChunk, type ChunkRow } from '../files/chunk.ts';
import { countIn, isDamage } from '../files/head-db.ts';
import { partOf } from '../files/partition.ts';
import { sortAndMerge, type Rows } from '../files/rows.ts';
import { openSeriesBook } from '../files/series-book.ts';
import type { Partitions, PartKey } from './partitions.ts';

/** Rows of one chunk at most. */
export const CHUNK_ROWS = 8192;

/** Chunks of a series by the partition that they belong to. `plain`: as of `encodeChunk`. */
export function chunksOf(rows: Rows, plain = false): Map<number, ChunkRow[]> {
  const tidy = sortAndMerge([rows]);
  const parts = new Map<number, ChunkRow[]>();
  for (let start = 0; start < tidy.count;) {
    const part = partOf(tidy.ms[start] ?? 0);
    let end = start;
    while (end < tidy.count && end - start < CHUNK_ROWS && partOf(tidy.ms[end] ?? 0) === part) end++;
    const chunks = parts.get(part) ?? [];
    chunks.push(encodeChunk(tidy, start, end, plain));
    parts.set(part, chunks);
    start = end;
  }
  return parts;
}

export interface SealOptions {
  readonly parts: Pick<Partitions, 'open' | 'setAside'>;
  /** Of a series; undefined: it is gone. */
  bucketOf(series: number): number | undefined;
  /** False: points of this partition go at once. */
  isKept(key: PartKey): boolean;
  /** A partition is about to get chunks, or has got them. */
  written(key: PartKey): void;
  now(): number;
}

/** Writes rows by series to their partitions, each in one transaction which says that it has all entries up to `last`. A partition that says so already is skipped, one that is damaged is set aside. */
export function sealRows(rows: ReadonlyMap<number, Rows>, last: number, options: SealOptions): void {
  const { parts, bucketOf, isKept, written, now } = options;
  const byPart = new Map<string, { key: PartKey; chunks: [series: number, chunks: ChunkRow[]][] }>();
  for (const [series, one] of rows) {
    const bucket = bucketOf(series);
    if (bucket === undefined) continue;
    for (const [start, chunks] of chunksOf(one)) {
      const name = `${bucket}/${start}`;
      let part = byPart.get(name);
      if (!part) byPart.set(name, (part = { key: { bucket, start }, chunks: [] }));
      part.chunks.push([series, chunks]);
    }
  }
  for (const { key, chunks } of byPart.values()) {
    if (!isKept(key)) continue;
    written(key);
    try {
      putChunks(parts.open(key), chunks, last, now());
    } catch (error) {
      if (!isDamage(error)) throw error;
      // Else no points at all would be sealed, those of other partitions neither.
      parts.setAside(key, errorMessage(error));
      putChunks(parts.open(key), chunks, last, now());
    }
  }
}

function putChunks(
  db: Database.Database,
  chunks: readonly [series: number, chunks: readonly ChunkRow[]][],
  last: number,
  now: number,
): void {
  if (countIn(db, "SELECT value FROM meta WHERE name = 'sealed'") >= last) return;
  const book = openSeriesBook(db);
  db.transaction(() => {
    for (const [series, list] of chunks) {
      book.roll(series, 0);
      for (const chunk of list) book.add(series, chunk);
    }
    book.save();
    db.prepare("UPDATE meta SET value = ? WHERE name = 'sealed'").run(last);
    db.prepare("UPDATE meta SET value = ? WHERE name = 'written'").run(now);
  })();
  // Before these rows go from the head they are on the disk itself: a power cut must not take minutes of points.
  // And its write-ahead log is emptied: one that is damaged later would bring older pages back.
  db.pragma('busy_timeout = 0');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma('busy_timeout = 5000');
}
