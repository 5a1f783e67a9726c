import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bytes that do not carry the checksum they were written with, or do not say what they must. */
export class ChecksumError extends Error {}

/** Bytes before the sealed ones. */
export const HEAD = 9;
const PLAIN = 0;
const ZSTD = 1;
/** Shorter ones are not worth a frame. */
const LEAST = 64;

/**
 * Bytes as they lie on disk: method (u8), CRC-32 of what follows the head (u32 LE), length once unpacked (u32 LE), then the
 * bytes themselves, plain (0) or as one zstd frame (1). `level` null: plain.
 */
export function seal(raw: Buffer, level: number | null): Buffer {
  const packed =
    level !== null && raw.length >= LEAST
      ? zstdCompressSync(raw, {
          chunkSize: Math.max(64, raw.length),
          params: { [constants.ZSTD_c_compressionLevel]: level },
        })
      : raw;
  const smaller = packed.length < raw.length;
  const data = smaller ? packed : raw;
  const out = Buffer.allocUnsafe(HEAD + data.length);
  out[0] = smaller ? ZSTD : PLAIN;
  out.writeUInt32LE(crc32(data), 1);
  out.writeUInt32LE(raw.length, 5);
  data.copy(out, HEAD);
  return out;
}

/** What a head says of a part that lies elsewhere, so that no other part can stand in its place: a checksum of the part's own head. */
export const tieOf = (sealed: Uint8Array): number => crc32(sealed.subarray(0, HEAD));

/** The bytes that were sealed. Throws `ChecksumError`. */
export function unseal(sealed: Uint8Array): Buffer {
  const all = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  if (all.length < HEAD) throw new ChecksumError('too short');
  const data = all.subarray(HEAD);
  const length = all.readUInt32LE(5);
  if (crc32(data) !== all.readUInt32LE(1)) throw new ChecksumError('wrong checksum');
  if (all[0] === PLAIN) {
    if (data.length === length) return data;
    throw new ChecksumError('has the wrong length');
  }
  try {
    const raw = zstdDecompressSync(data, { chunkSize: Math.max(64, length + 1), maxOutputLength: Math.max(1, length) });
    if (raw.length === length) return raw;
  } catch {
    // Told below.
  }
  throw new ChecksumError('cannot be decompressed');
}

/** Writes numbers and texts one after another. */
export interface ByteWriter {
  u8(value: number): void;
  /** An integer from 0 to 2^53 in 7-bit groups, lowest first. */
  int(value: number): void;
  /** Any integer within ±2^53: the sign in the lowest bit. */
  signed(value: number): void;
  bytes(bytes: Uint8Array): void;
  /** A length and the bytes. */
  blob(bytes: Uint8Array): void;
  /** A length and the characters of a byte string. */
  chars(text: string): void;
  done(): Buffer;
}

export function byteWriter(size = 256): ByteWriter {
  let buffer = Buffer.allocUnsafe(size);
  let at = 0;
  const room = (more: number) => {
    if (at + more <= buffer.length) return;
    const wider = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + more));
    buffer.copy(wider, 0, 0, at);
    buffer = wider;
  };
  const int = (value: number) => {
    room(8);
    let left = value;
    while (left >= 0x80) {
      buffer[at++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    buffer[at++] = left;
  };
  const bytes = (data: Uint8Array) => {
    room(data.length);
    buffer.set(data, at);
    at += data.length;
  };
  return {
    u8(value) {
      room(1);
      buffer[at++] = value;
    },
    int,
    signed: (value) => int(value < 0 ? -value * 2 - 1 : value * 2),
    bytes,
    blob(data) {
      int(data.length);
      bytes(data);
    },
    chars(text) {
      int(text.length);
      room(text.length);
      at += buffer.write(text, at, 'latin1');
    },
    done: () => buffer.subarray(0, at),
  };
}

export interface ByteReader {
  u8(): number;
  int(): number;
  signed(): number;
  blob(): Buffer;
  /** So many bytes. */
  take(length: number): Buffer;
  chars(): string;
}

/** Reads what a `ByteWriter` wrote. Throws `ChecksumError` at the end of the bytes. */
export function byteReader(bytes: Buffer): ByteReader {
  let at = 0;
  const u8 = () => {
    if (at >= bytes.length) throw new ChecksumError('ends too early');
    return bytes[at++] ?? 0;
  };
  const int = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > Number.MAX_SAFE_INTEGER) throw new ChecksumError('a number is too long');
    }
  };
  const take = (length: number) => {
    if (at + length > bytes.length) throw new ChecksumError('ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    u8,
    int,
    signed() {
      const value = int();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    take,
    blob: () => take(int()),
    chars: () => take(int()).toString('latin1'),
  };
}
