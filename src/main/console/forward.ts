import { onlyReads } from '../connections/read-only.ts';
import type { Target } from '../connections/store.ts';
import { problem } from './answer.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Said by the page or its browser about itself: nothing of it is the master's business, and none of it may pass for the token. */
const NOT_FORWARDED = /^(cookie|authorization|origin|referer|host|connection|content-length|accept-encoding|sec-.*)$/;
/** The body arrives here unpacked; cookies of a master have no place in the desktop app. */
const NOT_RETURNED = /^(set-cookie|content-encoding|content-length|transfer-encoding|connection|keep-alive)$/;

/**
 * Hands a request of the console to the master, with the token added. The answer streams; where the page stops reading
 * (a closed EventSource, a reload) the request to the master ends at once.
 */
export async function forward(request: Request, target: Target, fetch: Fetch): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  for (const [name, value] of request.headers) if (!NOT_FORWARDED.test(name)) headers.set(name, value);
  headers.set('authorization', `Bearer ${target.token}`);
  const upstream = new AbortController();
  const body = request.method === 'GET' || request.method === 'HEAD' ? null : await request.arrayBuffer();
  // The shell has the last word, whatever the page shows: a slip, or a page that was taken over, changes nothing here.
  if (target.readOnly === true && !onlyReads(request.method, pathname, () => (body ? Buffer.from(body).toString('utf8') : '')))
    return problem(403, 'CONNECTION_READ_ONLY', 'This connection is read-only', `${request.method} ${pathname} may change something, and this app keeps ${target.url} read-only: allow changes in Settings, Connections`);
  let answer: Response;
  try {
    answer = await fetch(`${target.url}${pathname}${search}`, {
      method: request.method,
      headers,
      body: body && body.byteLength > 0 ? body : null,
      signal: upstream.signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    });
  } catch (error) {
    return problem(502, 'MASTER_UNREACHABLE', 'The master does not answer', `${target.url} does not answer (${error instanceof Error ? error.message : String(error)}): see whether it runs and this machine reaches it`);
  }
  const returned = new Headers();
  for (const [name, value] of answer.headers) if (!NOT_RETURNED.test(name)) returned.set(name, value);
  const empty = answer.status === 204 || answer.status === 304;
  return new Response(answer.body === null || empty ? null : endingUpstream(answer.body, upstream), { status: answer.status, statusText: answer.statusText, headers: returned });
}

/** Handed through as it is, a stream that the page cancels leaves the upstream request open: this one aborts it. */
function endingUpstream(source: ReadableStream<Uint8Array>, upstream: AbortController): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel(reason) {
      upstream.abort(reason);
    },
  });
}
