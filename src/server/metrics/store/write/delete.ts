import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Deletion, FieldType } from '../port.ts';
import type { Catalog } from '../files/catalog.ts';
import { encodeChunk } from '../files/chunk.ts';
import { decodedChunk } from './compact.ts';
import { PART_MS, type ChunkRecord } from '../files/partition.ts';
import type { Partitions } from './partitions.ts';
import { copyValue, has, Rows } from '../files/rows.ts';
import type { PackedChunk } from '../files/pack.ts';
import { openSeriesBook, type SeriesBook } from '../files/series-book.ts';
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
  const isOfOwners = [rowTags.job, rowTags.task].some((tag) => tag !== undefined && tag !== '');
  const goes = (ms: number, who: string): boolean => {
    if (ms < start || ms > stop) return false;
    if (rowTags.job === undefined && rowTags.task === undefined) return true;
    const { job, task } = splitOwnerKey(who);
    return (rowTags.job === undefined || rowTags.job === job) && (rowTags.task === undefined || rowTags.task === task);
  };
  const typeOf = (id: number): FieldType => catalog.fields.get(id)?.type ?? 'float';
  const fieldsOf = (sid: number): ReadonlySet<number> | null =>
    field === undefined
      ? null
      : new Set(
          catalog
            .fieldsOf(bucket, catalog.series.get(sid)?.measurement ?? '')
            .filter(({ name }) => name === field)
            .map(({ id }) => id),
        );
  for (const key of parts.list()) {
    if (key.bucket !== bucket || key.start > stop || key.start + PART_MS <= start) continue;
    // Those of a damaged one go with it.
    parts.use(key, deleteIn);
  }

  function deleteIn(db: Database.Database): void {
    const book = openSeriesBook(db);
    db.transaction(() => {
      const packed = new Set(
        // Rows in packs have no owner.
        isOfOwners ? [] : series.map((sid) => book.packOf(sid)).filter((pack) => pack > 0),
      );
      const chosen = new Set(series);
      for (const pack of packed) deleteFromPack(book, pack, chosen, (sid, rows) => without(rows, goes, fieldsOf(sid)));
      book.save();
      for (const sid of series) {
        const chunks = db
          .prepare<[number, number, number], ChunkRecord & { tie: number }>(
            'SELECT * FROM chunk WHERE sid = ? AND t1 >= ? AND t0 <= ? ORDER BY id',
          )
          .all(sid, start, stop);
        let changed = false;
        for (const chunk of chunks) {
          if (chunkSum(chunk) !== chunk.tie) continue;
          const rows = decodedChunk(chunk, typeOf, null);
          const left = rows && without(rows, goes, fieldsOf(sid));
          if (!left) continue;
          changed = true;
          book.remove(chunk);
          // It keeps its place in the order of writing: a later write of the same instant still wins.
          if (left.count > 0) book.add(sid, encodeChunk(left, 0, left.count), chunk.id);
        }
        if (!changed) continue;
        book.roll(sid, 0);
        book.save();
      }
      // Where they have no points left, they need not be known here.
      const drop = db.prepare(
        'DELETE FROM series WHERE sid = :sid AND rolled = 0 AND pack = 0 AND NOT EXISTS (SELECT 1 FROM chunk WHERE sid = :sid)',
      );
      for (const sid of series) drop.run({ sid });
    })();
  }

  /** Makes a pack anew without the points that go. One of which it is not known what it holds stays. */
  function deleteFromPack(
    book: SeriesBook,
    pack: number,
    chosen: ReadonlySet<number>,
    leave: (sid: number, rows: Rows) => Rows | null,
  ): void {
    const changed = new Set<number>();
    const kept: PackedChunk[] = [];
    for (const chunk of book.packed(pack)) {
      const { sid, t0, t1 } = chunk;
      const rows = chosen.has(sid) && t1 >= start && t0 <= stop ? decodedChunk(chunk, typeOf, null) : null;
      const left = rows && leave(sid, rows);
      if (!left) {
        kept.push(chunk);
        continue;
      }
      changed.add(sid);
      if (left.count === 0) continue;
      const { data, ...made } = encodeChunk(left, 0, left.count, true);
      kept.push({ sid, t0: made.t0, t1: made.t1, n: made.n, crc: crc32(data), data });
    }
    if (changed.size === 0 || !book.takeApart(pack)) return;
    if (kept.length > 0) book.pack(kept);
    for (const sid of changed) book.roll(sid, 0);
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
