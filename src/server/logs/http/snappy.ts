import { Refusal } from './answer.ts';

const bad = (why: string) => new Refusal(400, `cannot decompress snappy: ${why}`);

/** A copy of 64 bytes takes three: so many times its own size a body may become. */
const MAX_TIMES = 22;

/** The size that a body says to have unpacked. Throws a 400 `Refusal` where it cannot be. */
export const sizeOf = (data: Buffer): number => head(data).size;

function head(data: Buffer): { size: number; at: number } {
  let size = 0;
  let at = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = data[at++];
    if (byte === undefined || shift > 28) throw bad('the length is missing');
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (size > data.length * MAX_TIMES) throw bad('the stated length is impossible');
  return { size, at };
}

/** Unpacks snappy's block format (not its frames): a length, then literals and copies of what came before. */
export function unsnappy(data: Buffer, most: number): Buffer<ArrayBuffer> {
  const { size, at: start } = head(data);
  let at = start;
  if (size > most)
    throw new Refusal(413, `the body has more than ${most} bytes after decompression: send smaller batches`);
  const out = Buffer.allocUnsafeSlow(size);
  let end = 0;
  const little = (bytes: number): number => {
    if (at + bytes > data.length) throw bad('the data ends too early');
    const value = data.readUIntLE(at, bytes);
    at += bytes;
    return value;
  };
  while (at < data.length) {
    const tag = data[at++] ?? 0;
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
    if (offset === 0 || offset > end || end + length > size) throw bad('a copy refers to data outside the buffer');
    // Byte by byte: what is copied may be what the copy itself has just written.
    for (let i = 0; i < length; i++, end++) out[end] = out[end - offset] ?? 0;
  }
  if (end !== size) throw bad('the data is shorter than its stated length');
  return out;
}
