import { Readable } from 'node:stream';
import { type IncomingMessage, net, type Session } from 'electron';
import { errorMessage } from '../../lib/errors.ts';

/** Statuses whose answers have no body. */
const EMPTY = [101, 204, 205, 304];

/**
 * `fetch` by Chromium's stack, for masters that may be anybody: without cookies, cache and redirects. Unlike Electron's own, an
 * answer that no `Response` can be made of (a status of 999, bytes in its head that are no characters) rejects here, where it
 * would be an uncaught error there and a request that never ends. `init.body` is whole: text or bytes.
 */
export function fetchInSession(
  session: Session,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = net.request({ session, method, url, credentials: 'omit', cache: 'no-store', redirect: 'manual' });
    const abort = () => {
      request.abort();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const done = () => signal?.removeEventListener('abort', abort);
    try {
      for (const [name, value] of new Headers(headers)) request.setHeader(name, value);
    } catch (error) {
      return reject(error);
    }
    request.on('response', (answer) => {
      try {
        resolve(responseOf(answer, method));
        streamOf(answer).once('close', () => {
          done();
          // Who reads no further wants no more of it.
          request.abort();
        });
      } catch (error) {
        done();
        request.abort();
        reject(new Error(`its response is not valid HTTP (${errorMessage(error)})`, { cause: error }));
      }
    });
    request.on('error', (error) => {
      done();
      reject(error);
    });
    if (body === null || body === undefined) request.end();
    // Whole: text or bytes, as the docstring asks.
    else request.end(typeof body === 'string' ? body : Buffer.from(body as ArrayBuffer));
  });
}

function responseOf(answer: IncomingMessage, method: string): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const empty = method === 'HEAD' || EMPTY.includes(answer.statusCode);
  const body = empty ? null : Readable.toWeb(streamOf(answer));
  return new Response(body, { status: answer.statusCode, headers });
}

/** Electron's type lacks that an answer is a stream. */
const streamOf = (answer: IncomingMessage): Readable => answer as unknown as Readable;
