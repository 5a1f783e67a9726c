import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { PARTS, type BlockRow } from './schema.ts';
import type { EncodedBlock } from '../blocks/encode.ts';
import type { Ack } from './batch-ids.ts';

/** The statements of one file of the writer. */
export interface OpenFile {
  readonly name: string;
  readonly db: Database.Database;
  /** The blocks that were not replaced, by id. */
  readonly live: Map<number, BlockRow>;
  putBlock(id: number, block: EncodedBlock, hot: boolean, now: number): BlockRow;
  /** Marks blocks as replaced. */
  bury(ids: readonly number[], now: number): void;
  /** Deletes some blocks that were replaced before `before`; false: none is left. */
  sweep(before: number): boolean;
  /** How many replaced blocks are still there. */
  dead(): number;
  remember(batch: string, now: number, stored: number, skipped: number): void;
  /** The batches that are remembered, the oldest first. */
  eachSeen(give: (id: string, ack: Ack) => void): void;
  /** Remembers no more than the newest `most` batches. */
  forget(most: number): void;
  /** Gives some of the space back that replaced blocks left, where it is more than a share of the file. False: nothing is left to give. */
  shrink(share: number): boolean;
  /** Empties the write-ahead log where it has at least so many bytes, unless somebody reads it at this moment. */
  checkpoint(least: number): void;
}

const SWEPT_AT_ONCE = 16;
/** Pages given back in one go. */
const SHRUNK_PAGES = 1000;
/** Less is not worth the work in a file that still takes lines. */
const FREE_PAGES = 128;

export function openFile(name: string, db: Database.Database): OpenFile {
  const live = new Map<number, BlockRow>(
    db
      .prepare<[], BlockRow>(
        'SELECT id, t0, t1, s0, s1, rows, bytes, pieces, hot, born FROM blk WHERE dead IS NULL ORDER BY id',
      )
      .all()
      .map((row) => [row.id, row]),
  );
  const blk = db.prepare('INSERT INTO blk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)');
  const col = db.prepare('INSERT INTO col VALUES (?, ?)');
  const bloom = db.prepare('INSERT INTO bloom VALUES (?, ?)');
  const bury = db.prepare('UPDATE blk SET dead = ? WHERE id = ?');
  const dead = db.prepare<[number, number], number>('SELECT id FROM blk WHERE dead < ? LIMIT ?').pluck();
  const drop = [
    'DELETE FROM blk WHERE id = ?',
    'DELETE FROM col WHERE id >= ? AND id < ?',
    'DELETE FROM bloom WHERE id >= ? AND id < ?',
  ].map((sql) => db.prepare(sql));
  const countDead = db.prepare<[], number>('SELECT count(*) FROM blk WHERE dead IS NOT NULL').pluck();
  const remember = db.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM seen WHERE at < (SELECT at FROM seen ORDER BY at DESC LIMIT 1 OFFSET ?)');
  const allSeen = db.prepare<[], { batch: string; stored: number; skipped: number }>(
    'SELECT batch, stored, skipped FROM seen ORDER BY at',
  );
  const sweep = db.transaction((ids: readonly number[]) => {
    for (const id of ids) {
      drop[0]?.run(id);
      drop[1]?.run(id * PARTS, (id + 1) * PARTS);
      drop[2]?.run(id * PARTS, (id + 1) * PARTS);
    }
  });
  return {
    name,
    db,
    live,
    putBlock(id, b, hot, now) {
      blk.run(id, b.t0, b.t1, b.s0, b.s1, b.rows, b.bytes, b.columns.length, b.bloom.length, hot ? 1 : 0, now, b.head);
      for (let n = 0; n < b.columns.length; n++) col.run(id * PARTS + n, b.columns[n]);
      for (let n = 0; n < b.bloom.length; n++) bloom.run(id * PARTS + n, b.bloom[n]);
      return {
        id,
        t0: b.t0,
        t1: b.t1,
        s0: b.s0,
        s1: b.s1,
        rows: b.rows,
        bytes: b.bytes,
        pieces: b.bloom.length,
        hot: hot ? 1 : 0,
        born: now,
      };
    },
    bury(ids, now) {
      for (const id of ids) bury.run(now, id);
    },
    sweep(before) {
      const ids = dead.all(before, SWEPT_AT_ONCE);
      if (ids.length > 0) sweep(ids);
      return ids.length === SWEPT_AT_ONCE;
    },
    dead: () => countDead.get() ?? 0,
    remember: (batch, now, stored, skipped) => void remember.run(batch, now, stored, skipped),
    eachSeen(give) {
      for (const { batch, stored, skipped } of allSeen.iterate()) give(batch, { stored, skipped });
    },
    forget: (most) => void forget.run(most),
    checkpoint(least) {
      if ((statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0) < least) return;
      db.pragma('busy_timeout = 0');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.pragma('busy_timeout = 5000');
    },
    shrink(share) {
      const free = Number(db.pragma('freelist_count', { simple: true }));
      const much =
        free > (share === 0 ? 0 : Math.max(FREE_PAGES, Number(db.pragma('page_count', { simple: true })) * share));
      if (!much) return false;
      db.pragma(`incremental_vacuum(${SHRUNK_PAGES})`);
      return Number(db.pragma('freelist_count', { simple: true })) < free;
    },
  };
}
