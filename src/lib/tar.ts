/** The little of the tar format (POSIX ustar) that a file of plain parts needs; for Node and for browsers. */

const BLOCK = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Two empty blocks end an archive. */
export const tarEnd = (): Uint8Array => new Uint8Array(BLOCK * 2);

/** The header of one part. `name` up to 255 bytes, with a slash where it has to be cut; `at` in milliseconds. */
export function tarHeader(name: string, bytes: number, at: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const text = (value: string, from: number, most: number) => header.set(encoder.encode(value).subarray(0, most), from);
  const octal = (value: number, from: number, digits: number) => text(`${value.toString(8).padStart(digits, '0')}\0`, from, digits + 1);
  let [prefix, last] = ['', name];
  while (last.length > 100) {
    const cut = last.indexOf('/');
    if (cut < 0) throw new RangeError(`${name} is too long a name for a tar archive`);
    prefix += (prefix === '' ? '' : '/') + last.slice(0, cut);
    last = last.slice(cut + 1);
  }
  if (prefix.length > 155) throw new RangeError(`${name} is too long a name for a tar archive`);
  text(last, 0, 100);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(Math.floor(at / 1000), 136, 11);
  text('        ', 148, 8);
  text('0', 156, 1);
  text('ustar\u000000', 257, 8);
  text(prefix, 345, 155);
  text(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 8);
  return header;
}

const sumOf = (header: Uint8Array): number => header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 0x20 : byte), 0);

/** What fills a part up to whole blocks. */
export const tarPadding = (bytes: number): Uint8Array => new Uint8Array((BLOCK - (bytes % BLOCK)) % BLOCK);

/** Why what is read is no archive, in words for people. */
export class NotTar extends Error {}

export interface TarPart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TarLimits {
  /** Bytes of one part. */
  readonly partBytes: number;
  readonly parts: number;
}

/**
 * Reads an archive from pieces of any size. `push` gives the parts that are whole by now; it throws `NotTar` for what no
 * archive holds, or `RangeError` above a limit. Only plain files are given; folders and all else are passed over.
 */
export function createTarReader({ partBytes, parts: mostParts }: TarLimits): { push(piece: Uint8Array): TarPart[]; readonly ended: boolean } {
  const header = new Uint8Array(BLOCK);
  let filled = 0;
  let body: Uint8Array | null = null;
  let name = '';
  let plain = false;
  let at = 0;
  let skip = 0;
  let parts = 0;
  let ended = false;

  function begin(): void {
    if (header.every((byte) => byte === 0)) {
      ended = true;
      return;
    }
    const text = (from: number, length: number) => {
      const bytes = header.subarray(from, from + length);
      const end = bytes.indexOf(0);
      return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
    };
    if (Number.parseInt(text(148, 8), 8) !== sumOf(header)) throw new NotTar('the file is damaged, or no archive of this kind');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new NotTar('a part of the file has no size');
    if (size > partBytes) throw new RangeError(`a part has ${size} bytes, at most ${partBytes} are taken`);
    if (++parts > mostParts) throw new RangeError(`there are more than ${mostParts} parts`);
    const prefix = text(345, 155);
    name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    const kind = header[156] ?? 0;
    plain = kind === 0x30 || kind === 0;
    body = new Uint8Array(size);
    at = 0;
  }

  return {
    get ended() {
      return ended;
    },
    push(piece) {
      const done: TarPart[] = [];
      let from = 0;
      while (from < piece.length && !ended) {
        if (skip > 0) {
          const passed = Math.min(skip, piece.length - from);
          skip -= passed;
          from += passed;
          continue;
        }
        if (body === null) {
          const taken = Math.min(BLOCK - filled, piece.length - from);
          header.set(piece.subarray(from, from + taken), filled);
          filled += taken;
          from += taken;
          if (filled < BLOCK) break;
          filled = 0;
          begin();
        } else {
          const taken = Math.min(body.length - at, piece.length - from);
          body.set(piece.subarray(from, from + taken), at);
          at += taken;
          from += taken;
        }
        if (body !== null && at === body.length) {
          if (plain) done.push({ name, bytes: body });
          skip = tarPadding(body.length).length;
          body = null;
        }
      }
      return done;
    },
  };
}
