import { itemAt } from '../../../../lib/item-at.ts';
import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { decodeChunk } from '../files/chunk.ts';
import type { ChunkRecord } from '../files/partition.ts';
import type { PartKey } from './partitions.ts';
import type { FieldType } from '../port.ts';
import { encodeRolls, rollsOf, type Roll } from '../files/roll-up.ts';
import { sortAndMerge, type Rows } from '../files/rows.ts';
import { CHUNK_ROWS, chunksOf, insertChunk } from './seal.ts';

/** Series of one step, and so of one block of roll-ups; fewer where they have many rows: writes wait meanwhile. */
const STEP = 256;
const STEP_ROWS = 250_000;
/** Rows that are in memory at once; more where they overlap. */
const AT_ONCE = 65_536;

type ChunkHead = Pick<ChunkRecord, 'id' | 't0' | 't1' | 'n'>;

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
  const headsOf = db.prepare<[number], ChunkHead>('SELECT id, t0, t1, n FROM chunk WHERE sid = ? ORDER BY t0, id');
  const chunkOf = db.prepare<[number], Pick<ChunkRecord, 'data' | 'crc'>>('SELECT data, crc FROM chunk WHERE id = ?');
  const remove = db.prepare('DELETE FROM chunk WHERE id = ?');
  const mark = db.prepare('UPDATE series SET rolled = ? WHERE sid = ?');
  const insert = insertChunk(db);
  let taken = 0;

  /** The rows of a series, piece by piece, once they are in chunks that follow each other. */
  function* pieces(sid: number, bad: () => void): Generator<Rows> {
    let rewrite = false;
    for (const cluster of clustersOf(headsOf.all(sid))) {
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
        for (const { id } of cluster) remove.run(id);
        for (const list of chunksOf(rows).values()) for (const chunk of list) insert(sid, chunk);
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
        mark.run(-1, sid);
      } else if (taken === before) db.prepare('DELETE FROM series WHERE sid = ?').run(sid);
      else {
        rolls.push(...made);
        rolled.push(sid);
      }
    }
    const data = encodeRolls(rolls);
    const block = Number(
      db.prepare('INSERT INTO roll (crc, data) VALUES (?, ?)').run(crc32(data), data).lastInsertRowid,
    );
    for (const sid of rolled) mark.run(block, sid);
    db.prepare('DELETE FROM roll WHERE id NOT IN (SELECT rolled FROM series)').run();
  })();
  return true;
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
  if (crc32(data) !== crc) return null;
  try {
    return decodeChunk(data, typeOf, wanted);
  } catch {
    return null;
  }
}
