import type { Readable } from 'node:stream';
import { TaskError } from '../task-error.ts';

/** The body as text, at most `limit` bytes of it after decompression: more is a failure that a retry does not mend. */
export async function readBody(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > limit)
      throw new TaskError('NON_RETRYABLE', `the response has more than the ${limit} bytes that an http node takes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
