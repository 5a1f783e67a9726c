import { itemAt } from '../../../../lib/item-at.ts';
import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { decodeChunk } from '../files/chunk.ts';
import type { ChunkRecord } from '../files/partition.ts';
import type { PartKey } from './partitions.ts';
import type { FieldType } from '../port.ts';
import { encodeRolls, rollsOf, type Roll } from '../files/roll-up.ts';
import { sortAndMerge, type Rows } from '../files/rows.ts';
import { countIn } from '../files/head-db.ts';
import { CHUNKS_BY_TIME, openSeriesBook, SERIES_ROW } from '../files/series-book.ts';
import { chunkSum, rollSum, seriesSum, type SeriesRow, type SummedChunk } from '../files/sums.ts';
import { CHUNK_ROWS, chunksOf } from './seal.ts';

/** Series of one step, and so of one block of roll-ups; fewer where they have many rows: writes wait meanwhile. */
const STEP = 256;
const STEP_ROWS = 250_000;
/** Rows that are in memory at once; more where they overlap. */
const AT_ONCE = 65_536;

type ChunkHead = SummedChunk & { readonly tie: number };

/**
 * Makes pieces that follow each other of the chunks of each series, and roll-ups of them: for up to `STEP` series of a
 * partition. A damaged chunk stays as it is, and its series without roll-ups. False: there was nothing to do.
 */
export function compactPart(
  db: Database.Database,
  key: PartKey,
  typeOf: (field: number) => FieldType,
  all: boolean,
  damaged: (count: number) => void,
): boolean {
  const due = db
    .prepare<[], number>(`SELECT sid FROM series WHERE rolled = 0 ORDER BY sid LIMIT ${STEP}`)
    .pluck()
    .all();
  if (due.length === 0) return false;
  const headsOf = db.prepare<[number], ChunkHead>(CHUNKS_BY_TIME);
  const rowOf = db.prepare<[number], SeriesRow>(SERIES_ROW);
  const chunkOf = db.prepare<[number], Pick<ChunkRecord, 'data' | 'crc'>>('SELECT data, crc FROM chunk WHERE id = ?');
  const book = openSeriesBook(db);
  let taken = 0;

  /** The rows of a series, piece by piece, once they are in chunks that follow each other. */
  function* pieces(sid: number, bad: () => void): Generator<Rows> {
    let rewrite = false;
    const heads = headsOf.all(sid);
    const whole = heads.filter((head) => chunkSum(head) === head.tie);
    const row = rowOf.get(sid);
    // Nothing is made of a series that lacks some of what it had.
    if (whole.length < heads.length || !row || lacksChunks(row, whole)) return bad();
    for (const cluster of clustersOf(heads)) {
      const found: Rows[] = [];
      for (const { id, n } of cluster.toSorted((a, b) => a.id - b.id)) {
        const rows = decodedChunk(itemAt(chunkOf.all(id), 0), typeOf, null);
        taken += n;
        if (rows) found.push(rows);
        else bad();
      }
      if (found.length < cluster.length) return;
      const rows = sortAndMerge(found);
      // Chunks are read in the order of their ids: behind one that is made anew so are all.
      rewrite ||=
        cluster.length > Math.ceil(rows.count / CHUNK_ROWS) ||
        cluster.some(({ t0 }, i) => i > 0 && t0 <= itemAt(cluster, i - 1).t1);
      if (rewrite) {
        for (const chunk of cluster) book.remove(chunk);
        for (const list of chunksOf(rows).values()) for (const chunk of list) book.add(sid, chunk);
      }
      yield rows;
    }
  }

  db.transaction(() => {
    const rolls: Roll[] = [];
    const rolled: number[] = [];
    for (const sid of due) {
      if (taken > STEP_ROWS) break;
      let bad = 0;
      const before = taken;
      const made = rollsOf(
        sid,
        pieces(sid, () => bad++),
        key.start,
        all,
      );
      if (bad > 0) {
        damaged(bad);
        book.roll(sid, -1);
      } else if (taken === before) book.drop(sid);
      else {
        rolls.push(...made);
        rolled.push(sid);
      }
    }
    const data = encodeRolls(rolls);
    const block = countIn(
      db,
      "SELECT 1 + max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'roll'), 0), coalesce((SELECT max(id) FROM roll), 0))",
    );
    db.prepare('INSERT INTO roll (id, crc, data) VALUES (?, ?, ?)').run(block, rollSum(block, data), data);
    for (const sid of rolled) book.roll(sid, block);
    book.save();
    db.prepare('DELETE FROM roll WHERE id NOT IN (SELECT rolled FROM series)').run();
  })();
  return true;
}

/** True where these are not the chunks that the partition says a series has, or what it says cannot be believed. */
export function lacksChunks(row: SeriesRow, chunks: readonly { readonly tie: number }[]): boolean {
  return (
    seriesSum(row) !== row.tie ||
    row.chunks !== chunks.length ||
    chunks.reduce((sum, { tie }) => (sum ^ tie) >>> 0, 0) !== row.sum
  );
}

/** Chunks in the order of their time, as many together as are made one at once: those that overlap always. */
function* clustersOf(heads: readonly ChunkHead[]): Generator<ChunkHead[]> {
  let cluster: ChunkHead[] = [];
  let end = Number.NEGATIVE_INFINITY;
  let rows = 0;
  for (const head of heads) {
    if (cluster.length > 0 && head.t0 > end && rows + head.n > AT_ONCE) {
      yield cluster;
      cluster = [];
      rows = 0;
    }
    cluster.push(head);
    rows += head.n;
    end = Math.max(end, head.t1);
  }
  if (cluster.length > 0) yield cluster;
}

/** Null where the bytes are not those that were written. */
export function decodedChunk(
  { data, crc }: Pick<ChunkRecord, 'data' | 'crc'>,
  typeOf: (field: number) => FieldType,
  wanted: ((field: number) => boolean) | null,
): Rows | null {
  if (!(data instanceof Uint8Array) || crc32(data) !== crc) return null;
  try {
    return decodeChunk(data, typeOf, wanted);
  } catch {
    return null;
  }
}
