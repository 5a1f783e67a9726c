import { Refusal } from './answer.ts';

const bad = (why: string) => new Refusal(400, `cannot unpack snappy: ${why}`);

/** Unpacks snappy's block format (not its frames): a length, then literals and copies of what came before. */
export function unsnappy(data: Buffer, most: number): Buffer<ArrayBuffer> {
  let at = 0;
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = data[at++];
    if (byte === undefined || shift > 28) throw bad('the length is missing');
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (size > most) throw new Refusal(413, `the body has more than ${most} bytes, counted after unpacking: send smaller batches`);
  const out = Buffer.alloc(size);
  let end = 0;
  const little = (bytes: number): number => {
    if (at + bytes > data.length) throw bad('it ends too early');
    const value = data.readUIntLE(at, bytes);
    at += bytes;
    return value;
  };
  while (at < data.length) {
    const tag = data[at++] as number;
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const length = (short < 60 ? short : little(short - 59)) + 1;
      if (at + length > data.length || end + length > size) throw bad('a literal is too long');
      data.copy(out, end, at, at + length);
      at += length;
      end += length;
      continue;
    }
    const kind = tag & 3;
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = kind === 1 ? ((tag >> 5) << 8) | little(1) : little(kind === 2 ? 2 : 4);
    if (offset === 0 || offset > end || end + length > size) throw bad('a copy reaches outside');
    // Byte by byte: what is copied may be what the copy itself has just written.
    for (let i = 0; i < length; i++, end++) out[end] = out[end - offset] as number;
  }
  if (end !== size) throw bad('it is shorter than it says');
  return out;
}
