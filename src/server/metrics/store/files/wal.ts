import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';
import type { FieldType, MetricDamage } from '../port.ts';
import { setBig, type Rows } from './rows.ts';
import { entrySum } from './sums.ts';

/** Entries of the write-ahead rows in `head.db`. */
export const WAL_ROWS = 0;
export const WAL_DELETE = 1;

const HAS_NS = 1;
const HAS_WHO = 2;

const WIDE = 255;
/** Up to here a whole number goes as a varint. */
const NARROW = 2 ** 51;

const ROOM = 64 * 1024;
/** A buffer that served a larger batch is given back. */
const KEPT = 1024 * 1024;

/**
 * Points on their way into the write-ahead rows, one batch after the other. Those of an owner (`owner-key.ts`) name it once in a
 * batch. One writer serves all batches: what V8 compiled for functions of one batch would be thrown away with them.
 */
export class WalWriter {
  rows = 0;
  private out = new ByteWriter(ROOM);
  private before = 0;
  private readonly known = new Map<string, number>();

  /** Begins the next batch. */
  begin(): this {
    if (this.out.buffer.length > KEPT) this.out = new ByteWriter(ROOM);
    this.out.at = 0;
    this.before = 0;
    this.rows = 0;
    this.known.clear();
    return this;
  }

  point(series: number, ms: number, ns: number, who: string, fields: number): void {
    const { out, known } = this;
    this.rows++;
    out.varint(series);
    out.zigzag(ms - this.before);
    this.before = ms;
    out.u8((ns !== 0 ? HAS_NS : 0) | (who !== '' ? HAS_WHO : 0));
    if (ns !== 0) out.varint(ns);
    if (who !== '') {
      const code = known.get(who);
      out.varint(code ?? known.size);
      if (code === undefined) {
        known.set(who, known.size);
        out.text(who);
      }
    }
    out.varint(fields);
  }

  value(field: number, type: FieldType, value: number | bigint | string): void {
    const { out } = this;
    out.varint(field);
    if (typeof value === 'string') out.text(value);
    else if (type === 'float') out.f64(Number(value));
    else if (typeof value === 'number' && value <= NARROW && value >= -NARROW) {
      out.u8(0);
      out.zigzag(value);
    } else {
      out.u8(WIDE);
      out.i64(BigInt(value));
    }
  }

  /** What was written, until the next batch begins. */
  done(): Uint8Array<ArrayBuffer> {
    return this.out.buffer.subarray(0, this.out.at);
  }
}

/** An entry as it stands in `head.db`. `tie`: its checksum; null: an earlier format had none. */
export interface Entry {
  readonly id: number;
  readonly kind: number;
  readonly rows: number;
  readonly data: Uint8Array;
  readonly tie: number | null;
}
export const ENTRIES_UP_TO = 'SELECT id, kind, rows, data, tie FROM wal WHERE id <= ? ORDER BY id';

/** Rows that are not sealed. */
export const entryDamage = (
  id: number,
  what = `entry ${id} of the points that were written last is damaged`,
): MetricDamage => ({
  file: 'head.db',
  place: `entry ${id}`,
  what,
  from: null,
  to: null,
  lost: null,
});

/** Adds the points of an entry to the rows of their series. False: it is not as it was written. */
export function takeEntry(
  { id, kind, rows, data, tie }: Entry,
  typeOf: (field: number) => FieldType,
  rowsOf: (series: number) => Rows,
): boolean {
  if (!(data instanceof Uint8Array) || (tie !== null && entrySum(id, kind, rows, data) !== tie)) return false;
  if (kind !== WAL_ROWS) return true;
  try {
    readWal(data, typeOf, rowsOf);
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Adds the points of an entry to the rows of their series. Throws a `RangeError` where its bytes end too early. */
function readWal(data: Uint8Array, typeOf: (field: number) => FieldType, rowsOf: (series: number) => Rows): void {
  const reader = new ByteReader(data);
  const known: string[] = [];
  let ms = 0;
  while (reader.more) {
    const rows = rowsOf(reader.varint());
    ms += reader.zigzag();
    const flags = reader.u8();
    const ns = flags & HAS_NS ? reader.varint() : 0;
    let who = '';
    if (flags & HAS_WHO) {
      const code = reader.varint();
      if (code === known.length) known.push(reader.text());
      who = known[code] ?? '';
    }
    const row = rows.add(ms, ns, who);
    for (let left = reader.varint(); left > 0; left--) {
      const field = reader.varint();
      const type = typeOf(field);
      const column = rows.column(field, type);
      // A column of the type string has texts.
      if (type === 'string') (column.texts as (string | undefined)[])[row] = reader.text();
      else if (type === 'float') column.numbers[row] = reader.f64();
      else if (reader.u8() === WIDE)
        setBig(column, row, type === 'uint' ? BigInt.asUintN(64, reader.i64()) : reader.i64());
      else {
        column.numbers[row] = reader.zigzag();
        column.big?.delete(row);
      }
    }
  }
}
