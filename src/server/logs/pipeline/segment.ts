import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * A segment is one batch on disk: a file of frames, each `length | lines | CRC-32 | bytes` (little-endian, 4 bytes each),
 * whose bytes are JSON lines. A frame that a crash left unfinished, and all behind it, is not read.
 */
const HEADER = 12;

export interface SegmentData {
  readonly ndjson: Buffer<ArrayBuffer>;
  readonly lines: number;
}

/** Reads what is whole. `damaged`: bytes at the end that are not. */
export function readSegment(file: string): SegmentData & { damaged: number } {
  const data = readFileSync(file);
  const pieces: Buffer[] = [];
  let lines = 0;
  let at = 0;
  while (at + HEADER <= data.length) {
    const length = data.readUInt32LE(at);
    const bytes = data.subarray(at + HEADER, at + HEADER + length);
    if (bytes.length < length || crc32(bytes) !== data.readUInt32LE(at + 8)) break;
    pieces.push(bytes);
    lines += data.readUInt32LE(at + 4);
    at += HEADER + length;
  }
  return { ndjson: Buffer.concat(pieces), lines, damaged: data.length - at };
}

export interface SegmentWriter {
  readonly bytes: number;
  /** All of it or nothing: throws where the disk refuses, and the file is as before. */
  append(ndjson: Uint8Array, lines: number): void;
  close(): void;
}

/** @param durable every append reaches the disk itself before it returns */
export function writeSegment(file: string, durable: boolean): SegmentWriter {
  const fd = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC, 0o600);
  // Without its name in the folder a file is lost, whatever of it reached the disk.
  if (durable) syncFolder(dirname(file));
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    append(ndjson, lines) {
      const frame = frameOf(ndjson, lines);
      try {
        for (let done = 0; done < frame.length;) done += writeSync(fd, frame, done, frame.length - done, bytes + done);
        if (durable) fdatasyncSync(fd);
      } catch (error) {
        ftruncateSync(fd, bytes);
        throw error;
      }
      bytes += frame.length;
    },
    close: () => closeSync(fd),
  };
}

/** Writes a whole segment at once; it is there entirely or not at all. */
export function putSegment(file: string, data: { ndjson: Uint8Array; lines: number }, durable: boolean): number {
  const frame = frameOf(data.ndjson, data.lines);
  try {
    writeFileSync(`${file}.tmp`, frame, { mode: 0o600, flush: durable });
    renameSync(`${file}.tmp`, file);
  } catch (error) {
    rmSync(`${file}.tmp`, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(file));
  return frame.length;
}

export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export const removeSegment = (file: string): void => rmSync(file, { force: true });

function frameOf(ndjson: Uint8Array, lines: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + ndjson.length);
  frame.writeUInt32LE(ndjson.length, 0);
  frame.writeUInt32LE(lines, 4);
  frame.writeUInt32LE(crc32(ndjson), 8);
  frame.set(ndjson, HEADER);
  return frame;
}
