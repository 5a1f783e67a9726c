import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import { openSection, putSection, takeSection } from './codec.ts';
import { rowSum } from './sums.ts';

/**
 * The chunks of many series of a partition in one row, once they were compacted (docs/metric-format.md). A row for each would take
 * as much room again as half of its points, and those of one series are too few to be compressed.
 */

/** A chunk without owners, as it lies in a pack. */
export interface PackedChunk {
  readonly sid: number;
  /** First and last time, Unix ms. */
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** Of the data. */
  readonly crc: number;
  /** Empty where its frame is damaged. */
  readonly data: Uint8Array;
}

export interface PackRow {
  readonly id: number;
  /** Points of all of them. */
  readonly n: number;
  readonly crc: number;
  readonly head: Uint8Array;
  readonly data: Uint8Array;
}

/** Bytes of chunks that are compressed together: all of them are unpacked for one. */
const FRAME_BYTES = 32 * 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const NO_DATA = new Uint8Array(0);

/** `id`: of its row. `chunks`: by series, ascending, and those of a series in the order of their time. */
export function encodePack(id: number, chunks: readonly PackedChunk[]): PackRow {
  const heads = new ByteWriter(chunks.length * 12 + 16);
  const frames: Uint8Array[] = [];
  const frame = new ByteWriter(FRAME_BYTES * 2);
  let [n, sid, t0, inFrame] = [0, 0, 0, 0];
  const endFrame = (): void => {
    frames.push(zstdCompressSync(frame.buffer.subarray(0, frame.at), LEVEL));
    places.varint(inFrame);
    places.varint(itemAt(frames, frames.length - 1).length);
    frame.at = inFrame = 0;
  };
  const places = new ByteWriter(64);
  heads.varint(chunks.length);
  for (const chunk of chunks) {
    heads.varint(chunk.sid - sid);
    heads.zigzag(chunk.t0 - t0);
    heads.varint(chunk.t1 - chunk.t0);
    heads.varint(chunk.n);
    heads.varint(chunk.data.length);
    ({ sid, t0 } = chunk);
    n += chunk.n;
    frame.bytes(chunk.data);
    inFrame++;
    if (frame.at >= FRAME_BYTES) endFrame();
  }
  if (inFrame > 0) endFrame();
  heads.bytes(places.done());
  for (const { crc } of chunks) for (let byte = 0; byte < 4; byte++) heads.u8((crc >>> (8 * byte)) & 255);
  const out = new ByteWriter(heads.at + 16);
  putSection(out, heads.done());
  const head = out.done();
  return { id, n, crc: packSum(id, n, head), head, data: Buffer.concat(frames) };
}

/** The checksum of a pack without its data, of which each chunk has its own. */
const packSum = (id: number, n: number, head: Uint8Array): number => rowSum(id, n, head);

interface Frame {
  readonly data: Uint8Array;
  /** Bytes of its chunks. */
  size: number;
  opened: Uint8Array | null;
}

/** A pack that is read. What it says of its chunks is whole, and they are unpacked as they are asked for. */
export class Pack {
  private readonly sids: Float64Array;
  private readonly t0s: Float64Array;
  private readonly t1s: Float64Array;
  private readonly ns: Float64Array;
  private readonly crcs: Uint32Array;
  /** Where in its frame each begins, and ends. */
  private readonly begins: Float64Array;
  private readonly ends: Float64Array;
  private readonly frameOf: Uint16Array;
  private readonly frames: Frame[] = [];
  private taken: number;

  private constructor(heads: ByteReader, data: Uint8Array) {
    const count = heads.varint();
    const numbers = () => new Float64Array(count);
    this.sids = numbers();
    this.t0s = numbers();
    this.t1s = numbers();
    this.ns = numbers();
    this.begins = numbers();
    this.ends = numbers();
    this.crcs = new Uint32Array(count);
    this.frameOf = new Uint16Array(count);
    let [sid, t0] = [0, 0];
    for (let i = 0; i < count; i++) {
      this.sids[i] = sid += heads.varint();
      this.t0s[i] = t0 += heads.zigzag();
      this.t1s[i] = t0 + heads.varint();
      this.ns[i] = heads.varint();
      this.ends[i] = heads.varint();
    }
    for (let i = 0, at = 0; i < count;) {
      const frame: Frame = { data: NO_DATA, size: 0, opened: null };
      for (let left = heads.varint(); left > 0; left--, i++) {
        this.frameOf[i] = this.frames.length;
        this.begins[i] = frame.size;
        frame.size += this.ends[i] ?? 0;
        this.ends[i] = frame.size;
      }
      const end = at + heads.varint();
      this.frames.push({ ...frame, data: data.subarray(at, end) });
      at = end;
    }
    for (let i = 0; i < count; i++)
      this.crcs[i] = (heads.u8() | (heads.u8() << 8) | (heads.u8() << 16) | (heads.u8() << 24)) >>> 0;
    this.taken = data.length + count * 64 + 1024;
  }

  /** Null: what it says of its chunks is damaged. */
  static open({ id, n, crc, head, data }: PackRow): Pack | null {
    if (!(head instanceof Uint8Array) || !(data instanceof Uint8Array) || packSum(id, n, head) !== crc) return null;
    return new Pack(new ByteReader(openSection(takeSection(new ByteReader(head)))), data);
  }

  /** What it takes of memory by now. */
  get bytes(): number {
    return this.taken;
  }

  /** The chunks of a series in the order of their time. */
  of(sid: number): PackedChunk[] {
    const { sids } = this;
    let low = 0;
    for (let high = sids.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((sids[middle] ?? 0) < sid) low = middle + 1;
      else high = middle;
    }
    const found: PackedChunk[] = [];
    for (; sids[low] === sid; low++) found.push(this.chunk(low));
    return found;
  }

  all(): PackedChunk[] {
    return Array.from(this.sids, (_, i) => this.chunk(i));
  }

  private chunk(i: number): PackedChunk {
    const data = this.frame(this.frameOf[i] ?? 0).subarray(this.begins[i] ?? 0, this.ends[i] ?? 0);
    const [sid = 0, t0 = 0, t1 = 0] = [this.sids[i], this.t0s[i], this.t1s[i]];
    return { sid, t0, t1, n: this.ns[i] ?? 0, crc: this.crcs[i] ?? 0, data };
  }

  private frame(place: number): Uint8Array {
    const frame = itemAt(this.frames, place);
    if (frame.opened) return frame.opened;
    this.taken += frame.size;
    return (frame.opened = unpacked(frame));
  }
}

function unpacked({ data, size }: Frame): Uint8Array {
  try {
    // No more than was put in, whatever damaged bytes say; and all at once, with a byte for what would be more.
    return zstdDecompressSync(data, { chunkSize: Math.max(64, size + 1), maxOutputLength: Math.max(1, size) });
  } catch {
    return NO_DATA;
  }
}

/** False: its bytes are not those that were written. */
export const isWhole = ({ data, crc }: Pick<PackedChunk, 'data' | 'crc'>): boolean => crc32(data) === crc;
