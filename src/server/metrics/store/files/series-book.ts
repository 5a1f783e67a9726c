import type Database from 'better-sqlite3';
import { planOnce } from '../../../store/plan-once.ts';
import { chunkSum, seriesSum, type SeriesRow } from './sums.ts';
import type { ChunkRow } from './chunk.ts';
import { crc32 } from 'node:zlib';
import { encodePack, isWhole, Pack, type PackedChunk, type PackRow } from './pack.ts';

/** The chunks and packs of a partition and what it says of their series, changed together. To be used within one transaction. */
export interface SeriesBook {
  /** `id`: the place of another chunk that it takes; else it is the newest. */
  add(sid: number, chunk: ChunkRow, id?: number): void;
  /** Takes out a chunk whose `tie` is right. */
  remove(chunk: { readonly id: number; readonly sid: number; readonly tie: number }): void;
  /** Puts all that is packed of these series into a new pack. */
  pack(chunks: readonly PackedChunk[]): void;
  /** The chunks of a pack; none where it is missing or damaged. */
  packed(id: number): readonly PackedChunk[];
  /**
   * Takes its series out of a pack, and gives their chunks. Those of which the partition does not know for sure that they are in
   * it stay there. Null: it is missing, or it or a chunk of it is damaged, and it stays.
   */
  unpack(id: number): PackedChunk[] | null;
  /** The same also where chunks are damaged: what is left of those are their heads. */
  takeApart(id: number): PackedChunk[] | null;
  /** The pack that a series is in; 0: none. */
  packOf(sid: number): number;
  /** Sets the block of roll-ups of a series: 0, where it is not compacted; less where it is, and has none. */
  roll(sid: number, block: number): void;
  /** Takes a series out that has no chunks. */
  drop(sid: number): void;
  /** Writes what was changed of the series. */
  save(): void;
}

const CHUNK_HEADS = 'SELECT id, sid, t0, t1, n, crc, job0, job1, stats, tie FROM chunk WHERE sid = ?';
/** The chunks of a series without their data, in the order of their writing. */
export const CHUNKS_WRITTEN = planOnce(`${CHUNK_HEADS} ORDER BY id`);
export const CHUNKS_BY_TIME = planOnce(`${CHUNK_HEADS} ORDER BY t0, id`);
export const SERIES_ROW = 'SELECT sid, rolled, pack, chunks, sum, tie FROM series WHERE sid = ?';
export const PACK_ROW = 'SELECT id, n, crc, head, data FROM pack WHERE id = ?';

/** The number that comes after the greatest that a table with AUTOINCREMENT ever had, whatever became of its rows. */
export const lastId = (db: Database.Database, table: 'chunk' | 'pack' | 'roll'): number =>
  db
    .prepare<[], number>(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0), coalesce((SELECT max(id) FROM ${table}), 0))`,
    )
    .pluck()
    .get() ?? 0;

interface Entry {
  rolled: number;
  pack: number;
  chunks: number;
  sum: number;
  /** The pack that `meta` counts it in. */
  readonly counted: number;
  readonly isWhole: boolean;
}

export function openSeriesBook(db: Database.Database): SeriesBook {
  const insert = db.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM chunk WHERE id = ?');
  const rowOf = db.prepare<[number], SeriesRow>(SERIES_ROW);
  // Not OR REPLACE, which takes the row out of its index and puts it there again.
  const putSeries = db.prepare(
    'INSERT INTO series (sid, rolled, pack, chunks, sum, tie) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (sid) DO UPDATE SET rolled = excluded.rolled, pack = excluded.pack, chunks = excluded.chunks, sum = excluded.sum, tie = excluded.tie',
  );
  const setRolled = db.prepare('UPDATE series SET rolled = ? WHERE sid = ?');
  const forget = db.prepare('DELETE FROM series WHERE sid = ?');
  const packRow = db.prepare<[number], PackRow>(PACK_ROW);
  const putPack = db.prepare('INSERT INTO pack (id, n, crc, head, data) VALUES (?, ?, ?, ?, ?)');
  const dropPack = db.prepare('DELETE FROM pack WHERE id = ?');
  const count = db.prepare("UPDATE meta SET value = value + ? WHERE name = 'packed'");
  let last: number | null = null;
  const changed = new Map<number, Entry>();

  function known(sid: number): Entry | null {
    const one = changed.get(sid);
    if (one) return one;
    const row = rowOf.get(sid);
    return row ? { ...row, counted: row.pack, isWhole: seriesSum(row) === row.tie } : null;
  }
  function entry(sid: number): Entry {
    const one = known(sid) ?? { rolled: 0, pack: 0, chunks: 0, sum: 0, counted: 0, isWhole: true };
    changed.set(sid, one);
    return one;
  }
  const isIn = (pack: number, sid: number): boolean => {
    const one = known(sid);
    return one !== null && one.isWhole && one.pack === pack;
  };
  function chunksOf(id: number): PackedChunk[] | null {
    const row = packRow.get(id);
    return (row && Pack.open(row)?.all()) ?? null;
  }
  function put(id: number, chunks: readonly PackedChunk[]): void {
    const { n, crc, head, data } = encodePack(id, chunks);
    putPack.run(id, n, crc, head, data);
  }
  function takeApart(id: number): PackedChunk[] | null {
    const chunks = chunksOf(id);
    if (!chunks) return null;
    const [sure, unsure] = [chunks.filter(({ sid }) => isIn(id, sid)), chunks.filter(({ sid }) => !isIn(id, sid))];
    dropPack.run(id);
    // Whoever remembers the pack has the same of them.
    if (unsure.length > 0) put(id, unsure);
    for (const { sid } of sure) entry(sid).pack = 0;
    return sure;
  }
  return {
    add(sid, { t0, t1, n, job0, job1, stats, data }, given) {
      last ??= lastId(db, 'chunk');
      const id = given ?? ++last;
      const crc = crc32(data);
      const tie = chunkSum({ id, sid, t0, t1, n, crc, job0, job1, stats });
      insert.run(id, sid, t0, t1, n, crc, job0, job1, stats, data, tie);
      const one = entry(sid);
      one.chunks++;
      one.sum = (one.sum ^ tie) >>> 0;
    },
    remove({ id, sid, tie }) {
      remove.run(id);
      const one = entry(sid);
      one.chunks--;
      one.sum = (one.sum ^ tie) >>> 0;
    },
    pack(chunks) {
      const id = lastId(db, 'pack') + 1;
      put(id, chunks);
      for (const { sid } of chunks) entry(sid).pack = id;
    },
    packed: (id) => chunksOf(id) ?? [],
    unpack: (id) => (chunksOf(id)?.every(isWhole) === true ? takeApart(id) : null),
    takeApart,
    packOf: (sid) => known(sid)?.pack ?? 0,
    roll: (sid, block) => void (entry(sid).rolled = block),
    drop(sid) {
      const counted = known(sid)?.counted ?? 0;
      if (counted > 0) count.run(-sid);
      forget.run(sid);
      changed.delete(sid);
    },
    save() {
      let packed = 0;
      for (const [sid, { rolled, pack, chunks, sum, counted, isWhole }] of changed) {
        // One that is damaged stays so: what it should say is not known.
        if (!isWhole) {
          setRolled.run(rolled, sid);
          continue;
        }
        putSeries.run(sid, rolled, pack, chunks, sum, seriesSum({ sid, rolled, pack, chunks, sum }));
        if (pack > 0 !== counted > 0) packed += pack > 0 ? sid : -sid;
      }
      if (packed !== 0) count.run(packed);
      changed.clear();
    },
  };
}
