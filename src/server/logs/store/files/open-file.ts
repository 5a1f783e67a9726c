import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { MARK, openMarkFile } from '../../../../lib/mark-file.ts';
import type { StoreDamage } from '../port.ts';
import { isDamage, PARTS, USE, type BlockRow } from './schema.ts';
import {
  addToState,
  DEAD_SUM,
  emptyState,
  missingOf,
  pieceSum,
  readState,
  rowSum,
  seenSum,
  stateWriter,
  SUMMED_ROWS,
  takeFromState,
  type FileState,
  type SummedRow,
} from './sums.ts';
import { HEAD } from '../blocks/bytes.ts';
import type { EncodedBlock } from '../blocks/encode.ts';
import type { Ack } from './batch-ids.ts';

/** The statements of one file of the writer. */
export interface OpenFile {
  readonly name: string;
  readonly db: Database.Database;
  /** The blocks that were not replaced, by id. */
  readonly live: Map<number, BlockRow>;
  /** The greatest numbers of a block and of a line that the file ever had. */
  readonly last: Pick<FileState, 'id' | 'seq'>;
  /** Runs a change in one transaction. What follows is called within one only. */
  change(run: () => void): void;
  putBlock(id: number, block: EncodedBlock, born: number): void;
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
  close(): void;
}

/** What is written beside the file behind each commit. */
export interface FileMark extends Readonly<Record<string, number>> {
  readonly commits: number;
  readonly rows: number;
  readonly t0: number;
  readonly t1: number;
}

const SWEPT_AT_ONCE = 16;
/** Pages given back in one go. */
const SHRUNK_PAGES = 1000;
/** Less is not worth the work in a file that still takes lines. */
const FREE_PAGES = 128;

/** What is found to be missing from a file is told to `report`. */
export function openFile(name: string, db: Database.Database, report: (damage: StoreDamage) => void): OpenFile {
  const rows = db.prepare<[], SummedRow>(SUMMED_ROWS).all();
  const whole = rows.filter((row) => rowSum(row) === row.crc);
  const live = new Map<number, SummedRow>(whole.map((row) => [row.id, row]));
  const mark = openMarkFile<FileMark>(db.name + MARK);
  const saveState = stateWriter(db);
  let state = openState();
  let pending = state;

  /** What the file says of itself, held against what is there and against its mark. */
  function openState(): FileState {
    const read = readState(db);
    const missing = missingOf(read, whole);
    // It is found again at each start, as the state goes on to say what there should be.
    if (missing) report({ ...missing, file: name, place: 'blocks', keep: read === null });
    const own = read ?? emptyState();
    if (read === null) for (const row of whole) addToState(own, row, row.crc);
    const { before } = mark;
    if (before !== null && before !== 'damaged' && before.commits > own.commits) {
      const lost = Math.max(0, before.rows - own.rows);
      report({
        file: name,
        place: `commits ${own.commits}-${before.commits}`,
        what: `${lost} log lines that were stored are not in the file: its newest part is damaged, or was lost in a power failure`,
        ...{ from: before.t0, to: before.t1 + 1, lost, keep: true },
      });
    }
    return { ...own, commits: Math.max(own.commits, before === null || before === 'damaged' ? 0 : before.commits) };
  }
  const blk = db.prepare('INSERT INTO blk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)');
  const col = db.prepare('INSERT INTO col VALUES (?, ?)');
  const bloom = db.prepare('INSERT INTO bloom VALUES (?, ?)');
  const bury = db.prepare(`UPDATE blk SET dead = ?, crc = ${DEAD_SUM} WHERE id = ?`);
  const dead = db.prepare<[number, number], number>('SELECT id FROM blk WHERE dead < ? LIMIT ?').pluck();
  const drop = [
    'DELETE FROM blk WHERE id = ?',
    'DELETE FROM col WHERE id >= ? AND id < ?',
    'DELETE FROM bloom WHERE id >= ? AND id < ?',
  ].map((sql) => db.prepare(sql));
  const countDead = db.prepare<[], number>('SELECT count(*) FROM blk WHERE dead IS NOT NULL').pluck();
  const remember = db.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM seen WHERE at < (SELECT at FROM seen ORDER BY at DESC LIMIT 1 OFFSET ?)');
  const allSeen = db.prepare<[], { batch: string; at: number; stored: number; skipped: number; crc: number }>(
    'SELECT batch, at, stored, skipped, crc FROM seen ORDER BY at',
  );
  const sweep = db.transaction((ids: readonly number[]) => {
    for (const id of ids) {
      drop[0]?.run(id);
      drop[1]?.run(id * PARTS, (id + 1) * PARTS);
      drop[2]?.run(id * PARTS, (id + 1) * PARTS);
    }
  });
  /** Of all blocks, also those that were replaced. */
  function maxId(): number {
    try {
      return db.prepare<[], number | null>('SELECT max(id) FROM blk').pluck().get() ?? 0;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return 0;
    }
  }
  let put: SummedRow[] = [];
  let buried: number[] = [];
  return {
    name,
    db,
    live,
    get last() {
      return { id: Math.max(state.id, maxId()), seq: state.seq };
    },
    change(run) {
      pending = { ...state, commits: state.commits + 1 };
      [put, buried] = [[], []];
      db.transaction(() => {
        run();
        saveState(pending);
      })();
      state = pending;
      for (const row of put) live.set(row.id, row);
      for (const id of buried) live.delete(id);
      mark.write({ commits: state.commits, rows: state.rows, t0: state.t0, t1: state.t1 });
    },
    putBlock(id, b, born) {
      const { t0, t1, s0, s1, rows, bytes } = b;
      const [columns, pieces] = [b.columns.length, b.bloom.length];
      const row = { id, t0, t1, s0, s1, rows, bytes, columns, pieces, hot: USE[b.use], born };
      const seal = b.head.subarray(0, HEAD);
      const crc = rowSum({ ...row, seal });
      blk.run(id, t0, t1, s0, s1, rows, bytes, columns, pieces, row.hot, born, b.head, crc);
      for (let n = 0; n < columns; n++) col.run(id * PARTS + n, b.columns[n]);
      for (const [n, piece] of b.bloom.entries()) {
        const summed = Buffer.allocUnsafe(piece.length + 4);
        piece.copy(summed);
        summed.writeUInt32LE(pieceSum(id * PARTS + n, piece), piece.length);
        bloom.run(id * PARTS + n, summed);
      }
      addToState(pending, row, crc);
      put.push({ ...row, crc, seal });
    },
    bury(ids, now) {
      for (const id of ids) {
        const row = live.get(id);
        if (!row) continue;
        bury.run(now, id);
        takeFromState(pending, row, row.crc);
        buried.push(id);
      }
    },
    sweep(before) {
      // An index that is damaged may name others.
      const found = dead.all(before, SWEPT_AT_ONCE);
      const ids = found.filter((id) => !live.has(id));
      if (ids.length > 0) sweep(ids);
      return ids.length === SWEPT_AT_ONCE;
    },
    dead: () => countDead.get() ?? 0,
    remember: (batch, now, stored, skipped) =>
      void remember.run(batch, now, stored, skipped, seenSum(batch, now, stored, skipped)),
    eachSeen(give) {
      // One that is damaged may come again, and would be stored twice: rather that than to refuse what was never stored.
      try {
        for (const { batch, at, stored, skipped, crc } of allSeen.iterate())
          if (crc === seenSum(batch, at, stored, skipped)) give(batch, { stored, skipped });
      } catch (error) {
        if (!isDamage(error)) throw error;
        const what = 'the IDs of stored batches cannot all be read: a batch that is sent again may be stored twice';
        report({ file: name, place: 'seen', what, from: null, to: null, lost: 0 });
      }
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
    close() {
      mark.close();
      db.close();
    },
  };
}
