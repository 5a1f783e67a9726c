import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openPageSums } from './page-sums.ts';
import { pageBytesOf } from './wal.ts';

/**
 * Puts pages right that differ from what was written by one bit. A CRC-32 tells every such bit from every other, and from
 * what one or two flipped bits elsewhere in the page would come to. Returns the pages that are left.
 */
export function repairPages(file: string, pages: readonly number[]): number[] {
  if (pages.length === 0) return [];
  const pageBytes = pageBytesOf(file);
  const sums = openPageSums(file, pageBytes);
  const fd = openSync(file, 'r+');
  try {
    return pages.filter((page) => {
      const sum = sums.sumOf(page);
      const bytes = Buffer.alloc(pageBytes);
      if (sum === null || readSync(fd, bytes, 0, pageBytes, (page - 1) * pageBytes) < pageBytes) return true;
      const at = flippedByte(bytes, sum);
      if (at === null) return true;
      writeSync(fd, bytes, at, 1, (page - 1) * pageBytes + at);
      fsyncSync(fd);
      return false;
    });
  } finally {
    closeSync(fd);
    sums.close();
  }
}

/** Flips the one bit with which the bytes come to their sum, and says in which byte it is; null: there is none. */
function flippedByte(bytes: Buffer, sum: number): number | null {
  for (const [at, byte] of bytes.entries()) {
    for (let bit = 0; bit < 8; bit++) {
      bytes[at] = byte ^ (1 << bit);
      if (crc32(bytes) === sum) return at;
    }
    bytes[at] = byte;
  }
  return null;
}
