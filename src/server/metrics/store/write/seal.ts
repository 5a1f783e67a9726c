import { encodeChunk, type ChunkRow } from '../files/chunk.ts';
import { partOf } from '../files/partition.ts';
import { sortAndMerge, type Rows } from '../files/rows.ts';

/** Rows of one chunk at most. */
export const CHUNK_ROWS = 8192;

/** Chunks of a series by the partition that they belong to. */
export function chunksOf(rows: Rows): Map<number, ChunkRow[]> {
  const tidy = sortAndMerge([rows]);
  const parts = new Map<number, ChunkRow[]>();
  for (let start = 0; start < tidy.count;) {
    const part = partOf(tidy.ms[start] ?? 0);
    let end = start;
    while (end < tidy.count && end - start < CHUNK_ROWS && partOf(tidy.ms[end] ?? 0) === part) end++;
    const chunks = parts.get(part) ?? [];
    chunks.push(encodeChunk(tidy, start, end));
    parts.set(part, chunks);
    start = end;
  }
  return parts;
}
