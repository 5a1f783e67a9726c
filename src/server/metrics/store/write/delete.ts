import type { Deletion } from '../port.ts';
import type { Catalog } from '../files/catalog.ts';
import { encodeChunk } from '../files/chunk.ts';
import { decodedChunk } from './compact.ts';
import { PART_MS, type ChunkRecord } from '../files/partition.ts';
import type { Partitions } from './partitions.ts';
import { copyValue, has, Rows } from '../files/rows.ts';
import { openSeriesBook } from '../files/series-book.ts';
import { chunkSum } from '../files/sums.ts';
import { isRowTag, splitOwnerKey } from '../files/owner-key.ts';

/** Takes points out of the sealed chunks. Can be done again without harm. Partitions of which only roll-ups are left keep those. */
export function deleteFrom(parts: Partitions, catalog: Catalog, { bucket, start, stop, tags }: Deletion): void {
  const { _measurement: measurement, _field: field, ...others } = tags;
  const fixed = Object.entries(others).filter(([key]) => !isRowTag(key));
  const rowTags = { job: others['job_id'], task: others['task_id'] };
  const series = [...catalog.series.values()]
    .filter(
      (one) =>
        one.bucket === bucket &&
        (measurement === undefined || one.measurement === measurement) &&
        fixed.every(([key, value]) => (one.tags[key] ?? '') === value),
    )
    .map(({ id }) => id);
  const goes = (ms: number, who: string): boolean => {
    if (ms < start || ms > stop) return false;
    if (rowTags.job === undefined && rowTags.task === undefined) return true;
    const { job, task } = splitOwnerKey(who);
    return (rowTags.job === undefined || rowTags.job === job) && (rowTags.task === undefined || rowTags.task === task);
  };
  for (const key of parts.list()) {
    if (key.bucket !== bucket || key.start > stop || key.start + PART_MS <= start) continue;
    const db = parts.open(key);
    const book = openSeriesBook(db);
    db.transaction(() => {
      for (const sid of series) {
        const chunks = db
          .prepare<[number, number, number], ChunkRecord & { tie: number }>(
            'SELECT * FROM chunk WHERE sid = ? AND t1 >= ? AND t0 <= ? ORDER BY id',
          )
          .all(sid, start, stop);
        let changed = false;
        for (const chunk of chunks) {
          if (chunkSum(chunk) !== chunk.tie) continue;
          const rows = decodedChunk(chunk, (id) => catalog.fields.get(id)?.type ?? 'float', null);
          if (!rows) continue;
          const left = without(
            rows,
            goes,
            field === undefined
              ? null
              : new Set(
                  catalog
                    .fieldsOf(bucket, catalog.series.get(sid)?.measurement ?? '')
                    .filter(({ name }) => name === field)
                    .map(({ id }) => id),
                ),
          );
          if (!left) continue;
          changed = true;
          book.remove(chunk);
          // It keeps its place in the order of writing: a later write of the same instant still wins.
          if (left.count > 0) book.add(sid, encodeChunk(left, 0, left.count), chunk.id);
        }
        if (!changed) continue;
        book.roll(sid, 0);
        book.save();
        // Where it has no points left, it need not be known here.
        db.prepare('DELETE FROM series WHERE sid = :sid AND NOT EXISTS (SELECT 1 FROM chunk WHERE sid = :sid)').run({
          sid,
        });
      }
    })();
  }
}

/** The rows without those that go, or without these fields of them; null: none goes. */
function without(
  rows: Rows,
  goes: (ms: number, who: string) => boolean,
  fields: ReadonlySet<number> | null,
): Rows | null {
  const left = new Rows();
  let gone = false;
  for (let row = 0; row < rows.count; row++) {
    const ms = rows.ms[row] ?? 0;
    const who = rows.who?.[row] ?? '';
    const leaves = goes(ms, who);
    const kept = [...rows.columns.values()].filter(
      (column) => has(column, row) && !(leaves && (fields === null || fields.has(column.field))),
    );
    if (leaves) gone = true;
    if (kept.length === 0) continue;
    const to = left.add(ms, rows.ns?.[row] ?? 0, who);
    for (const column of kept) copyValue(column, row, left.column(column.field, column.type), to);
  }
  return gone ? left : null;
}
