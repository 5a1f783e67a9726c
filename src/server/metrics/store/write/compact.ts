import { itemAt } from '../../../../lib/item-at.ts';
import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { decodeChunk } from '../files/chunk.ts';
import type { ChunkRecord } from '../files/partition.ts';
import type { PartKey } from './partitions.ts';
import type { FieldType } from '../port.ts';
import { encodeRolls, rollsOf, type Roll } from '../files/roll-up.ts';
import { sortAndMerge, type Rows } from '../files/rows.ts';
import type { PackedChunk } from '../files/pack.ts';
import { CHUNKS_BY_TIME, lastId, openSeriesBook, SERIES_ROW } from '../files/series-book.ts';
import { chunkSum, rollSum, seriesSum, type SeriesRow, type SummedChunk } from '../files/sums.ts';
import { CHUNK_ROWS, chunksOf } from './seal.ts';

/** Series of one step, and so of one block of roll-ups and of one pack; fewer where they have many rows: writes wait meanwhile. */
const STEP = 256;
const STEP_ROWS = 250_000;
/** Instead of a block of roll-ups: a chunk is damaged; there are too few points for any; there are only texts, and those are to go. */
export const BROKEN = -1;
export const NOT_ROLLED = -2;
const ONLY_TEXTS = -3;
/** Rows that are in memory at once; more where they overlap. */
const AT_ONCE = 65_536;
/** Bytes of a pack: all of them are read for one of its series. One with more chunks than that keeps them as they are. */
const PACK_BYTES = 128 * 1024;
/** Packs of one step that are made anew, as some of their series got late points. */
const STEP_PACKS = 8;

type ChunkHead = SummedChunk & { readonly tie: number };

/** A piece of a series that is read: of the chunks that follow each other in a pack, or one that came later. */
interface Piece {
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** Null: it is in a pack. */
  readonly chunk: ChunkHead | null;
  /** Null: it is damaged. */
  rows(): Rows | null;
}

/**
 * Puts the chunks of up to `STEP` series of a partition into packs, so that those of each follow each other, and makes roll-ups
 * of them. Those with owners stay beside the packs, as their jobs are looked for, and those of large series. A damaged chunk stays
 * as it is, and its series without roll-ups; a pack with one stays, too. `leaving`: the points will go, except where a roll-up takes more room than they do. False: there was
 * nothing to do.
 */
export function compactPart(
  db: Database.Database,
  key: PartKey,
  typeOf: (field: number) => FieldType,
  leaving: boolean,
  damaged: (count: number) => void,
): boolean {
  const dueFirst = db.prepare<[], number>(`SELECT sid FROM series WHERE rolled = 0 ORDER BY sid LIMIT ${STEP}`).pluck();
  const due = dueFirst.all();
  if (due.length === 0) return false;
  const headsOf = db.prepare<[number], ChunkHead>(CHUNKS_BY_TIME);
  const rowOf = db.prepare<[number], SeriesRow>(SERIES_ROW);
  const chunkOf = db.prepare<[number], Pick<ChunkRecord, 'data' | 'crc'>>('SELECT data, crc FROM chunk WHERE id = ?');
  const bytesOf = db
    .prepare<[number], number>('SELECT coalesce(sum(length(data)), 0) FROM chunk WHERE sid = ?')
    .pluck();
  const book = openSeriesBook(db);
  let packsTaken = 0;
  /** What was in packs that are made anew, and goes into the new ones. */
  const packed = new Map<number, readonly PackedChunk[]>();
  let taken = 0;
  /** Points of the series at hand are not left where there are few: it has owners or texts, or they cannot be moved. */
  let goes = false;

  /** The rows of a series, piece by piece, once they are in chunks that follow each other. */
  function* pieces(sid: number, bad: () => void): Generator<Rows> {
    const pack = book.packOf(sid);
    let fixed: readonly PackedChunk[] | null = null;
    if (pack > 0 && !packed.has(sid)) {
      packsTaken++;
      const chunks = book.unpack(pack);
      for (const [one, list] of Map.groupBy(chunks ?? [], (chunk) => chunk.sid)) packed.set(one, list);
      if (!packed.has(sid)) fixed = book.packed(pack).filter((chunk) => chunk.sid === sid);
      if (fixed?.length === 0) return bad();
    }
    const heads = headsOf.all(sid);
    const whole = heads.filter((head) => chunkSum(head) === head.tie);
    const row = rowOf.get(sid);
    // Nothing is made of a series that lacks some of what it had.
    if (whole.length < heads.length || !row || lacksChunks(row, whole)) return bad();
    const before = fixed ?? packed.get(sid) ?? [];
    const isOwned = heads.some(({ job0 }) => job0 !== null);
    const staysOut = isOwned || before.reduce((sum, { data }) => sum + data.length, bytesOf.get(sid) ?? 0) > PACK_BYTES;
    goes = staysOut || fixed !== null;
    let rewrite = fixed === null && (staysOut ? before.length > 0 : heads.length > 0);
    const made: PackedChunk[] = [];
    for (const cluster of clustersOf([...before.map(packedPiece), ...heads.map(chunkPiece)])) {
      const found: Rows[] = [];
      for (const piece of inOrderOfWriting(cluster)) {
        const rows = piece.rows();
        taken += piece.n;
        if (rows) found.push(rows);
        else bad();
      }
      if (found.length < cluster.length) return;
      const rows = sortAndMerge(found);
      goes ||= [...rows.columns.values()].some(({ texts }) => texts !== null);
      if (fixed) {
        yield rows;
        continue;
      }
      if (staysOut) {
        // Chunks are read in the order of their ids: behind one that is made anew so are all.
        rewrite ||=
          cluster.length > Math.ceil(rows.count / CHUNK_ROWS) ||
          cluster.some(({ t0 }, i) => i > 0 && t0 <= itemAt(cluster, i - 1).t1);
        if (rewrite) {
          for (const { chunk } of cluster) if (chunk) book.remove(chunk);
          for (const list of chunksOf(rows).values()) for (const chunk of list) book.add(sid, chunk);
        }
      } else if (rewrite)
        for (const list of chunksOf(rows, true).values())
          for (const { t0, t1, n, data } of list) made.push({ sid, t0, t1, n, crc: crc32(data), data });
      yield rows;
    }
    if (fixed) return;
    if (staysOut) packed.delete(sid);
    else if (rewrite) {
      for (const head of heads) book.remove(head);
      packed.set(sid, made);
    }
  }
  const packedPiece = ({ t0, t1, n, ...chunk }: PackedChunk): Piece => ({
    ...{ t0, t1, n, chunk: null },
    rows: () => decodedChunk(chunk, typeOf, null),
  });
  const chunkPiece = (chunk: ChunkHead): Piece => ({
    ...{ t0: chunk.t0, t1: chunk.t1, n: chunk.n, chunk },
    rows: () => decodedChunk(itemAt(chunkOf.all(chunk.id), 0), typeOf, null),
  });

  db.transaction(() => {
    const rolls: Roll[] = [];
    for (const sid of due) {
      if (taken > STEP_ROWS || packsTaken >= STEP_PACKS) break;
      let bad = 0;
      const before = taken;
      const made = rollsOf(
        sid,
        pieces(sid, () => bad++),
        key.start,
      );
      // Reading few points costs as little as reading a roll-up, which needs a sum, bounds and ends of each minute.
      const dense = made.filter(({ isDense }) => isDense);
      const kept = leaving && (goes || dense.length > 0) ? made : dense;
      if (bad > 0) {
        damaged(bad);
        book.roll(sid, BROKEN);
      } else if (taken === before) book.drop(sid);
      else {
        rolls.push(...kept);
        book.roll(sid, leaving && made.length === 0 ? ONLY_TEXTS : NOT_ROLLED);
      }
    }
    for (const pack of packsOf(packed)) book.pack(pack);
    if (rolls.length > 0) {
      const data = encodeRolls(rolls);
      const block = lastId(db, 'roll') + 1;
      db.prepare('INSERT INTO roll (id, crc, data) VALUES (?, ?, ?)').run(block, rollSum(block, data), data);
      for (const { series } of rolls) book.roll(series, block);
    }
    book.save();
    if (!leaving && dueFirst.get() === undefined)
      db.prepare('DELETE FROM roll WHERE id NOT IN (SELECT rolled FROM series)').run();
  })();
  return true;
}

/** The chunks of as many series as go into a pack, by series. */
function* packsOf(packed: ReadonlyMap<number, readonly PackedChunk[]>): Generator<PackedChunk[]> {
  let pack: PackedChunk[] = [];
  let [series, bytes] = [0, 0];
  for (const [, chunks] of [...packed].toSorted(([a], [b]) => a - b)) {
    const more = chunks.reduce((sum, { data }) => sum + data.length, 0);
    if (pack.length > 0 && (series === STEP || bytes + more > PACK_BYTES)) {
      yield pack;
      pack = [];
      series = bytes = 0;
    }
    pack.push(...chunks);
    series++;
    bytes += more;
  }
  if (pack.length > 0) yield pack;
}

/** What is in a pack was written before all that is not. */
const inOrderOfWriting = (pieces: readonly Piece[]): Piece[] =>
  pieces.toSorted((a, b) => (a.chunk?.id ?? 0) - (b.chunk?.id ?? 0));

/** True where these are not the chunks that the partition says a series has, or what it says cannot be believed. */
export function lacksChunks(row: SeriesRow, chunks: readonly { readonly tie: number }[]): boolean {
  return (
    seriesSum(row) !== row.tie ||
    row.chunks !== chunks.length ||
    chunks.reduce((sum, { tie }) => (sum ^ tie) >>> 0, 0) !== row.sum
  );
}

/** Pieces in the order of their time, as many together as are made one at once: those that overlap always. */
function* clustersOf(pieces: readonly Piece[]): Generator<Piece[]> {
  let cluster: Piece[] = [];
  let end = Number.NEGATIVE_INFINITY;
  let rows = 0;
  for (const head of pieces.toSorted((a, b) => a.t0 - b.t0)) {
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
