import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';

/**
 * Columns of numbers and texts as bytes (docs/metric-format.md). Every value comes out as it went in, bit by bit.
 */

/** Above this a delta could leave the whole numbers that a double holds. */
const SAFE = 2 ** 51;
/** Most decimal places that are tried. */
const PLACES = 9;
const XOR = 255;
const WORDS = 254;
const SCALE = Array.from({ length: PLACES + 1 }, (_, k) => 10 ** k);

/** A buffer that served a longer column is given back. */
const KEPT = 256 * 1024;
let out = new ByteWriter(32 * 1024);
let numbers = new Float64Array(8192);

/** Columns are written one after the other into one buffer: what is given of it holds until the next is written. */
function nextColumn(): ByteWriter {
  if (out.buffer.length > KEPT) out = new ByteWriter(32 * 1024);
  out.at = 0;
  return out;
}
/** As many numbers, of whatever was there before. */
function room(count: number): Float64Array {
  if (count > KEPT) return new Float64Array(count);
  if (count > numbers.length) numbers = new Float64Array(Math.max(count, numbers.length * 2));
  return numbers;
}

/** Numbers, none of them NaN: scaled to whole numbers where that is exact, else bit patterns. To be copied before the next column is written. */
export function encodeNumbers(values: Float64Array): Uint8Array {
  const scaled = room(values.length);
  const places = placesOf(values, scaled);
  const column = nextColumn();
  column.u8(places);
  if (places === XOR) encodeWords(column, new Uint32Array(values.buffer, values.byteOffset, values.length * 2));
  else encodeWhole(column, scaled, values.length);
  return column.buffer.subarray(0, column.at);
}

/** Whole numbers of 64 bits of which some are beyond what a double holds. */
export function encodeBig(values: BigInt64Array): Uint8Array {
  const column = nextColumn();
  column.u8(WORDS);
  encodeWords(column, new Uint32Array(values.buffer, values.byteOffset, values.length * 2));
  return column.buffer.subarray(0, column.at);
}

export function decodeNumbers(bytes: Uint8Array, count: number): Float64Array | BigInt64Array {
  if (bytes[0] === XOR || bytes[0] === WORDS) return decodeBits(bytes, count);
  const values = new Float64Array(count);
  const reader = new ByteReader(bytes);
  scaledInto(reader, reader.u8(), count, values);
  return values;
}

/** Numbers of which the roll-ups know that they were written as floats: the first `count` of `into`. They end where they end. */
export function decodeFloats(reader: ByteReader, count: number, into: Float64Array): void {
  const kind = reader.u8();
  if (kind === XOR) into.set(new Float64Array(decodeWords(reader, count).buffer));
  else scaledInto(reader, kind, count, into);
}

function decodeBits(bytes: Uint8Array, count: number): Float64Array | BigInt64Array {
  const reader = new ByteReader(bytes);
  const kind = reader.u8();
  const { buffer } = decodeWords(reader, count);
  return kind === XOR ? new Float64Array(buffer) : new BigInt64Array(buffer);
}

function scaledInto(reader: ByteReader, kind: number, count: number, into: Float64Array): void {
  const scale = wholeOf(reader, kind, count, into);
  if (scale > 1) for (let i = 0; i < count; i++) into[i] = (into[i] ?? 0) / scale;
}

/** The numbers of a column of such a kind times what is returned, as whole numbers. */
function wholeOf(reader: ByteReader, kind: number, count: number, into: Float64Array): number {
  const scale = SCALE[kind];
  if (scale === undefined) throw new RangeError(`no column has the kind ${kind}`);
  wholeInto(reader, count, into);
  return scale;
}

/** False: they are beyond what a double holds. */
export const isScaled = (column: Uint8Array): boolean => column[0] !== WORDS;
/** The first `count` of `into` become the numbers of such a column times what is returned, which makes whole ones of them; 1: as they are. */
export function decodeScaled(column: Uint8Array, count: number, into: Float64Array): number {
  const reader = new ByteReader(column);
  const kind = reader.u8();
  if (kind !== XOR) return wholeOf(reader, kind, count, into);
  into.set(new Float64Array(decodeWords(reader, count).buffer));
  return 1;
}

/** What makes whole numbers of all these values, exactly; null: no power of ten does. Absent ones (NaN) do not count. */
export function scaleOf(values: Float64Array): number | null {
  const present = values.some((value) => value !== value) ? values.filter((value) => value === value) : values;
  const places = placesOf(present, room(present.length));
  return places === XOR ? null : (SCALE[places] ?? 0);
}

/** The fewest decimal places with which all values are exact, and `scaled` what they are then; XOR: none. */
function placesOf(values: Float64Array, scaled: Float64Array): number {
  const count = values.length;
  let places = 0;
  let scale = 1;
  /** Values before this were looked at with fewer places. */
  let raisedAt = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0;
    for (;;) {
      const whole = Math.round(value * scale);
      if (whole / scale === value && whole <= SAFE && whole >= -SAFE && (whole !== 0 || !Object.is(value, -0))) {
        scaled[i] = whole;
        break;
      }
      if (++places > PLACES || value > SAFE || value < -SAFE) return XOR;
      scale = SCALE[places] ?? 0;
      raisedAt = i;
    }
  }
  // A value that was exact with fewer places need not be with more.
  for (let i = 0; i < raisedAt; i++) {
    const value = values[i] ?? 0;
    const whole = Math.round(value * scale);
    if (whole / scale !== value || Math.abs(value * scale) > SAFE) return XOR;
    scaled[i] = whole;
  }
  return places;
}

/** Differences to the value before; a run of zeros is a zero and its length less one. */
export function encodeWhole(into: ByteWriter, values: ArrayLike<number>, count = values.length): void {
  let before = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0;
    if (value !== before) {
      into.zigzag(value - before);
      before = value;
      continue;
    }
    let run = 1;
    while (i + run < count && values[i + run] === before) run++;
    into.u8(0);
    into.varint(run - 1);
    i += run - 1;
  }
}

export function decodeWhole(reader: ByteReader, count: number): Float64Array<ArrayBuffer> {
  const values = new Float64Array(count);
  wholeInto(reader, count, values);
  return values;
}

function wholeInto(reader: ByteReader, count: number, values: Float64Array): void {
  const { buffer } = reader;
  let at = reader.at;
  let before = 0;
  for (let i = 0; i < count;) {
    let byte = buffer[at++] ?? 0;
    // Most are of one byte, and no run: signs without a branch, as the processor would guess every other one wrongly.
    while (byte > 0 && byte < 128) {
      before += (byte >> 1) ^ -(byte & 1);
      values[i++] = before;
      if (i === count) break;
      byte = buffer[at++] ?? 0;
    }
    if (i === count) break;
    if (byte === 0) {
      reader.at = at;
      const end = i + reader.varint() + 1;
      at = reader.at;
      if (end > count) throw new RangeError('a run is longer than its column');
      // Most are short, and `fill` has a price of its own.
      while (i < end) values[i++] = before;
      continue;
    }
    const next = buffer[at++] ?? 0;
    if (next < 128) {
      const raw = (byte & 127) | (next << 7);
      before += (raw >> 1) ^ -(raw & 1);
    } else {
      let raw = (byte & 127) + (next & 127) * 128;
      let scale = 16_384;
      do {
        byte = buffer[at++] ?? 0;
        raw += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      before += raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2;
    }
    values[i++] = before;
  }
  if (at > buffer.length) throw new RangeError('the bytes end too early');
  reader.at = at;
}

/** Pairs of words, each pair XORed with the one before, their bytes sorted by place: equal ones lie together. */
function encodeWords(into: ByteWriter, words: Uint32Array): void {
  const count = words.length / 2;
  into.need(count * 8);
  let low = 0;
  let high = 0;
  const { buffer, at } = into;
  for (let i = 0; i < count; i++) {
    const a = (words[2 * i] ?? 0) ^ low;
    const b = (words[2 * i + 1] ?? 0) ^ high;
    low = words[2 * i] ?? 0;
    high = words[2 * i + 1] ?? 0;
    for (let plane = 0; plane < 4; plane++) {
      buffer[at + plane * count + i] = a >>> (8 * plane);
      buffer[at + (plane + 4) * count + i] = b >>> (8 * plane);
    }
  }
  into.at += count * 8;
}

function decodeWords(reader: ByteReader, count: number): Uint32Array<ArrayBuffer> {
  const planes = reader.bytes(count * 8);
  const words = new Uint32Array(count * 2);
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    let a = 0;
    let b = 0;
    for (let plane = 0; plane < 4; plane++) {
      a |= (planes[plane * count + i] ?? 0) << (8 * plane);
      b |= (planes[(plane + 4) * count + i] ?? 0) << (8 * plane);
    }
    words[2 * i] = low = (low ^ a) >>> 0;
    words[2 * i + 1] = high = (high ^ b) >>> 0;
  }
  return words;
}

/** Times in their order: the first, then the differences of their differences. */
export function encodeTimes(ms: Float64Array): Uint8Array {
  const column = nextColumn();
  column.zigzag(ms[0] ?? 0);
  const count = Math.max(0, ms.length - 1);
  const steps = room(count);
  for (let i = 0; i < count; i++) steps[i] = (ms[i + 1] ?? 0) - (ms[i] ?? 0);
  encodeWhole(column, steps, count);
  return column.buffer.subarray(0, column.at);
}

export function decodeTimes(bytes: Uint8Array, count: number): Float64Array<ArrayBuffer> {
  const ms = new Float64Array(count);
  timesInto(bytes, count, ms);
  return ms;
}

/** The first `count` of `into`. */
export function timesInto(bytes: Uint8Array, count: number, into: Float64Array): void {
  const reader = new ByteReader(bytes);
  let at = reader.zigzag();
  if (count === 0) return;
  // The steps stand where the times will be.
  wholeInto(reader, count - 1, into.subarray(1, count));
  into[0] = at;
  for (let i = 1; i < count; i++) into[i] = at += into[i] ?? 0;
}

/** Texts: each distinct one once, in the order in which they come, and which of them stands where. */
export function encodeTexts(values: readonly string[]): Uint8Array {
  const codes = new Map<string, number>();
  const column = nextColumn();
  const places = new Float64Array(values.length);
  const distinct: string[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? '';
    let code = codes.get(value);
    if (code === undefined) {
      codes.set(value, (code = distinct.length));
      distinct.push(value);
    }
    places[i] = code;
  }
  column.varint(distinct.length);
  const ids = distinct.length > 0 && distinct.every((value) => UUID.test(value));
  column.u8(ids ? 1 : 0);
  // All at once: thousands of small buffers take several times as long.
  if (ids) column.bytes(Buffer.from(distinct.join('').replaceAll('-', ''), 'hex'));
  else for (const value of distinct) column.text(value);
  encodeWhole(column, places);
  return column.buffer.subarray(0, column.at);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function decodeTexts(bytes: Uint8Array, count: number): string[] {
  const reader = new ByteReader(bytes);
  const distinct: string[] = [];
  const size = reader.varint();
  const ids = reader.u8() === 1;
  for (let i = 0; i < size; i++) distinct.push(ids ? uuidOf(reader.bytes(16)) : reader.text());
  const places = decodeWhole(reader, count);
  return Array.from(places, (place) => distinct[place] ?? '');
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Below this compression costs more time than it saves space: a piece of it has a fixed price. */
const SMALL = 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Bytes, compressed where that pays, with what is needed to get them back. `plain`: what they become a part of is compressed. */
export function putSection(into: ByteWriter, bytes: Uint8Array, plain = false): void {
  if (bytes.length >= SMALL && !plain) {
    const small = zstdCompressSync(bytes, LEVEL);
    if (small.length < bytes.length * 0.95) {
      into.varint(small.length * 2 + 1);
      into.bytes(small);
      return;
    }
  }
  into.varint(bytes.length * 2);
  into.bytes(bytes);
}

/** The next section as it is kept, to be opened by `openSection`. */
export function takeSection(reader: ByteReader): { packed: boolean; bytes: Uint8Array } {
  const size = reader.varint();
  return { packed: size % 2 === 1, bytes: reader.bytes(Math.floor(size / 2)) };
}

export const openSection = ({ packed, bytes }: { packed: boolean; bytes: Uint8Array }): Uint8Array =>
  packed ? zstdDecompressSync(bytes) : bytes;
