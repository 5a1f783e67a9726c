import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/*
 * SQLite's write-ahead log, read before SQLite reads it. SQLite replays the log up to the first frame that does not check,
 * and drops all that follows without a word: right for a tail that a power failure tore, and the silent loss of
 * acknowledged commits where a bit was flipped. What stands behind a bad frame can still be told: a frame's checksum
 * goes on from the one before it, which that one carries. And what the index (`-shm`) says is written with each commit,
 * without a sync: after the death of the process it knows how many frames there were.
 * Formats: https://sqlite.org/fileformat2.html#walformat and https://sqlite.org/walformat.html
 */
export interface WalState {
  readonly pageBytes: number;
  /** Of its header: they tell it from the log before. */
  readonly salts: Buffer;
  /** Frames that SQLite replays: up to the last commit before the first bad frame. */
  readonly replayed: number;
  /** Pages that these hold; what the database file has in their place counts no more. */
  readonly pages: ReadonlySet<number>;
  /** Null: nothing that was committed is dropped, as far as the log can tell. */
  readonly damage: WalDamage | null;
}

export interface WalDamage {
  /** Where in the log the first bad frame begins, in bytes; 0: its header. */
  readonly at: number;
  /** Committed frames that SQLite would drop, and commits among them; null: this is not known. */
  readonly frames: number | null;
  readonly commits: number | null;
}

/** As two 32-bit words. */
interface Sum {
  a: number;
  b: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/** Reads the whole log of a database that nobody has open. Null: there is none, and none is missing. */
export function readWal(database: string): WalState | null {
  const index = readIndex(`${database}-shm`);
  const fd = openOrNull(`${database}-wal`);
  try {
    const size = fd === null ? 0 : fstatSync(fd).size;
    if (fd !== null && size > HEADER_BYTES) return readFrames(fd, size, index, pageBytesOf(database));
    if (index === null || index.frames === index.inDatabase) return null;
    return {
      pageBytes: index.pageBytes,
      salts: index.salts,
      replayed: 0,
      pages: new Set(),
      damage: { at: 0, frames: index.frames, commits: null },
    };
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

interface Header {
  readonly isWhole: boolean;
  readonly bigEndian: boolean;
  readonly pageBytes: number;
  readonly salts: Buffer;
  readonly sum: Sum;
}

function readHeader(fd: number): Header {
  const bytes = Buffer.alloc(HEADER_BYTES);
  readSync(fd, bytes, 0, HEADER_BYTES, 0);
  const magic = bytes.readUInt32BE(0);
  const bigEndian = (magic & 1) === 1;
  const sum = { a: 0, b: 0 };
  addWords(sum, bytes, 0, HEADER_BYTES - 8, bigEndian);
  const stored = sumAt(bytes, HEADER_BYTES - 8);
  const pageBytes = bytes.readUInt32BE(8);
  return {
    isWhole: magic >>> 1 === MAGIC >>> 1 && isSame(sum, stored) && isPageSize(pageBytes),
    bigEndian,
    pageBytes,
    salts: bytes.subarray(16, 24),
    sum: stored,
  };
}

function readFrames(fd: number, size: number, index: Index | null, pageBytes: number): WalState {
  let header = readHeader(fd);
  if (!header.isWhole) {
    // SQLite takes the log for an empty one. What its header would have said, the first frame and the database say too.
    const salts = Buffer.alloc(8);
    readSync(fd, salts, 0, 8, HEADER_BYTES + 8);
    header = { ...header, pageBytes, salts, bigEndian: false };
  }
  const known = index !== null && index.salts.equals(header.salts) ? index.frames : null;
  const pages = new Set<number>();
  let fresh: number[] = [];
  let replayed = 0;
  /** The first bad frame, and what frames behind it are held against: what it carries, and what it comes to. */
  let bad: number | null = header.isWhole ? null : -1;
  let carried: Sum = header.sum;
  let computed: Sum | null = null;
  let later = -1;
  let commits = 0;
  for (const { number, bytes } of frames(fd, size, header.pageBytes)) {
    const stored = sumAt(bytes, 16);
    const saltsFit = header.salts.equals(bytes.subarray(8, 16));
    const isCommit = bytes.readUInt32BE(4) !== 0;
    if (bad === null) {
      const sum = sumOfFrame(carried, bytes, header.bigEndian);
      const fits = isSame(sum, stored);
      if (fits && saltsFit) {
        fresh.push(bytes.readUInt32BE(0));
        if (isCommit) {
          replayed = number + 1;
          for (const page of fresh) pages.add(page);
          fresh = [];
        }
      } else {
        bad = number;
        computed = sum;
        // Nothing but its salts is wrong: what is left of an earlier log would not go on from the frame before it.
        if (fits && isCommit) {
          later = number;
          commits++;
        }
      }
    } else if (saltsFit) {
      // Of frames that were written and never committed, none is a commit.
      const fits =
        isSame(sumOfFrame(carried, bytes, header.bigEndian), stored) ||
        (computed !== null && isSame(sumOfFrame(computed, bytes, header.bigEndian), stored));
      if (fits && isCommit) {
        later = number;
        commits++;
      }
      computed = null;
    }
    carried = stored;
  }
  const committed = Math.max(later + 1, known ?? 0);
  const at = bad === -1 ? 0 : HEADER_BYTES + (bad ?? replayed) * (FRAME_HEADER_BYTES + header.pageBytes);
  return {
    pageBytes: header.pageBytes,
    salts: header.salts,
    replayed,
    pages,
    damage: committed > replayed ? { at, frames: committed - replayed, commits: commits === 0 ? null : commits } : null,
  };
}

/** Read so much at a time. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** The frames of a log in their order; the bytes of one hold until the next is asked for. */
function* frames(fd: number, size: number, pageBytes: number): Generator<{ number: number; bytes: Buffer }> {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.floor(CHUNK_BYTES / frameBytes)) * frameBytes);
  let number = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= size;) {
    const read = readSync(fd, chunk, 0, chunk.length, at);
    const whole = Math.floor(read / frameBytes) * frameBytes;
    if (whole === 0) return;
    for (let from = 0; from < whole; from += frameBytes)
      yield { number: number++, bytes: chunk.subarray(from, from + frameBytes) };
    at += whole;
  }
}

interface Index {
  readonly frames: number;
  /** Frames that are in the database file. */
  readonly inDatabase: number;
  readonly pageBytes: number;
  /** As they stand in the log. */
  readonly salts: Buffer;
}

const INDEX_VERSION = 3_007_000;
const INDEX_HEADER_BYTES = 48;

/** What the index says, where it can be believed: its header stands in it twice, with a checksum. */
function readIndex(file: string): Index | null {
  const fd = openOrNull(file);
  if (fd === null) return null;
  try {
    const bytes = Buffer.alloc(2 * INDEX_HEADER_BYTES + 4);
    if (readSync(fd, bytes, 0, bytes.length, 0) < bytes.length) return null;
    const header = bytes.subarray(0, INDEX_HEADER_BYTES);
    const isBig = endianness() === 'BE';
    const word = (at: number) => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    const sum = { a: 0, b: 0 };
    addWords(sum, header, 0, INDEX_HEADER_BYTES - 8, isBig);
    if (
      word(0) !== INDEX_VERSION ||
      bytes[12] !== 1 ||
      !header.equals(bytes.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES)) ||
      sum.a !== word(40) ||
      sum.b !== word(44)
    )
      return null;
    const pageBytes = isBig ? bytes.readUInt16BE(14) : bytes.readUInt16LE(14);
    return {
      frames: word(16),
      inDatabase: word(2 * INDEX_HEADER_BYTES),
      pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
      salts: bytes.subarray(32, 40),
    };
  } finally {
    closeSync(fd);
  }
}

/** By the header of the database file. */
export function pageBytesOf(database: string): number {
  const fd = openOrNull(database);
  if (fd === null) return DEFAULT_PAGE_BYTES;
  try {
    const bytes = Buffer.alloc(2);
    readSync(fd, bytes, 0, 2, 16);
    const size = bytes.readUInt16BE(0);
    const pageBytes = size === 1 ? 65_536 : size;
    return isPageSize(pageBytes) ? pageBytes : DEFAULT_PAGE_BYTES;
  } finally {
    closeSync(fd);
  }
}

const DEFAULT_PAGE_BYTES = 4096;
const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;

/** Of the first 8 bytes of a frame's header and of its page, going on from the frame before. */
function sumOfFrame(before: Sum, frame: Buffer, bigEndian: boolean): Sum {
  const sum = { ...before };
  addWords(sum, frame, 0, 8, bigEndian);
  addWords(sum, frame, FRAME_HEADER_BYTES, frame.length, bigEndian);
  return sum;
}

const sumAt = (bytes: Buffer, at: number): Sum => ({ a: bytes.readUInt32BE(at), b: bytes.readUInt32BE(at + 4) });
const isSame = (one: Sum, other: Sum): boolean => one.a === other.a && one.b === other.b;

/** SQLite's checksum: two words at a time, in the order of bytes of the machine that began the log. */
function addWords(sum: Sum, bytes: Buffer, from: number, to: number, bigEndian: boolean): void {
  let { a, b } = sum;
  for (let at = from; at < to; at += 8) {
    const first = bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const second = bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    a = (a + first + b) | 0;
    b = (b + second + a) | 0;
  }
  sum.a = a >>> 0;
  sum.b = b >>> 0;
}

function openOrNull(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}
