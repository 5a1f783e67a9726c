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
import { endFrame, frameOf, readFrames, type Frames } from './frames.ts';

/** A segment is one batch on disk: a file of frames (`frames.ts`). */
export interface SegmentData {
  readonly ndjson: Buffer<ArrayBuffer>;
  readonly lines: number;
}

/** Reads what is whole. */
export const readSegment = (file: string): Frames => readFrames(readFileSync(file));

/** Makes a segment that a crash left without its end a complete one. */
export function completeSegment(file: string, { end, lines, lost }: Frames): void {
  const fd = openSync(file, 'r+');
  try {
    ftruncateSync(fd, end);
    writeSync(fd, endFrame(lines + (lost ?? 0)), 0, undefined, end);
  } finally {
    closeSync(fd);
  }
}

export interface SegmentWriter {
  readonly bytes: number;
  /** All of it or nothing: throws where the disk refuses, and the file is as before. */
  append(ndjson: Uint8Array, lines: number): void;
  /** Says in the file that it is complete. False where the disk refuses that: it is left as a crash leaves it. */
  close(): boolean;
}

/** @param durable every append reaches the disk itself before it returns */
export function writeSegment(file: string, durable: boolean): SegmentWriter {
  const fd = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC, 0o600);
  // Without its name in the folder a file is lost, whatever of it reached the disk.
  if (durable) syncFolder(dirname(file));
  let bytes = 0;
  let written = 0;
  return {
    get bytes() {
      return bytes;
    },
    append(ndjson, lines) {
      const frame = frameOf(ndjson, lines, written);
      try {
        for (let done = 0; done < frame.length;) done += writeSync(fd, frame, done, frame.length - done, bytes + done);
        if (durable) fdatasyncSync(fd);
      } catch (error) {
        ftruncateSync(fd, bytes);
        throw error;
      }
      bytes += frame.length;
      written += lines;
    },
    close() {
      const end = endFrame(written);
      try {
        return writeSync(fd, end, 0, end.length, bytes) === end.length;
      } catch {
        return false;
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Writes a whole segment at once; it is there entirely or not at all. */
export function putSegment(file: string, data: { ndjson: Uint8Array; lines: number }, durable: boolean): number {
  const frame = Buffer.concat([frameOf(data.ndjson, data.lines, 0), endFrame(data.lines)]);
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
