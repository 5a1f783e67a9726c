import type Database from 'better-sqlite3';
import { planOnce } from '../../../store/plan-once.ts';
import { chunkSum, seriesSum, type SeriesRow } from './sums.ts';
import type { ChunkRow } from './chunk.ts';
import { crc32 } from 'node:zlib';

/** The chunks of a partition and what it says of their series, changed together. To be used within one transaction. */
export interface SeriesBook {
  /** `id`: the place of another chunk that it takes; else it is the newest. */
  add(sid: number, chunk: ChunkRow, id?: number): void;
  /** Takes out a chunk whose `tie` is right. */
  remove(chunk: { readonly id: number; readonly sid: number; readonly tie: number }): void;
  /** Sets the block of roll-ups of a series: 0, where there are none yet; -1 where a chunk is damaged. */
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
export const SERIES_ROW = 'SELECT sid, rolled, chunks, sum, tie FROM series WHERE sid = ?';

export function openSeriesBook(db: Database.Database): SeriesBook {
  const insert = db.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const drop = db.prepare('DELETE FROM chunk WHERE id = ?');
  const rowOf = db.prepare<[number], SeriesRow>(SERIES_ROW);
  // Not OR REPLACE, which takes the row out of its index and puts it there again.
  const put = db.prepare(
    'INSERT INTO series (sid, rolled, chunks, sum, tie) VALUES (?, ?, ?, ?, ?) ON CONFLICT (sid) DO UPDATE SET rolled = excluded.rolled, chunks = excluded.chunks, sum = excluded.sum, tie = excluded.tie',
  );
  const setRolled = db.prepare('UPDATE series SET rolled = ? WHERE sid = ?');
  const forget = db.prepare('DELETE FROM series WHERE sid = ?');
  const greatest = db
    .prepare<[], number | null>(
      "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunk'), 0), coalesce((SELECT max(id) FROM chunk), 0))",
    )
    .pluck();
  let last: number | null = null;
  const changed = new Map<number, { rolled: number; chunks: number; sum: number; isWhole: boolean }>();

  function entry(sid: number): { rolled: number; chunks: number; sum: number; isWhole: boolean } {
    let one = changed.get(sid);
    if (!one) {
      const row = rowOf.get(sid);
      one = row
        ? { rolled: row.rolled, chunks: row.chunks, sum: row.sum, isWhole: seriesSum(row) === row.tie }
        : { rolled: 0, chunks: 0, sum: 0, isWhole: true };
      changed.set(sid, one);
    }
    return one;
  }
  return {
    add(sid, { t0, t1, n, job0, job1, stats, data }, given) {
      last ??= greatest.get() ?? 0;
      const id = given ?? ++last;
      const crc = crc32(data);
      const tie = chunkSum({ id, sid, t0, t1, n, crc, job0, job1, stats });
      insert.run(id, sid, t0, t1, n, crc, job0, job1, stats, data, tie);
      const one = entry(sid);
      one.chunks++;
      one.sum = (one.sum ^ tie) >>> 0;
    },
    remove({ id, sid, tie }) {
      drop.run(id);
      const one = entry(sid);
      one.chunks--;
      one.sum = (one.sum ^ tie) >>> 0;
    },
    roll: (sid, block) => void (entry(sid).rolled = block),
    drop(sid) {
      forget.run(sid);
      changed.delete(sid);
    },
    save() {
      for (const [sid, { rolled, chunks, sum, isWhole }] of changed) {
        // One that is damaged stays so: what it should say is not known.
        if (isWhole) put.run(sid, rolled, chunks, sum, seriesSum({ sid, rolled, chunks, sum }));
        else setRolled.run(rolled, sid);
      }
      changed.clear();
    },
  };
}
