import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * A checksum of each page of the database, in a file beside it: SQLite itself takes a page for what it reads. Pages get into
 * the database file by checkpoints alone, so whoever takes one notes the sums of the pages that it wrote, and syncs them
 * before the log that still holds these pages may be begun anew. A page whose sum is not known has zeros. Each sum carries
 * a check of itself, so that damage of this file is not taken for damage of the database.
 */
const MAGIC = 'YMPAGES1';
const HEADER_BYTES = 32;
const ENTRY_BYTES = 8;
const SALT_AT = 16;
const READ_PAGES = 256;
/** Pages that stand side by side are noted together, up to so many. */
const NOTE_PAGES = 64;

/** `open`: checkpoints are taken, and noted. `closed`: all pages were noted when the database was closed. */
type State = 'open' | 'closed';
const STATES: readonly State[] = ['open', 'closed'];

export interface PageSums {
  /** Notes the sums of pages as they are in the database file now, and the log (its salts) they came from; on the disk when it returns. */
  note(pages: Iterable<number>, salts: Buffer): void;
  /** Pages from `from` on, at most so many, that are not what they were, but for those of `but`; `unknown`: those without a sum. */
  check(
    from: number,
    count: number,
    but?: ReadonlySet<number>,
  ): { damaged: number[]; unknown: number[]; next: number | null; bytes: number };
  /** What the last one to write has said; null: there are no sums that can be believed. */
  readonly state: { readonly state: State; readonly salts: Buffer } | null;
  setState(state: State): void;
  /** Nothing is known of any page any more. */
  forget(): void;
  /** The sum of a page; null: it is not known. */
  sumOf(page: number): number | null;
  close(): void;
}

export const sumsFile = (database: string): string => `${database}-sums`;

/** Opens the sums of a database, or makes an empty file of them. */
export function openPageSums(database: string, pageBytes: number): PageSums {
  const fd = openSync(sumsFile(database), constants.O_RDWR | constants.O_CREAT, 0o600);
  const db = openSync(database, 'r');
  let salts: Buffer = Buffer.alloc(8);
  let state: State | null = readHeader();
  /** Pages that are noted are read into it. */
  let bytes: Buffer | undefined;

  function readHeader(): State | null {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
    if (
      header.toString('latin1', 0, 8) !== MAGIC ||
      header.readUInt32LE(8) !== pageBytes ||
      header.readUInt32LE(HEADER_BYTES - 4) !== crc32(header.subarray(0, HEADER_BYTES - 4))
    )
      return null;
    salts = Buffer.from(header.subarray(SALT_AT, SALT_AT + 8));
    return STATES[header.readUInt32LE(12)] ?? null;
  }
  function writeHeader(next: State): void {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(MAGIC, 0, 'latin1');
    header.writeUInt32LE(pageBytes, 8);
    header.writeUInt32LE(STATES.indexOf(next), 12);
    salts.copy(header, SALT_AT);
    header.writeUInt32LE(crc32(header.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
    writeSync(fd, header, 0, HEADER_BYTES, 0);
    state = next;
  }
  const at = (page: number) => HEADER_BYTES + (page - 1) * ENTRY_BYTES;
  /** Pages of the database file. */
  const pagesNow = () => Math.floor(fstatSync(db).size / pageBytes);

  return {
    note(pages, from) {
      bytes ??= Buffer.allocUnsafe(NOTE_PAGES * pageBytes);
      const entries = Buffer.allocUnsafe(NOTE_PAGES * ENTRY_BYTES);
      const last = pagesNow();
      for (const [first, count] of runsOf(pages, NOTE_PAGES)) {
        const read = readSync(
          db,
          bytes,
          0,
          Math.max(0, Math.min(count, last - first + 1)) * pageBytes,
          (first - 1) * pageBytes,
        );
        const whole = Math.floor(read / pageBytes);
        for (let i = 0; i < whole; i++)
          writeEntry(entries, i * ENTRY_BYTES, first + i, crc32(bytes.subarray(i * pageBytes, (i + 1) * pageBytes)));
        if (whole > 0) writeSync(fd, entries, 0, whole * ENTRY_BYTES, at(first));
      }
      // A page beyond the end of the database may come back with anything in it.
      if (fstatSync(fd).size > at(last + 1)) ftruncateSync(fd, at(last + 1));
      salts = Buffer.from(from);
      writeHeader('open');
      fdatasyncSync(fd);
    },
    check(from, count, but) {
      const end = Math.min(from + count - 1, pagesNow());
      const damaged: number[] = [];
      const unknown: number[] = [];
      const bytes = Buffer.allocUnsafe(READ_PAGES * pageBytes);
      const entries = Buffer.alloc(READ_PAGES * ENTRY_BYTES);
      for (let first = from; first <= end; first += READ_PAGES) {
        const pages = Math.min(READ_PAGES, end - first + 1);
        entries.fill(0);
        readSync(fd, entries, 0, pages * ENTRY_BYTES, at(first));
        const read = readSync(db, bytes, 0, pages * pageBytes, (first - 1) * pageBytes);
        for (let i = 0; (i + 1) * pageBytes <= read; i++) {
          const page = first + i;
          if (but?.has(page)) continue;
          const sum = readEntry(entries, i * ENTRY_BYTES, page);
          if (sum === null) unknown.push(page);
          else if (sum !== crc32(bytes.subarray(i * pageBytes, (i + 1) * pageBytes))) damaged.push(page);
        }
      }
      const last = pagesNow();
      return { damaged, unknown, next: end < last ? end + 1 : null, bytes: Math.max(0, end - from + 1) * pageBytes };
    },
    get state() {
      return state === null ? null : { state, salts };
    },
    setState(next) {
      writeHeader(next);
      fdatasyncSync(fd);
    },
    forget() {
      ftruncateSync(fd, 0);
      writeHeader('open');
      fdatasyncSync(fd);
    },
    sumOf(page) {
      const entry = Buffer.alloc(ENTRY_BYTES);
      readSync(fd, entry, 0, ENTRY_BYTES, at(page));
      return readEntry(entry, 0, page);
    },
    close() {
      closeSync(fd);
      closeSync(db);
    },
  };
}

/** Numbers as runs of neighbours, each with its first one and how many there are, at most `most`. */
function* runsOf(numbers: Iterable<number>, most: number): Generator<readonly [first: number, count: number]> {
  const sorted = Uint32Array.from(numbers).sort();
  for (let i = 0, count = 1; i < sorted.length; i += count) {
    const first = sorted[i] ?? 0;
    count = 1;
    while (count < most && sorted[i + count] === first + count) count++;
    yield [first, count];
  }
}

const checkOf = (page: number, sum: number): number => (sum ^ Math.imul(page, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;

function writeEntry(into: Buffer, offset: number, page: number, sum: number): void {
  into.writeUInt32LE(sum, offset);
  into.writeUInt32LE(checkOf(page, sum), offset + 4);
}

function readEntry(from: Buffer, offset: number, page: number): number | null {
  const sum = from.readUInt32LE(offset);
  return from.readUInt32LE(offset + 4) === checkOf(page, sum) ? sum : null;
}
