import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of the files in a folder and below it. */
export function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}

/** A file may go between the listing and the question. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
