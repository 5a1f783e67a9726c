import { Fault } from '../../../lib/fault.ts';

/** Thousands of groups in an ID token are a tenth of it. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * `fetch` that has the whole answer, which is no longer than one can be: libraries read whatever comes until their time is
 * over, by when a provider without an end has filled the memory. Throws PROVIDER_INVALID.
 */
export async function boundedFetch(url: string, options: Readonly<object>): Promise<Response> {
  const answer = await fetch(url, options);
  if (answer.body === null) return answer;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // What is left when this throws is cancelled.
  for await (const part of answer.body) {
    size += part.byteLength;
    if (size > MOST_BYTES)
      throw new Fault('PROVIDER_INVALID', `the answer of ${new URL(url).origin} is longer than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  const { status, statusText, headers } = answer;
  return new Response(new Blob(parts), { status, statusText, headers });
}
