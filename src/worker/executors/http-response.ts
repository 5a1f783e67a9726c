import type { Readable } from 'node:stream';
import { TaskError } from '../failure.ts';

/** The body as text, at most `limit` bytes of it after decompression: more is a failure that a retry does not mend. */
export async function readBody(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new TaskError('NON_RETRYABLE', `the response has more than the ${limit} bytes that an http node takes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Seconds from a `Retry-After` header: a number of seconds, or an HTTP date. Undefined where it is neither or past. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
