import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../lib/fault.ts';

/** Writes a download; answers its bytes. The file is there whole or as it was before. */
export async function save(body: Readable, file: string): Promise<number> {
  const part = `${file}.part`;
  const target = createWriteStream(part);
  try {
    await pipeline(body, target);
    await rename(part, file);
    return target.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw new Fault('EXPORT_FAILED', `${file} was not written: ${(error as Error).message}`, { cause: error });
  }
}
