import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Brings a file, or the names in a folder, to the disk: a new or renamed file outlives a power cut only with its folder. */
export function fsyncPath(path: string): void {
  let opened: number | null = null;
  try {
    opened = openSync(path, 'r');
    fsyncSync(opened);
  } catch {
    // A folder cannot be synced on every system.
  } finally {
    if (opened !== null) closeSync(opened);
  }
}
