/** Snappy's block format: a length, then literals and copies of what came before. */

/** Copies reach back this far at most. */
const BLOCK = 65_536;
const HASH_BITS = 14;
const LEAST_MATCH = 4;
const LONGEST_COPY = 64;

/** Compresses for who reads the block format, such as the receivers of Prometheus remote write. */
export function snappy(data: Uint8Array): Buffer<ArrayBuffer> {
  // What cannot be compressed grows by five bytes a block at most.
  const out = Buffer.allocUnsafe(16 + data.length + Math.ceil(data.length / BLOCK) * 8 + Math.ceil(data.length / 60));
  let end = varint(out, 0, data.length);
  const table = new Uint16Array(1 << HASH_BITS);
  for (let start = 0; start < data.length; start += BLOCK)
    end = block(data, start, Math.min(start + BLOCK, data.length), table.fill(0), out, end);
  return out.subarray(0, end);
}

function block(data: Uint8Array, start: number, stop: number, table: Uint16Array, out: Buffer, from: number): number {
  let end = from;
  let literal = start;
  for (let at = start; at + LEAST_MATCH <= stop;) {
    const word = wordAt(data, at);
    const hash = Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS);
    const candidate = start + (table[hash] ?? 0);
    table[hash] = at - start;
    if (candidate >= at || wordAt(data, candidate) !== word) {
      // The longer nothing is found, the fewer places are looked at.
      at += 1 + ((at - literal) >> 6);
      continue;
    }
    let length = LEAST_MATCH;
    while (at + length < stop && data[candidate + length] === data[at + length]) length++;
    end = literals(data, literal, at, out, end);
    end = copies(at - candidate, length, out, end);
    at += length;
    literal = at;
  }
  return literals(data, literal, stop, out, end);
}

const wordAt = (data: Uint8Array, at: number): number =>
  (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16) | ((data[at + 3] ?? 0) << 24);

function literals(data: Uint8Array, from: number, to: number, out: Buffer, at: number): number {
  const length = to - from;
  if (length === 0) return at;
  let end = at;
  if (length <= 60) out[end++] = (length - 1) << 2;
  else if (length <= 256) {
    out[end++] = 60 << 2;
    out[end++] = length - 1;
  } else {
    out[end++] = 61 << 2;
    end = out.writeUInt16LE(length - 1, end);
  }
  out.set(data.subarray(from, to), end);
  return end + length;
}

function copies(offset: number, length: number, out: Buffer, at: number): number {
  let end = at;
  for (let left = length; left > 0;) {
    const one = Math.min(left, LONGEST_COPY);
    out[end++] = ((one - 1) << 2) | 2;
    end = out.writeUInt16LE(offset, end);
    left -= one;
  }
  return end;
}

function varint(out: Buffer, at: number, value: number): number {
  let end = at;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) out[end++] = (rest & 0x7f) | 0x80;
  out[end++] = rest;
  return end;
}
