/** A field of a message of protocol buffers, as it stands on the wire. */
export interface ProtobufField {
  readonly number: number;
  /** A text, bytes, or a message in it; null: it is a number. */
  readonly bytes: Buffer | null;
  /** Of a varint; exact up to 2^53. */
  readonly value: number;
  /** The bytes of a varint, or the 4 or 8 of a number of fixed size; null: it is none. */
  readonly varint: Buffer | null;
  readonly fixed: Buffer | null;
}

/** The fields of a message, in their order. Throws what `bad` makes of the reason. */
export function* fieldsOf(
  message: Buffer,
  bad: (why: string) => Error = (why) => new Error(`cannot read protobuf: ${why}`),
): Generator<ProtobufField> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw bad('a number is truncated or too long');
  };
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw bad('a field is longer than its message');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) {
      const start = at;
      const value = varint();
      yield { number, bytes: null, value, varint: message.subarray(start, at), fixed: null };
    } else if (kind === 2) yield { number, bytes: take(varint()), value: 0, varint: null, fixed: null };
    else if (kind === 1) yield { number, bytes: null, value: 0, varint: null, fixed: take(8) };
    else if (kind === 5) yield { number, bytes: null, value: 0, varint: null, fixed: take(4) };
    else throw bad(`unknown field kind ${kind}`);
  }
}

/** The signed whole number of 64 bits that a varint stands for. */
export function int64Of(varint: Buffer): bigint {
  let value = 0n;
  for (const [i, byte] of varint.entries()) value |= BigInt(byte & 0x7f) << BigInt(7 * i);
  return BigInt.asIntN(64, value);
}
