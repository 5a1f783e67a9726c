import { randomFillSync } from 'node:crypto';

const pool = new Uint8Array(16 * 256);
let at = pool.length;
let lastMs = 0;
let sequence = 0;
const hex = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** A UUIDv7 (RFC 9562 §5.7), lower case. Ids of one process sort in the order they were made, also within a millisecond. */
export function uuidv7(now: number = Date.now()): string {
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  const r = pool.subarray(at, (at += 16));
  if (now > lastMs) {
    lastMs = now;
    sequence = ((r[6] as number) & 0x07) << 8 | (r[7] as number);
  } else if (++sequence > 0xfff) {
    // The counter of this millisecond is used up (or the clock went back): run ahead of the clock by one.
    sequence = 0;
    lastMs++;
  }
  const ms = lastMs;
  const h = (n: number) => hex[n & 0xff] as string;
  return (
    h(ms / 2 ** 40) + h(ms / 2 ** 32) + h(ms / 2 ** 24) + h(ms / 2 ** 16) + '-' + h(ms / 2 ** 8) + h(ms) + '-' +
    h(0x70 | (sequence >> 8)) + h(sequence) + '-' +
    h(0x80 | ((r[8] as number) & 0x3f)) + h(r[9] as number) + '-' +
    h(r[10] as number) + h(r[11] as number) + h(r[12] as number) + h(r[13] as number) + h(r[14] as number) + h(r[15] as number)
  );
}
