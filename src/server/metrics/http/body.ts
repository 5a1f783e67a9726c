import type { HeldBytes } from './port.ts';
import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../../../lib/errors.ts';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { joinBytes } from '../../../lib/join-bytes.ts';
import { invalid, Refusal } from './answer.ts';

/**
 * Reads a body of at most `most` bytes, counted after it was unpacked, so that no small body can become a huge one.
 * `done` gives its bytes back.
 */
export async function readBody(
  request: IncomingMessage,
  most: number,
  held: HeldBytes,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; done(): void }> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'gzip' && encoding !== 'identity' && encoding !== '')
    throw invalid(`unsupported Content-Encoding ${JSON.stringify(encoding.slice(0, 50))}: expected gzip or identity`);
  const tooLarge = () =>
    new Refusal(
      413,
      'request too large',
      `unable to read data: points batch is too large: the body has more than ${most} bytes after decompression`,
    );
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  // Not a pipeline: where the body is refused, the socket must live on for the answer.
  const gunzip = encoding === 'gzip' ? createGunzip({ chunkSize: 64 * 1024 }) : null;
  if (gunzip)
    request
      .on('error', (error) => gunzip.destroy(error))
      .on('close', () => request.complete || gunzip.destroy(new Error('the compressed data ends too early')))
      .pipe(gunzip);
  const source: Readable = gunzip ?? request;
  const chunks: Buffer[] = [];
  let length = 0;
  let open = true;
  const done = () => {
    if (open) held.bytes -= length;
    open = false;
  };
  try {
    // Without an encoding it gives buffers.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      held.bytes += chunk.length;
      if (length > most) throw tooLarge();
      if (held.bytes > held.most())
        throw new Refusal(503, 'unavailable', 'too many bodies are being read: try again later', 1);
      chunks.push(chunk);
    }
    return { bytes: await joinBytes(chunks, Buffer.allocUnsafeSlow(length)), done };
  } catch (error) {
    done();
    if (gunzip) request.unpipe(gunzip);
    gunzip?.destroy();
    if (error instanceof Refusal) throw error;
    throw invalid(`unable to read the body (Content-Encoding ${encoding}): ${errorMessage(error)}`);
  }
}
