import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { ChecksumError } from '../blocks/bytes.ts';
import {
  bytesAt,
  decodeArrivals,
  decodeFine,
  decodeHead,
  decodeTexts,
  decodeTimes,
  type Place,
} from '../blocks/decode.ts';
import { blockParts } from '../blocks/block.ts';
import { encodeBlock, type EncodedBlock } from '../blocks/encode.ts';
import { isDamage, PARTS } from '../files/schema.ts';
import { BLOCK_ROWS, isWide } from './plan.ts';
import { bytesOf, orderOf, type Field, Rows } from '../blocks/rows.ts';
import { hashBytes } from '../blocks/bloom.ts';

/** Some blocks as one, `taken`: the first so many of them; or the one that cannot be read, in whole or in part. */
export type Merged =
  | { readonly taken: number; readonly blocks: readonly EncodedBlock[] }
  | { readonly bad: number; readonly why: string };

/** Merges blocks of a file elsewhere; `done` hears what came of it, or why nothing did. */
export type Merge = (
  file: string,
  ids: readonly number[],
  rows: number,
  done: (merged: Merged | Error) => void,
) => void;

const LEVEL = 3;

class BadBlock extends Error {
  readonly block: number;
  constructor(block: number, why: string) {
    super(why);
    this.block = block;
  }
}

/** Reads blocks of a file, of about so many rows together, and makes them one. Writes nothing. */
export function mergeBlocks(db: Database.Database, ids: readonly number[], expected: number): Merged {
  try {
    const { rows, taken } = readRows(db, ids, Math.min(BLOCK_ROWS, expected));
    const order = orderOf(rows);
    return { taken, blocks: order.length === 0 ? [] : [encodeBlock(rows, order, LEVEL, 'whole')] };
  } catch (error) {
    if (error instanceof BadBlock) return { bad: error.block, why: error.message };
    throw error;
  }
}

/**
 * All rows of some blocks of a file, to be written as one. Throws `BadBlock`. The last blocks are left out where there are
 * more than BLOCK_FIELDS fields without them; `taken`: how many were not.
 */
function readRows(db: Database.Database, ids: readonly number[], expected: number): { rows: Rows; taken: number } {
  const rows = new Rows(Math.max(16, expected));
  const { head, part } = blockParts(db);
  let taken = 0;
  for (const id of ids) {
    if (isWide(rows)) break;
    taken++;
    try {
      const at = (place: Place): Buffer => bytesAt(place, (n) => part(id * PARTS + n));
      addBlock(rows, given(head(id)), at);
    } catch (error) {
      if (error instanceof ChecksumError || isDamage(error)) throw new BadBlock(id, errorMessage(error));
      throw error;
    }
  }
  return { rows, taken };
}

function given(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new ChecksumError('a part is missing');
  return bytes;
}

function addBlock(rows: Rows, sealed: Buffer, at: (place: Place) => Buffer): void {
  const head = decodeHead(sealed);
  const times = decodeTimes(at(head.times), head.rows);
  const fine = head.fine === null ? null : decodeFine(at(head.fine), head.rows);
  const arrivals = decodeArrivals(at(head.arrivals), head.rows);
  rows.reserve(head.rows);
  for (const [name, column] of head.columns)
    addColumn(rows, rows.field(bytesOf(name)), decodeTexts(column, at, head.rows), head.rows);
  for (let row = 0; row < head.rows; row++)
    rows.add(times[row] as number, fine === null ? 0 : (fine[row] as number), arrivals[row] as number);
}

/** Sets the values of the next rows. Those of a dictionary are looked up once, those of a text until that is not worth it. */
function addColumn(rows: Rows, field: Field, { column, bare }: ReturnType<typeof decodeTexts>, count: number): void {
  const isBare = (i: number): boolean =>
    bare === true || (bare !== null && ((bare[i >>> 3] ?? 0) & (1 << (i & 7))) !== 0);
  const first = rows.count;
  if (column.kind === 'text') {
    const { bytes, ends } = column;
    // The hash of a message is for looking it up alone: it is searched by its words.
    const hashed = field.name !== '_msg';
    let row = 0;
    for (let start = 0; row < count && field.table !== null; row++) {
      const end = ends[row] as number;
      const hash = hashBytes(bytes, start, end, field.seed);
      rows.put(field, bytes, start, end, hash, isBare(row) ? 1 : 0, first + row);
      start = end;
    }
    if (row < count) rows.putAll(field, bytes, ends, row, first + row, isBare, hashed);
    return;
  }
  if (column.kind === 'constant') {
    for (let row = first; row < first + count; row++)
      if (row === first) rows.set(field, bytesOf(column.value), isBare(0), row);
      else rows.again(field, field.codes[first] as number, row);
    return;
  }
  const { values, codes } = column;
  const known = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < count; row++) {
    const from = codes[row] as number;
    const code = known[from] as number;
    if (code >= 0) rows.again(field, code, first + row);
    else {
      rows.set(field, bytesOf(values[from] ?? ''), isBare(from), first + row);
      known[from] = field.codes[first + row] as number;
    }
  }
}
