// Every byte of what comes in passes here: elements of typed arrays are cast, as the check of a default would cost some percent.

/**
 * Which words and values a block may hold: a Bloom filter cut into pieces of 2 KB, each a row of its own, so that asking
 * for one word reads one piece. Only runs of ASCII letters, digits and `_` count as words: a superset of what a search
 * for whole words can mean, whatever the language.
 */
export const PIECE_BYTES = 2048;
const PIECE_BITS = PIECE_BYTES * 8;
const TOKENS_A_PIECE = PIECE_BITS / 10;
const PROBES = 6;
/** Longer values are not in the filter. */
export const VALUE_BYTES = 128;

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const WORD = new Uint8Array(256);
for (let code = 0; code < 128; code++) WORD[code] = /\w/.test(String.fromCharCode(code)) ? 1 : 0;

/** The hash of a byte string, going on from `from`. */
export function hashOf(text: string, from: number = SEED): number {
  let hash = from;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash >>> 0;
}
/** The same of bytes. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, from: number): number {
  let hash = from;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), PRIME);
  return hash >>> 0;
}
/** Where the hashes of a field's values start. */
export const fieldSeed = (name: string): number => hashOf('\xff', hashOf(name));

/** Hashes, each once. */
export class Tokens {
  /** As of `ByteWriter`. */
  static readonly kept = new Tokens(1);
  size = 0;
  private mask: number;
  private table: Uint32Array;

  constructor(expected = 1024) {
    this.mask = 2 ** Math.ceil(Math.log2(expected * 2)) - 1;
    this.table = new Uint32Array(this.mask + 1);
  }
  add(given: number): void {
    const { mask, table } = this;
    // 0 marks an empty place.
    const hash = given === 0 ? 1 : given;
    let at = (Math.imul(hash, 0x9e3779b1) >>> 0) & mask;
    for (let there = table[at] as number; there !== 0; there = table[at] as number) {
      if (there === hash) return;
      at = (at + 1) & mask;
    }
    table[at] = hash;
    if (++this.size * 2 > mask) this.grow();
  }
  private grow(): void {
    const old = this.table;
    this.mask = this.mask * 2 + 1;
    this.table = new Uint32Array(this.mask + 1);
    this.size = 0;
    for (const hash of old) if (hash !== 0) this.add(hash);
  }
  /** Adds each word of a text. */
  addWords(bytes: Uint8Array, start: number, end: number): void {
    let hash = SEED;
    let inside = false;
    for (let i = start; i < end; i++) {
      const code = bytes[i] as number;
      if (WORD[code] === 1) {
        hash = Math.imul(hash ^ code, PRIME);
        inside = true;
      } else if (inside) {
        this.add(hash >>> 0);
        hash = SEED;
        inside = false;
      }
    }
    if (inside) this.add(hash >>> 0);
  }
  pieces(): Buffer[] {
    const { table } = this;
    const count = Math.ceil(this.size / TOKENS_A_PIECE);
    const pieces = Array.from({ length: count }, () => Buffer.alloc(PIECE_BYTES));
    for (let n = 0; n < table.length; n++) {
      const hash = table[n] as number;
      if (hash === 0) continue;
      const piece = pieces[pieceOf(hash, count)] as Buffer;
      let at = mixed(hash);
      const step = (at >>> 15) | 1;
      for (let i = 0; i < PROBES; i++) {
        const bit = at & (PIECE_BITS - 1);
        piece[bit >>> 3] = (piece[bit >>> 3] as number) | (1 << (bit & 7));
        at = (at + step) >>> 0;
      }
    }
    return pieces;
  }
}

/** The piece of `count` in which a hash is. */
export const pieceOf = (hash: number, count: number): number => (hash === 0 ? 1 : hash) % count;

/** False: the hash was never added. */
export function mayHold(piece: Uint8Array, given: number): boolean {
  let at = mixed(given === 0 ? 1 : given);
  const step = (at >>> 15) | 1;
  for (let i = 0; i < PROBES; i++) {
    const bit = at & (PIECE_BITS - 1);
    if (((piece[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
    at = (at + step) >>> 0;
  }
  return true;
}

/** The words of a byte string that the filter knows of. */
export function wordHashes(text: string): number[] {
  return (text.match(/\w+/g) ?? []).map((word) => hashOf(word));
}

function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
