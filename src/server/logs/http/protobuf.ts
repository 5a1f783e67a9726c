import { Refusal } from './answer.ts';

/** A field of a message: bytes (a text or a message in it), or a number. */
export interface ProtobufField {
  readonly number: number;
  readonly bytes: Buffer | null;
  /** Of a varint; exact up to 2^53. */
  readonly value: number;
}

export const badProtobuf = (why: string): Refusal => new Refusal(400, `cannot read protobuf: ${why}`);

/** The fields of a message of protocol buffers, in their order. Throws a 400 `Refusal`. */
export function* fieldsOf(message: Buffer): Generator<ProtobufField> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw badProtobuf('a number is truncated or too long');
  };
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw badProtobuf('a field is longer than its message');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) yield { number, bytes: null, value: varint() };
    else if (kind === 2) yield { number, bytes: take(varint()), value: 0 };
    else if (kind === 1) take(8);
    else if (kind === 5) take(4);
    else throw badProtobuf(`unknown field kind ${kind}`);
  }
}
