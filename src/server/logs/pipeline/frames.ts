import { crc32 } from 'node:zlib';

/**
 * Frames of a segment (docs/walk-of-a-log-line.md): `magic | length | lines | lines before it | CRC-32 of the bytes | CRC-32 of
 * the header`, 4 bytes each (little-endian), then the bytes, which are JSON lines. The last frame of a segment that is complete
 * has no bytes: it says how many lines there were. So whatever becomes of some bytes, the frames behind them are found again,
 * and what was in between is counted.
 */
const MAGIC = Buffer.from('YMQ2');
const HEADER = 24;
/** The first form, which is still read: `length | lines | CRC-32`, without an end. */
const HEADER_1 = 12;
const NEWLINE = 10;
const BRACE = 0x7b;

/** What was found in the bytes of a segment. */
export interface Frames {
  readonly ndjson: Buffer<ArrayBuffer>;
  readonly lines: number;
  /** Bytes in front of what is torn. */
  readonly end: number;
  /** The segment says itself that it is complete. */
  readonly complete: boolean;
  /** Lines that were there and cannot be read; null: some, it is not known how many. */
  readonly lost: number | null;
  /** Bytes that are no frame. */
  readonly damaged: number;
  /** Bytes of a frame at the end that a crash cut short; nobody was told that its lines are kept. */
  readonly torn: number;
}

interface Frame {
  readonly at: number;
  readonly length: number;
  readonly lines: number;
  readonly before: number;
}

export function frameOf(ndjson: Uint8Array, lines: number, before: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + ndjson.length);
  MAGIC.copy(frame);
  frame.writeUInt32LE(ndjson.length, 4);
  frame.writeUInt32LE(lines, 8);
  frame.writeUInt32LE(before, 12);
  frame.writeUInt32LE(crc32(ndjson), 16);
  frame.writeUInt32LE(crc32(frame.subarray(0, HEADER - 4)), HEADER - 4);
  frame.set(ndjson, HEADER);
  return frame;
}

export const endFrame = (lines: number): Buffer => frameOf(Buffer.alloc(0), 0, lines);

export function readFrames(data: Buffer): Frames {
  return headerAt(data, 0) !== null || nextHeader(data, 1) < data.length ? readSecond(data) : readFirst(data);
}

function headerAt(data: Buffer, at: number): Frame | null {
  if (at + HEADER > data.length || data.compare(MAGIC, 0, 4, at, at + 4) !== 0) return null;
  if (crc32(data.subarray(at, at + HEADER - 4)) !== data.readUInt32LE(at + HEADER - 4)) return null;
  return {
    at,
    length: data.readUInt32LE(at + 4),
    lines: data.readUInt32LE(at + 8),
    before: data.readUInt32LE(at + 12),
  };
}
/** Where the next header is; the end of the bytes where there is none. */
function nextHeader(data: Buffer, from: number): number {
  for (let at = data.indexOf(MAGIC, from); at >= 0; at = data.indexOf(MAGIC, at + 1))
    if (headerAt(data, at) !== null) return at;
  return data.length;
}

function readSecond(data: Buffer): Frames {
  const whole: Frame[] = [];
  let total: number | null = null;
  /** Lines up to here were written, by what any header says. */
  let said = 0;
  let damaged = 0;
  let torn = 0;
  for (let at = 0; at < data.length;) {
    const frame = headerAt(data, at);
    if (frame === null) {
      const next = nextHeader(data, at + 1);
      if (next === data.length && data.length - at < HEADER) torn = data.length - at;
      else damaged += next - at;
      at = next;
      continue;
    }
    const to = at + HEADER + frame.length;
    if (to > data.length) {
      // Its end is missing, or its beginning is not where it was: what is behind it is looked for all the same.
      const next = nextHeader(data, at + 1);
      if (next === data.length) torn = data.length - at;
      else damaged += next - at;
      at = next;
      continue;
    }
    if (frame.length === 0) total = Math.max(total ?? 0, frame.before);
    else said = Math.max(said, frame.before + frame.lines);
    if (crc32(data.subarray(at + HEADER, to)) === data.readUInt32LE(at + 16)) {
      if (frame.length > 0) whole.push(frame);
    } else damaged += frame.length;
    at = to;
  }
  // Each once and in their order, wherever they stand.
  whole.sort((a, b) => a.before - b.before);
  const pieces: Buffer[] = [];
  let lines = 0;
  let next = 0;
  for (const { at, length, lines: own, before } of whole) {
    if (before < next) continue;
    pieces.push(data.subarray(at + HEADER, at + HEADER + length));
    lines += own;
    next = before + own;
  }
  const all = Math.max(total ?? 0, said, next);
  return {
    ndjson: Buffer.concat(pieces),
    lines,
    end: data.length - torn,
    complete: total !== null,
    // Bytes behind the last frame that nothing speaks for may have been any number of lines.
    lost: total === null && damaged > 0 && said === next ? null : all - lines,
    damaged,
    torn,
  };
}

function readFirst(data: Buffer): Frames {
  const pieces: Buffer[] = [];
  let lines = 0;
  let damaged = 0;
  let end = 0;
  let at = 0;
  while (at < data.length) {
    const bytes = firstAt(data, at);
    if (bytes !== null) {
      pieces.push(bytes);
      // Its own count has no checksum.
      lines += linesIn(bytes);
      end = at += HEADER_1 + bytes.length;
      continue;
    }
    let next = at + 1;
    while (next < data.length && firstAt(data, next) === null) next++;
    if (next >= data.length) break;
    damaged += next - at;
    at = next;
  }
  const rest = data.length - end;
  const isTorn = rest < HEADER_1 || end + HEADER_1 + data.readUInt32LE(end) > data.length;
  if (!isTorn) damaged += rest;
  return {
    ndjson: Buffer.concat(pieces),
    lines,
    end: data.length - (isTorn ? rest : 0),
    // It has no end of its own; what has no line in it may be all that is left of any file.
    complete: lines > 0,
    lost: damaged > 0 ? null : 0,
    damaged,
    torn: isTorn ? rest : 0,
  };
}

/** The bytes of a frame of the first form; null: there is none. */
function firstAt(data: Buffer, at: number): Buffer | null {
  if (at + HEADER_1 >= data.length || data[at + HEADER_1] !== BRACE) return null;
  const to = at + HEADER_1 + data.readUInt32LE(at);
  if (to > data.length || data[to - 1] !== NEWLINE) return null;
  const bytes = data.subarray(at + HEADER_1, to);
  return crc32(bytes) === data.readUInt32LE(at + 8) ? bytes : null;
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
