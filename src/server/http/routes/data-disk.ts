import { statfs } from 'node:fs/promises';
import type { Settings } from '../../../contract/settings.ts';

/** Bytes of the file system of a folder: free for this process, and all that are usable; undefined where it does not tell. */
export async function dataDisk(folder: string): Promise<Settings['disk']> {
  try {
    const { blocks, bavail, bfree, bsize } = await statfs(folder);
    // As `df` counts: what only the superuser may use is neither used nor free.
    const usable = blocks - bfree + bavail;
    return usable > 0 ? { freeBytes: bavail * bsize, totalBytes: usable * bsize } : undefined;
  } catch {
    return undefined;
  }
}
