/** Grows as it is written to. Whole numbers are little-endian base 128 up to 2^53. */
export class ByteWriter {
  buffer: Uint8Array<ArrayBuffer>;
  at = 0;
  private view: DataView | null = null;
  constructor(size = 1024) {
    this.buffer = new Uint8Array(size);
  }
  private get words(): DataView {
    return (this.view ??= new DataView(this.buffer.buffer));
  }
  /** Makes room for `more` bytes. */
  need(more: number): void {
    if (this.at + more <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.at + more));
    grown.set(this.buffer.subarray(0, this.at));
    this.buffer = grown;
    this.view = null;
  }
  u8(value: number): void {
    this.need(1);
    this.buffer[this.at++] = value;
  }
  varint(value: number): void {
    this.need(10);
    while (value > 0x7fffffff) {
      this.buffer[this.at++] = (value % 128) | 0x80;
      value = Math.floor(value / 128);
    }
    while (value > 127) {
      this.buffer[this.at++] = (value & 127) | 0x80;
      value >>>= 7;
    }
    this.buffer[this.at++] = value;
  }
  /** A whole number of either sign, its size at most 2^52. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }
  f64(value: number): void {
    this.need(8);
    this.words.setFloat64(this.at, value, true);
    this.at += 8;
  }
  i64(value: bigint): void {
    this.need(8);
    this.words.setBigInt64(this.at, BigInt.asIntN(64, value), true);
    this.at += 8;
  }
  bytes(value: Uint8Array): void {
    this.need(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
  }
  /** Bytes with their length before them. */
  block(value: Uint8Array): void {
    this.varint(value.length);
    this.bytes(value);
  }
  text(value: string): void {
    const start = this.at;
    const { length } = value;
    this.varint(length);
    this.need(length);
    const { buffer } = this;
    let { at } = this;
    // Ids and names: a buffer of its own for each would cost many times as much.
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) {
        this.at = start;
        return this.block(encoder.encode(value));
      }
      buffer[at++] = code;
    }
    this.at = at;
  }
  /** What was written; the buffer itself is not shared. */
  done(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.at);
  }
}

const encoder = new TextEncoder();

/** Reads what a `ByteWriter` wrote. Throws a `RangeError` where the bytes end too early. */
export class ByteReader {
  /** One lives always: V8 forgets the shape of objects once none is left, and all code that was compiled for it. */
  static readonly kept = new ByteReader(new Uint8Array(0));
  readonly buffer: Uint8Array;
  at: number;
  /** Made when it is needed: most readers are of a few bytes, and need none. */
  private view: DataView | null = null;
  private texts: Buffer | null = null;
  constructor(buffer: Uint8Array, at = 0) {
    this.buffer = buffer;
    this.at = at;
  }
  private get words(): DataView {
    return (this.view ??= new DataView(this.buffer.buffer, this.buffer.byteOffset, this.buffer.byteLength));
  }
  u8(): number {
    const value = this.buffer[this.at++];
    if (value === undefined) throw new RangeError('the bytes end too early');
    return value;
  }
  varint(): number {
    let byte = this.u8();
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.u8();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  f64(): number {
    this.at += 8;
    return this.words.getFloat64(this.at - 8, true);
  }
  i64(): bigint {
    this.at += 8;
    return this.words.getBigInt64(this.at - 8, true);
  }
  bytes(length: number): Uint8Array {
    if (this.at + length > this.buffer.length) throw new RangeError('the bytes end too early');
    return this.buffer.subarray(this.at, (this.at += length));
  }
  block(): Uint8Array {
    return this.bytes(this.varint());
  }
  text(): string {
    const length = this.varint();
    const start = this.at;
    if (start + length > this.buffer.length) throw new RangeError('the bytes end too early');
    this.at = start + length;
    this.texts ??= Buffer.from(this.buffer.buffer, this.buffer.byteOffset, this.buffer.byteLength);
    return this.texts.toString('utf8', start, this.at);
  }
  get more(): boolean {
    return this.at < this.buffer.length;
  }
}
