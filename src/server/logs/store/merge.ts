import type Database from 'better-sqlite3';
import { Damaged } from './bytes.ts';
import { decodeArrivals, decodeColumn, decodeFine, decodeHead, decodeTimes, type Place } from './decode.ts';
import { isDamage, PARTS } from './file.ts';
import { bytesOf, createRows, type Rows } from './rows.ts';

/** A block that cannot be read, in whole or in part. */
export class BadBlock extends Error {
  readonly block: number;
  constructor(block: number, why: string) {
    super(why);
    this.block = block;
  }
}

/** All rows of some blocks of a file, to be written as one. Throws `BadBlock`. */
export function readRows(db: Database.Database, ids: readonly number[], expected: number): Rows {
  const rows = createRows(Math.max(16, expected));
  const head = db.prepare<[number], Buffer>('SELECT head FROM blk WHERE id = ?').pluck();
  const part = db.prepare<[number], Buffer>('SELECT data FROM col WHERE id = ?').pluck();
  for (const id of ids) {
    try {
      const at = (place: Place): Buffer => (typeof place === 'number' ? given(part.get(id * PARTS + place)) : place);
      addBlock(rows, given(head.get(id)), at);
    } catch (error) {
      if (error instanceof Damaged || isDamage(error)) throw new BadBlock(id, (error as Error).message);
      throw error;
    }
  }
  return rows;
}

function given(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new Damaged('a part is missing');
  return bytes;
}

function addBlock(rows: Rows, sealed: Buffer, at: (place: Place) => Buffer): void {
  const head = decodeHead(sealed);
  const times = decodeTimes(at(head.times), head.rows);
  const fine = head.fine === null ? null : decodeFine(at(head.fine), head.rows);
  const arrivals = decodeArrivals(at(head.arrivals), head.rows);
  const columns = [...head.columns].map(([name, { kind, bare, place }]) => ({ field: rows.field(bytesOf(name)), value: reader(decodeColumn(at(place), kind, bare, head.rows)) }));
  for (let row = 0; row < head.rows; row++) {
    for (const { field, value } of columns) value(row, (text, bare) => rows.set(field, text, bare));
    rows.add(times[row] as number, fine === null ? 0 : (fine[row] as number), arrivals[row] as number);
  }
}

type Give = (text: string, bare: boolean) => void;

/** Gives the value of a row as a byte string. */
function reader({ column, bare }: ReturnType<typeof decodeColumn>): (row: number, give: Give) => void {
  const isBare = (i: number): boolean => bare === true || (bare !== null && ((bare[i >>> 3] as number) & (1 << (i & 7))) !== 0);
  if (column.kind === 'constant') {
    const text = bytesOf(column.value);
    return (_, give) => give(text, bare === true);
  }
  if (column.kind === 'dictionary') {
    const texts = column.values.map(bytesOf);
    return (row, give) => {
      const code = column.codes[row] as number;
      give(texts[code] as string, isBare(code));
    };
  }
  const all = column.bytes.toString('latin1');
  return (row, give) => give(all.slice(row === 0 ? 0 : column.ends[row - 1], column.ends[row]), isBare(row));
}
