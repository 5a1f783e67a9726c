/** Unpacks snappy's block format, as its description has it. */
export function unpacked(data: Buffer): Buffer {
  let at = 0;
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = data[at++] ?? 0;
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  const out: number[] = [];
  while (at < data.length) {
    const tag = data[at++] ?? 0;
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const bytes = short < 60 ? 0 : short - 59;
      const length = (bytes === 0 ? short : data.readUIntLE(at, bytes)) + 1;
      at += bytes;
      out.push(...data.subarray(at, at + length));
      at += length;
    } else {
      const wide = (tag & 3) === 1 ? 1 : (tag & 3) === 2 ? 2 : 4;
      const length = wide === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      const offset = wide === 1 ? ((tag >> 5) << 8) | (data[at] ?? 0) : data.readUIntLE(at, wide);
      at += wide;
      for (let i = 0; i < length; i++) out.push(out[out.length - offset] ?? 0);
    }
  }
  if (out.length !== size) throw new Error(`unpacked ${out.length} bytes of ${size}`);
  return Buffer.from(out);
}
