import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';

/** Checksums of rows beside those of their data (docs/metric-format.md). */

type Cell = string | number | bigint | null | Uint8Array;

/** The checksum of a row's values: each with its kind and length, so that no two rows read alike. */
export function rowSum(...cells: readonly Cell[]): number {
  let sum = 0;
  // What stands between bytes is summed up at once: each sum has a price of its own.
  let text = '';
  for (const cell of cells) {
    if (cell instanceof Uint8Array) {
      sum = crc32(cell, crc32(`${text}b${cell.length} `, sum));
      text = '';
    } else text += `${typeof cell} ${cell} `;
  }
  return text === '' ? sum : crc32(text, sum);
}

/** Gives the statements of a handle the functions `row_sum` and `series_sum`. */
export function addRowSum(db: Database.Database): void {
  db.function('row_sum', { deterministic: true, varargs: true }, (...cells: unknown[]) => rowSum(...(cells as Cell[])));
  db.function(
    'series_sum',
    { deterministic: true },
    (sid: number, rolled: number, pack: number, chunks: number, sum: number) =>
      seriesSum({ sid, rolled, pack, chunks, sum }),
  );
}

/** A chunk without its data, as far as its checksum goes. */
export interface SummedChunk {
  readonly id: number;
  readonly sid: number;
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** Of the data. */
  readonly crc: number;
  readonly job0: string | null;
  readonly job1: string | null;
  readonly stats: Uint8Array;
}
export const chunkSum = ({ id, sid, t0, t1, n, crc, job0, job1, stats }: SummedChunk): number =>
  rowSum(id, sid, t0, t1, n, crc, job0, job1, stats);
export const CHUNK_SUM = 'row_sum(id, sid, t0, t1, n, crc, job0, job1, stats)';

/** What a partition says of a series: which pack has its compacted chunks (0: none), how many others it has, all their checksums by exclusive or, and which roll-ups. */
export interface SeriesRow {
  readonly sid: number;
  readonly rolled: number;
  readonly pack: number;
  readonly chunks: number;
  readonly sum: number;
  readonly tie: number;
}
/** Without a pack as before there were any. */
export const seriesSum = ({ sid, rolled, pack, chunks, sum }: Omit<SeriesRow, 'tie'>): number =>
  pack === 0 ? rowSum(sid, rolled, chunks, sum) : rowSum(sid, rolled, chunks, sum, pack);
export const SERIES_SUM = 'series_sum(sid, rolled, pack, chunks, sum)';

/** The checksum of a block of roll-ups; in formats 1 and 2 it did not say which block it is. */
export const rollSum = (id: number, data: Uint8Array): number => crc32(data, crc32(String(id)));
export const isRoll = (id: number, data: unknown, crc: number): data is Uint8Array =>
  data instanceof Uint8Array && (rollSum(id, data) === crc || crc32(data) === crc);

/** The checksum of an entry of unsealed rows; null: it was written by an earlier format. */
export const entrySum = (id: number, kind: number, rows: number, data: Uint8Array): number =>
  rowSum(id, kind, rows, data);
