import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import type { BlockRow } from './schema.ts';

/** Checksums of what stands in the tables of a file beside the sealed bytes (docs/log-format.md). */

/** A block's row as it is read: with its checksum and the first bytes of its head, which have the head's own. */
export interface SummedRow extends BlockRow {
  columns: number;
  crc: number;
  seal: Uint8Array;
}
export const SUMMED_ROWS =
  'SELECT id, t0, t1, s0, s1, rows, bytes, columns, pieces, hot, born, crc, substr(head, 1, 9) AS seal FROM blk WHERE dead IS NULL ORDER BY id';

/** The checksum of a block's row. That of a row that was replaced is the opposite: it cannot come back to life. */
export const rowSum = (row: Omit<SummedRow, 'crc'>): number =>
  // Where pages of a file changed places, rows of another table may stand here: that of no row is the sum.
  !(row.seal instanceof Uint8Array)
    ? -1
    : crc32(
        row.seal,
        crc32(
          `${row.id} ${row.t0} ${row.t1} ${row.s0} ${row.s1} ${row.rows} ${row.bytes} ${row.columns} ${row.pieces} ${row.hot} ${row.born}`,
        ),
      );
export const DEAD_SUM = '(~crc) & 4294967295';

/** The checksum of a piece of a filter, behind the piece. */
export const pieceSum = (id: number, piece: Uint8Array): number => crc32(piece, crc32(String(id)));

export const seenSum = (batch: string, at: number, stored: number, skipped: number): number =>
  crc32(`${at} ${stored} ${skipped} ${batch}`);

/** What a file holds, changed with every commit: blocks that are not there, or too many, are noticed by it. */
export interface FileState {
  commits: number;
  /** Blocks that were not replaced, their rows, and all their checksums by exclusive or. */
  blocks: number;
  rows: number;
  sum: number;
  /** Unix ms of the first and last line that ever were in the file; 0, -1: there was none. */
  t0: number;
  t1: number;
  /** The greatest number of a block, and of a line. */
  id: number;
  seq: number;
}

const NAMES = ['commits', 'blocks', 'rows', 'sum', 't0', 't1', 'id', 'seq'] as const;
const stateSum = (state: FileState): number => crc32(NAMES.map((name) => state[name]).join(' '));

export const STATE_SCHEMA = `CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), ${NAMES.map((name) => `${name === 'commits' ? 'commits' : name} INTEGER NOT NULL`).join(', ')}, crc INTEGER NOT NULL) STRICT;`;

export const emptyState = (): FileState => ({
  ...{ commits: 0, blocks: 0, rows: 0, sum: 0, t0: 0, t1: -1, id: 0, seq: 0 },
});

/** Null: it is not there, or not as it was written. */
export function readState(db: Database.Database): FileState | null {
  const found = db.prepare<[], FileState & { crc: number }>(`SELECT ${NAMES.join(', ')}, crc FROM state`).get();
  return found === undefined || stateSum(found) !== found.crc ? null : found;
}
export function stateWriter(db: Database.Database): (state: FileState) => void {
  const write = db.prepare(`INSERT OR REPLACE INTO state VALUES (1, ${NAMES.map(() => '?').join(', ')}, ?)`);
  return (state) => void write.run(...NAMES.map((name) => state[name]), stateSum(state));
}

export function addToState(state: FileState, row: BlockRow, crc: number): void {
  state.blocks++;
  state.rows += row.rows;
  state.sum = (state.sum ^ crc) >>> 0;
  const isFirst = state.t1 < state.t0;
  state.t0 = isFirst ? row.t0 : Math.min(state.t0, row.t0);
  state.t1 = isFirst ? row.t1 : Math.max(state.t1, row.t1);
  state.id = Math.max(state.id, row.id);
  state.seq = Math.max(state.seq, row.s1);
}
export function takeFromState(state: FileState, row: BlockRow, crc: number): void {
  state.blocks--;
  state.rows -= row.rows;
  state.sum = (state.sum ^ crc) >>> 0;
}

/** What the rows that were read lack of what the state says; null: nothing. Rows that are damaged are not among `rows`. */
export function missingOf(
  state: FileState | null,
  rows: readonly SummedRow[],
): { what: string; from: number | null; to: number | null; lost: number | null } | null {
  if (state === null)
    return {
      what: 'what the file should hold cannot be read: blocks of log lines may be missing',
      ...{ from: null, to: null, lost: null },
    };
  let sum = 0;
  let lines = 0;
  for (const row of rows) {
    sum = (sum ^ row.crc) >>> 0;
    lines += row.rows;
  }
  if (sum === state.sum && rows.length === state.blocks && lines === state.rows) return null;
  const lost = Math.max(0, state.rows - lines);
  return {
    what: `${Math.max(1, state.blocks - rows.length)} blocks with ${lost} log lines are missing or damaged`,
    ...{ from: state.t0, to: state.t1 + 1, lost },
  };
}
