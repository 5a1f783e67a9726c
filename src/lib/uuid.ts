import { cryptoOnDemand } from './crypto-on-demand.ts';

const pool = Buffer.alloc(16 * 256);
let at = pool.length;
let lastMs = 0;
let sequence = 0;

/** The id in the making. Read out as one flat string: one put together of pieces is ten times the memory until somebody flattens it. */
const text = Buffer.alloc(36, '-');
/** The millisecond whose digits stand in `text`. */
let written = -1;
const digits = Buffer.from('0123456789abcdef');

/** A UUIDv7 (RFC 9562 §5.7), lower case. Ids of one process sort in the order they were made, also within a millisecond. */
export function uuidv7(now: number = Date.now()): string {
  if (at === pool.length) {
    cryptoOnDemand().randomFillSync(pool);
    at = 0;
  }
  const r = at;
  at += 16;
  if (now > lastMs) {
    lastMs = now;
    sequence = ((random(r) & 0x07) << 8) | random(r + 1);
  } else if (++sequence > 0xfff) {
    // The counter of this millisecond is used up (or the clock went back): run ahead of the clock by one.
    sequence = 0;
    lastMs++;
  }
  if (lastMs !== written) writeTime(lastMs);
  put(14, 0x70 | (sequence >> 8));
  put(16, sequence);
  put(19, 0x80 | (random(r + 2) & 0x3f));
  put(21, random(r + 3));
  for (let i = 0; i < 6; i++) put(24 + 2 * i, random(r + 4 + i));
  return text.toString('latin1');
}

function writeTime(ms: number): void {
  for (let i = 0; i < 4; i++) put(2 * i, ms / 2 ** (40 - 8 * i));
  put(9, ms / 2 ** 8);
  put(11, ms);
  written = ms;
}

// Within the pool; a check would cost in each id.
const random = (index: number): number => pool[index] as number;

/** The two digits of a byte. */
function put(place: number, byte: number): void {
  // A half byte is one of sixteen.
  text[place] = digits[(byte >> 4) & 0xf] as number;
  text[place + 1] = digits[byte & 0xf] as number;
}
