import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { parseStored } from './json.ts';

/**
 * A few numbers beside a file that say what it holds at the least: written behind each commit, so that whoever opens a file
 * that holds less, or is gone, knows that something was lost, and how much. They are not forced to the disk: after a power
 * failure they may be older than the file, never newer than what was told.
 */
export interface MarkFile<T> {
  /** As it was when this was opened. Null: there was none; 'damaged': it could not be read. */
  readonly before: T | 'damaged' | null;
  /** What a disk refuses is left: the mark says less than there is. */
  write(value: T): void;
  close(): void;
}

/** The mark of a file has its name and this. */
export const MARK = '-mark';
/** All of it in one write: a kill leaves the old text or the new one. */
const LENGTH = 256;

export function openMarkFile<T extends Readonly<Record<string, number>>>(file: string): MarkFile<T> {
  const before = readMark<T>(file);
  let fd: number | null = null;
  return {
    before,
    write(value) {
      const json = JSON.stringify(value);
      try {
        fd ??= openSync(file, constants.O_CREAT | constants.O_WRONLY, 0o600);
        writeSync(fd, `${sumOf(json)} ${json}`.padEnd(LENGTH - 1).concat('\n'), 0);
      } catch {
        // Said above.
      }
    },
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

export function readMark<T>(file: string): T | 'damaged' | null {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch {
    return null;
  }
  const json = text.slice(9).trimEnd();
  if (text.length !== LENGTH || text.slice(0, 9) !== `${sumOf(json)} `) return 'damaged';
  return parseStored<T>(json);
}

const sumOf = (json: string): string => crc32(json).toString(16).padStart(8, '0');
