import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdCompressSync } from 'node:zlib';
import { LIMITS } from '../../../contract/limits.ts';
import { ByteReader, ByteWriter } from '../../../lib/bytes.ts';
import type { Value } from '../../store/port.ts';
import type { TableCheck } from './table-check.ts';
import { unpack } from './unpack.ts';

/**
 * A journal entry: the turns of one append. A turn is one transaction: its statements, each with its arguments, in order.
 *
 * Entry: version (1 byte), flags (1 byte; 1: the content is compressed by zstd), CRC-32 of the content (4 bytes), content.
 * Content: the statements used (number of this entry, then 8 bytes of hash), the first turn, the turns as blocks of bytes.
 * Turn: for each statement its number, the number of arguments and the arguments, each with its kind before it. Number 0 is
 * no statement but a migration: its one argument is the schema that it leads to; or, where the first argument is a name, a check
 * of that table (table-check.ts): rows, 1 at its end, their sum, the key before them.
 */
const VERSION = 1;
const COMPRESSED = 1;
const HEADER_BYTES = 6;
/** Less is not worth a compression. */
const COMPRESS_FROM = 512;
/** More holds up the event loop. */
const POOL_FROM = 64 * 1024;
const HASH_BYTES = 8;
export const MIGRATION = 0;

const KIND = { null: 0, integer: 1, float: 2, text: 3, bytes: 4, big: 5 } as const;
/** What `zigzag` holds. */
const LARGEST_INTEGER = 2 ** 52;

export interface JournalTurn {
  readonly number: number;
  readonly operations: readonly Operation[];
}
/** `hash` of a statement and its arguments, the schema that a migration leads to, or what a table must hold by now. */
export type Operation =
  | { readonly hash: string; readonly args: Value[] }
  | { readonly schema: number }
  | { readonly check: TableCheck };

export interface NumberedHash {
  readonly number: number;
  /** 16 hexadecimal digits. */
  readonly hash: string;
}

export function writeCheck(to: ByteWriter, { table, after, rows, isEnd, sum }: TableCheck): void {
  writeOperation(to, MIGRATION, [table, rows, isEnd ? 1 : 0, sum, ...after]);
}

function readCheck([table, rows, isEnd, sum, ...after]: readonly Value[]): TableCheck {
  return { table: String(table), after, rows: Number(rows), isEnd: isEnd === 1, sum: Number(sum) };
}

export function writeOperation(to: ByteWriter, statement: number, args: readonly Value[]): void {
  to.varint(statement);
  to.varint(args.length);
  for (const value of args) writeValue(to, value);
}

export function writeValue(to: ByteWriter, value: Value): void {
  if (value === null) return to.u8(KIND.null);
  if (typeof value === 'string') {
    to.u8(KIND.text);
    return to.text(value);
  }
  if (typeof value === 'number') {
    // A negative zero is no integer: it would come back as zero.
    if (Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER && !Object.is(value, -0)) {
      to.u8(KIND.integer);
      return to.zigzag(value);
    }
    to.u8(KIND.float);
    return to.f64(value);
  }
  if (typeof value === 'bigint') {
    to.u8(KIND.big);
    return to.i64(value);
  }
  to.u8(KIND.bytes);
  to.block(value);
}

function readValue(from: ByteReader): Value {
  const kind = from.u8();
  switch (kind) {
    case KIND.null:
      return null;
    case KIND.integer:
      return from.zigzag();
    case KIND.float:
      return from.f64();
    case KIND.text:
      return from.text();
    case KIND.bytes:
      return from.block();
    case KIND.big:
      return from.i64();
    default:
      throw new RangeError(`journal: no value has the kind ${kind}`);
  }
}

/** Joins turns that follow each other, from `first`. `statements` names what they use. */
export async function encodeEntry(
  statements: readonly NumberedHash[],
  first: number,
  turns: readonly Uint8Array[],
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new ByteWriter(64 + turns.reduce((sum, turn) => sum + turn.length + 4, 0));
  content.varint(statements.length);
  for (const { number, hash } of statements) {
    content.varint(number);
    content.bytes(Buffer.from(hash, 'hex'));
  }
  content.varint(first);
  content.varint(turns.length);
  for (const turn of turns) content.block(turn);
  const plain = content.buffer.subarray(0, content.at);
  const compressed = await compress(plain);
  const body = compressed ?? plain;
  const entry = new Uint8Array(HEADER_BYTES + body.length);
  entry[0] = VERSION;
  entry[1] = compressed ? COMPRESSED : 0;
  new DataView(entry.buffer).setUint32(2, crc32(body), true);
  entry.set(body, HEADER_BYTES);
  return entry;
}

const compressInPool = promisify(zstdCompress);
/** The frame says how long its content is: whoever reads it knows what it will take. */
const fast = ({ length }: Uint8Array) => ({
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  pledgedSrcSize: length,
});

/** A thread takes more time to hear of a little than the compression takes. */
function compress(plain: Uint8Array): Uint8Array | null | Promise<Uint8Array> {
  if (plain.length < COMPRESS_FROM) return null;
  return plain.length < POOL_FROM ? zstdCompressSync(plain, fast(plain)) : compressInPool(plain, fast(plain));
}

/** Whether the checksum of an entry fits. */
export function isWhole(entry: Uint8Array): boolean {
  if (entry.length < HEADER_BYTES || entry[0] !== VERSION) return false;
  return sumIn(entry) === crc32(entry.subarray(HEADER_BYTES));
}

const sumIn = (entry: Uint8Array): number =>
  new DataView(entry.buffer, entry.byteOffset, HEADER_BYTES).getUint32(2, true);

/**
 * Reads an entry. Throws a `RangeError` for one that is damaged, of a later version, or larger than it may be.
 *
 * @param most bytes of its content, before compression
 */
export function decodeEntry(entry: Uint8Array, most: number = LIMITS.journalUnpackedBytes): JournalTurn[] {
  if (entry.length < HEADER_BYTES) throw new RangeError('journal: the entry ends too early');
  if (entry[0] !== VERSION) throw new RangeError(`journal: the entry has version ${entry[0]}, expected ${VERSION}`);
  const body = entry.subarray(HEADER_BYTES);
  if (sumIn(entry) !== crc32(body)) throw new RangeError('journal: the checksum of the entry does not match');
  if (entry[1] !== 0 && entry[1] !== COMPRESSED)
    throw new RangeError(`journal: the entry has unknown flags ${entry[1]}`);
  const from = new ByteReader(entry[1] === COMPRESSED ? unpack(body, most) : body);
  const hashes = new Map<number, string>();
  for (let left = from.varint(); left > 0; left--)
    hashes.set(from.varint(), Buffer.from(from.bytes(HASH_BYTES)).toString('hex'));
  const first = from.varint();
  return Array.from({ length: from.varint() }, (_, i) => ({
    number: first + i,
    operations: readTurn(new ByteReader(from.block()), hashes),
  }));
}

function readTurn(from: ByteReader, hashes: ReadonlyMap<number, string>): Operation[] {
  const operations: Operation[] = [];
  while (from.more) {
    const number = from.varint();
    const args = Array.from({ length: from.varint() }, () => readValue(from));
    const hash = hashes.get(number);
    if (number === MIGRATION && typeof args[0] === 'number') operations.push({ schema: args[0] });
    else if (number === MIGRATION && typeof args[0] === 'string') operations.push({ check: readCheck(args) });
    else if (hash === undefined) throw new RangeError(`journal: the entry names no statement ${number}`);
    else operations.push({ hash, args });
  }
  return operations;
}
