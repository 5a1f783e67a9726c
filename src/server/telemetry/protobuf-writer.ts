/** Writes messages of protocol buffers into memory that grows. Fields with the default of their type are left out, as proto3 has it. */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #end = 0;

  /** A copy of what was written; the writer is empty again. */
  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.alloc(this.#end);
    this.#bytes.copy(taken, 0, 0, this.#end);
    this.#end = 0;
    return taken;
  }

  string(field: number, value: string): void {
    if (value === '') return;
    const length = Buffer.byteLength(value);
    this.#head(field, length);
    this.#end += this.#bytes.write(value, this.#end);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#head(field, value.length);
    this.#bytes.set(value, this.#end);
    this.#end += value.length;
  }

  /** Bytes that are given as hexadecimal digits. */
  hex(field: number, digits: string): void {
    if (digits === '') return;
    this.#head(field, digits.length / 2);
    this.#end += this.#bytes.write(digits, this.#end, 'hex');
  }

  varint(field: number, value: number | bigint): void {
    if (Number(value) === 0) return;
    this.#room(20);
    this.#varint(field * 8);
    this.#varint64(BigInt.asUintN(64, BigInt(value)));
  }

  /** Of a `oneof`: written even where it is the default. */
  chosenVarint(field: number, value: number | bigint | boolean): void {
    this.#room(20);
    this.#varint(field * 8);
    this.#varint64(BigInt.asUintN(64, BigInt(value)));
  }

  chosenString(field: number, value: string): void {
    if (value === '') this.#head(field, 0);
    else this.string(field, value);
  }

  double(field: number, value: number): void {
    this.#room(12);
    this.#varint(field * 8 + 1);
    this.#end = this.#bytes.writeDoubleLE(value, this.#end);
  }

  fixed64(field: number, value: bigint): void {
    this.#room(12);
    this.#varint(field * 8 + 1);
    this.#end = this.#bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.#end);
  }

  fixed32(field: number, value: number): void {
    this.#room(12);
    this.#varint(field * 8 + 5);
    this.#end = this.#bytes.writeUInt32LE(value, this.#end);
  }

  /** A message within; its length goes before it once it is known. */
  message(field: number, write: () => void): void {
    this.#room(12);
    this.#varint(field * 8 + 2);
    const start = this.#end;
    this.#end++;
    write();
    const length = this.#end - start - 1;
    const more = varintBytes(length) - 1;
    if (more > 0) {
      this.#room(more);
      this.#bytes.copyWithin(start + 1 + more, start + 1, this.#end);
    }
    this.#end = start;
    this.#varint(length);
    this.#end += length;
  }

  #head(field: number, length: number): void {
    this.#room(length + 12);
    this.#varint(field * 8 + 2);
    this.#varint(length);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes[this.#end++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#end++] = rest;
  }

  #varint64(value: bigint): void {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return this.#varint(Number(value));
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#end++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[this.#end++] = Number(rest);
  }

  #room(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}
