import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { OtlpTarget } from '../../contract/process.ts';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** What `Retry-After` asks for; 0: nothing. */
  readonly retryAfterMs: number;
}

const compress = promisify(gzip);
/** Of an answer: more is not read. */
const ANSWER_BYTES = 64 * 1024;

/** Posts to one address over connections that are kept. Redirects are not followed. Rejects where there is no whole answer in time. */
export function createPost({ url, headers, tls, timeoutMs, compression }: OtlpTarget, contentType: string) {
  const isHttps = url.startsWith('https:');
  const agent = isHttps
    ? new HttpsAgent({
        keepAlive: true,
        maxSockets: 1,
        ...(tls.caFile === null ? {} : { ca: readFileSync(tls.caFile) }),
        ...(tls.client === null
          ? {}
          : { cert: readFileSync(tls.client.certFile), key: readFileSync(tls.client.keyFile) }),
      })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 });

  return {
    async post(body: Buffer): Promise<Answer> {
      const sent = compression ? await compress(body, { level: 1 }) : body;
      const signal = AbortSignal.timeout(timeoutMs);
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const request = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent,
        signal,
        headers: {
          ...headers,
          'content-type': contentType,
          'content-length': sent.length,
          ...(compression ? { 'content-encoding': 'gzip' } : {}),
        },
      });
      request.on('response', resolve);
      request.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error));
      request.end(sent);
      const response = await promise;
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > ANSWER_BYTES) break;
        chunks.push(chunk);
      }
      return {
        status: response.statusCode ?? 0,
        body: Buffer.concat(chunks),
        retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()),
      };
    },
    close: () => agent.destroy(),
  };
}

/** Seconds or a date, as milliseconds from now; 0: nothing that can be read. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
