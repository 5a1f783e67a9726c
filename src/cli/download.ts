import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../lib/errors.ts';
import { Fault } from '../lib/fault.ts';
import type { Session } from './api-command.ts';

/** Writes a download; answers its bytes. The file is there whole or as it was before. */
export async function saveDownload(body: Readable, file: string): Promise<number> {
  const part = `${file}.${randomUUID()}.part`;
  // Made anew: neither a file nor a link that lies there is written through.
  const target = createWriteStream(part, { flags: 'wx' });
  try {
    await pipeline(body, target);
    await rename(part, file);
    return target.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw new Fault('EXPORT_FAILED', `${file} was not written: ${errorMessage(error)}`, { cause: error });
  }
}

/** The body of an answer to the file that `output` names, or to standard output as it comes. */
export async function writeDownload(
  { io, show }: Session,
  { body }: Response,
  format: string,
  output: string | undefined,
): Promise<void> {
  // The stream of `fetch` is Node's own, which its two types do not say.
  const download = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  if (output === undefined) {
    // A stream of bytes.
    for await (const chunk of download) await io.write(chunk as Uint8Array);
    return;
  }
  const bytes = await saveDownload(download, output);
  show({ file: output, format, bytes }, () => [`${bytes} bytes written to ${output}`]);
}
