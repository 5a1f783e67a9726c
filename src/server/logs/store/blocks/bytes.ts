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

/** Writes numbers and texts one after another. Not that of `lib`: here texts are byte strings, what is done is not copied, and an early end is damage. */
export class ByteWriter {
  /** One lives always: V8 drops what it compiled for a class with the last of its objects, and would compile it anew for the next block. */
  static readonly kept = new ByteWriter(0);
  private buffer: Buffer;
  private at = 0;

  constructor(size = 256) {
    this.buffer = Buffer.allocUnsafe(size);
  }
  private room(more: number): void {
    if (this.at + more <= this.buffer.length) return;
    const wider = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + more));
    this.buffer.copy(wider, 0, 0, this.at);
    this.buffer = wider;
  }
  u8(value: number): void {
    this.room(1);
    this.buffer[this.at++] = value;
  }
  /** An integer from 0 to 2^53 in 7-bit groups, lowest first. */
  int(value: number): void {
    this.room(8);
    const { buffer } = this;
    let { at } = this;
    let left = value;
    while (left >= 0x80) {
      buffer[at++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    buffer[at++] = left;
    this.at = at;
  }
  /** Any integer within ±2^53: the sign in the lowest bit. */
  signed(value: number): void {
    this.int(value < 0 ? -value * 2 - 1 : value * 2);
  }
  bytes(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }
  /** A length and the bytes. */
  blob(bytes: Uint8Array): void {
    this.int(bytes.length);
    this.bytes(bytes);
  }
  /** A length and the characters of a byte string. */
  chars(text: string): void {
    this.int(text.length);
    this.room(text.length);
    this.at += this.buffer.write(text, this.at, 'latin1');
  }
  done(): Buffer {
    return this.buffer.subarray(0, this.at);
  }
}

/** Reads what a `ByteWriter` wrote. Throws `ChecksumError` at the end of the bytes. */
export class ByteReader {
  /** As of `ByteWriter`. */
  static readonly kept = new ByteReader(Buffer.alloc(0));
  private readonly from: Buffer;
  private at = 0;

  constructor(from: Buffer) {
    this.from = from;
  }
  u8(): number {
    if (this.at >= this.from.length) throw new ChecksumError('ends too early');
    return this.from[this.at++] ?? 0;
  }
  int(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > Number.MAX_SAFE_INTEGER) throw new ChecksumError('a number is too long');
    }
  }
  signed(): number {
    const value = this.int();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
  /** So many bytes. */
  take(length: number): Buffer {
    if (this.at + length > this.from.length) throw new ChecksumError('ends too early');
    this.at += length;
    return this.from.subarray(this.at - length, this.at);
  }
  blob(): Buffer {
    return this.take(this.int());
  }
  chars(): string {
    return this.take(this.int()).toString('latin1');
  }
}
