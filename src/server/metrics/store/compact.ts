import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { decodeChunk } from './chunk.ts';
import type { ChunkRecord } from './partition.ts';
import type { PartKey } from './parts.ts';
import type { FieldType } from './port.ts';
import { encodeRolls, rollsOf, type Roll } from './roll.ts';
import { tidied, type Rows } from './rows.ts';
import { chunksOf, insertChunk } from './seal.ts';

/** Series of one step, and so of one block of roll-ups. */
const STEP = 256;

/**
 * Makes one piece of the chunks of each series, and roll-ups of them: for up to `STEP` series of a partition. A damaged
 * chunk stays as it is, and its series without roll-ups. False: there was nothing to do.
 */
export function compactPart(db: Database.Database, key: PartKey, typeOf: (field: number) => FieldType, all: boolean, damaged: (count: number) => void): boolean {
  const due = db.prepare<[], number>(`SELECT sid FROM series WHERE rolled = 0 ORDER BY sid LIMIT ${STEP}`).pluck().all();
  if (due.length === 0) return false;
  const chunksOfSeries = db.prepare<[number], ChunkRecord>('SELECT * FROM chunk WHERE sid = ? ORDER BY id');
  const remove = db.prepare('DELETE FROM chunk WHERE sid = ?');
  const mark = db.prepare('UPDATE series SET rolled = ? WHERE sid = ?');
  const insert = insertChunk(db);
  db.transaction(() => {
    const rolls: Roll[] = [];
    const rolled: number[] = [];
    for (const sid of due) {
      const chunks = chunksOfSeries.all(sid);
      const pieces: Rows[] = [];
      let bad = 0;
      for (const chunk of chunks) {
        const rows = decodedChunk(chunk, typeOf, null);
        if (rows) pieces.push(rows);
        else bad++;
      }
      if (bad > 0) {
        damaged(bad);
        mark.run(-1, sid);
        continue;
      }
      if (pieces.length === 0) {
        db.prepare('DELETE FROM series WHERE sid = ?').run(sid);
        continue;
      }
      const rows = tidied(pieces);
      if (chunks.length > 1) {
        remove.run(sid);
        for (const list of chunksOf(rows).values()) for (const chunk of list) insert(sid, chunk);
      }
      rolls.push(...rollsOf(sid, rows, key.start, all));
      rolled.push(sid);
    }
    const data = encodeRolls(rolls);
    const block = Number(db.prepare('INSERT INTO roll (crc, data) VALUES (?, ?)').run(crc32(data), data).lastInsertRowid);
    for (const sid of rolled) mark.run(block, sid);
    db.prepare('DELETE FROM roll WHERE id NOT IN (SELECT rolled FROM series)').run();
  })();
  return true;
}

/** Null where the bytes are not those that were written. */
export function decodedChunk({ data, crc }: Pick<ChunkRecord, 'data' | 'crc'>, typeOf: (field: number) => FieldType, wanted: ((field: number) => boolean) | null): Rows | null {
  if (crc32(data) !== crc) return null;
  try {
    return decodeChunk(data, typeOf, wanted);
  } catch {
    return null;
  }
}
