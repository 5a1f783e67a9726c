import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { readWal, type WalState } from './wal.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The beginning of a frame that its checksum covers, beside its page. */
const NUMBERS_BYTES = 8;
const MAGIC = 0x377f0682;

/**
 * Puts a write-ahead log right that differs from what was written by single bits, as far as its checksums say for certain
 * which: SQLite's sums tell the upper bits of a word apart only where they are near each other, so that some flipped bits have
 * several explanations, and then nothing is changed. Corrects the first bad frame (or the header), and goes on with the
 * next. Returns how many bits it changed, and the log as it is then.
 */
export function repairWal(database: string): { corrected: number; state: WalState | null } {
  let corrected = 0;
  let state = readWal(database);
  while (state?.damage) {
    const next = correctBit(database, state, state.damage.at);
    if (next === null) break;
    corrected++;
    state = next;
  }
  return { corrected, state };
}

function correctBit(database: string, { pageBytes }: WalState, at: number): WalState | null {
  const length = at === 0 ? HEADER_BYTES : FRAME_HEADER_BYTES + pageBytes;
  const fd = openLog(database);
  if (fd === null) return null;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const bytes = Buffer.alloc(length);
    const before = Buffer.alloc(8);
    readSync(fd, header, 0, HEADER_BYTES, 0);
    if (readSync(fd, bytes, 0, length, at) < length) return null;
    readSync(fd, before, 0, 8, at <= HEADER_BYTES ? HEADER_BYTES - 8 : at - FRAME_HEADER_BYTES - pageBytes + 16);
    const found = at === 0 ? suspectsOfHeader(header) : suspects(bytes, before, header);
    const [bit] = found;
    if (bit === undefined || found.length > 1) return null;
    const byte = bytes[bit >> 3] ?? 0;
    writeSync(fd, Buffer.of(byte ^ (1 << (bit & 7))), 0, 1, at + (bit >> 3));
    const state = readWal(database);
    if (state && (state.damage === null || state.damage.at > at)) return state;
    writeSync(fd, Buffer.of(byte), 0, 1, at + (bit >> 3));
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Bits of a frame that would make it check if they were the other way. */
function suspects(frame: Buffer, before: Buffer, header: Buffer): number[] {
  const bigEndian = (header.readUInt32BE(0) & 1) === 1;
  const found: number[] = [];
  const sum: readonly [number, number] = [before.readUInt32BE(0), before.readUInt32BE(4)];
  const stored = [frame.readUInt32BE(16), frame.readUInt32BE(20)] as const;
  const words = wordsOf(
    Buffer.concat([frame.subarray(0, NUMBERS_BYTES), frame.subarray(FRAME_HEADER_BYTES)]),
    bigEndian,
  );
  const saltBits = bitsBetween(frame.subarray(8, 16), header.subarray(16, 24));
  const computed = comesTo(words, sum);
  // Salts and checksum are not covered by the checksum.
  if (saltBits.length === 1 && computed[0] === stored[0] && computed[1] === stored[1])
    return saltBits.map((bit) => 8 * 8 + bit);
  if (saltBits.length > 0) return [];
  const ours = Buffer.alloc(8);
  ours.writeUInt32BE(computed[0], 0);
  ours.writeUInt32BE(computed[1], 4);
  const sumBits = bitsBetween(frame.subarray(16, 24), ours);
  if (sumBits.length === 1) found.push(...sumBits.map((bit) => 16 * 8 + bit));
  /** Of all words before a pair. */
  let sumThere = sum;
  for (const [i, word] of words.entries()) {
    if (i % 2 === 0 && i > 0) sumThere = comesTo(words, sumThere, i - 2, i);
    for (let bit = 0; bit < 32; bit++) {
      words[i] = word ^ (1 << bit);
      const [a, b] = comesTo(words, sumThere, i - (i % 2));
      if (a !== stored[0] || b !== stored[1]) continue;
      const byte = i * 4 + byteOf(bit, bigEndian);
      found.push((byte < NUMBERS_BYTES ? byte : byte + FRAME_HEADER_BYTES - NUMBERS_BYTES) * 8 + (bit & 7));
    }
    words[i] = word;
  }
  return found;
}

/** The same of the header of the log. */
function suspectsOfHeader(header: Buffer): number[] {
  const found: number[] = [];
  for (let bit = 0; bit < HEADER_BYTES * 8; bit++) {
    const tried = Buffer.from(header);
    tried[bit >> 3] = (tried[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const magic = tried.readUInt32BE(0);
    if (magic >>> 1 !== MAGIC >>> 1) continue;
    const [a, b] = comesTo(wordsOf(tried.subarray(0, HEADER_BYTES - 8), (magic & 1) === 1), [0, 0]);
    if (a === tried.readUInt32BE(24) && b === tried.readUInt32BE(28)) found.push(bit);
  }
  return found;
}

const wordsOf = (bytes: Buffer, bigEndian: boolean): Uint32Array =>
  Uint32Array.from({ length: bytes.length / 4 }, (_, i) =>
    bigEndian ? bytes.readUInt32BE(i * 4) : bytes.readUInt32LE(i * 4),
  );
const byteOf = (bit: number, bigEndian: boolean): number => (bigEndian ? 3 - (bit >> 3) : bit >> 3);

function comesTo(
  words: Uint32Array,
  [a, b]: readonly [number, number],
  from = 0,
  to = words.length,
): readonly [number, number] {
  for (let i = from; i < to; i += 2) {
    a = (a + (words[i] as number) + b) | 0;
    b = (b + (words[i + 1] as number) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

/** In which bits two differ. */
function bitsBetween(one: Buffer, other: Buffer): number[] {
  const found: number[] = [];
  for (let bit = 0; bit < one.length * 8; bit++)
    if ((((one[bit >> 3] ?? 0) ^ (other[bit >> 3] ?? 0)) >> (bit & 7)) & 1) found.push(bit);
  return found;
}

function openLog(database: string): number | null {
  try {
    return openSync(`${database}-wal`, 'r+');
  } catch {
    return null;
  }
}
