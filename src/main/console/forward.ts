import { FORWARDED_CONTENT_SECURITY_POLICY } from '../../lib/content-security-policy.ts';
import { isRedirect } from '../connections/read-response.ts';
import { isReadOnlyRequest } from '../connections/read-only.ts';
import { addressesOf, type Target } from '../connections/connections.ts';
import { problemResponse } from './problem.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Said by the page or its browser about itself: nothing of it is the master's business, and none of it may pass for the token. */
const NOT_FORWARDED = /^(cookie|authorization|origin|referer|host|connection|content-length|accept-encoding|sec-.*)$/;
/** What of a master's answer the page may see. Cookies, policies and what else steers a browser have no place here; the body arrives unpacked. */
const RETURNED =
  /^(content-(type|disposition|range|language)|accept-ranges|cache-control|etag|last-modified|date|vary|location|retry-after|allow|x-(?!content-|frame-|dns-|xss-).+)$/;
/** Whoever answers may be anybody: what comes is data, and never a page or a script, whatever type it says it has. */
const SHUT = { 'content-security-policy': FORWARDED_CONTENT_SECURITY_POLICY, 'x-content-type-options': 'nosniff' };

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
  if (
    target.readOnly === true &&
    !isReadOnlyRequest(request.method, pathname, () => (body ? Buffer.from(body).toString('utf8') : ''))
  )
    return problemResponse(
      403,
      'CONNECTION_READ_ONLY',
      'This connection is read-only',
      `${request.method} ${pathname} could change data, and this app treats ${shownAs(target)} as read-only: allow changes in Settings, Connections`,
    );
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
    if (isRedirect(error)) return redirected(target);
    return problemResponse(
      502,
      'MASTER_UNREACHABLE',
      'The master is not responding',
      `${shownAs(target)} does not respond (${error instanceof Error ? error.message : String(error)}): check that it runs and is reachable from this machine`,
    );
  }
  if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
    upstream.abort();
    return redirected(target);
  }
  const returned = new Headers(SHUT);
  for (const [name, value] of answer.headers) if (RETURNED.test(name)) returned.set(name, value);
  const empty = EMPTY.includes(answer.status);
  return new Response(answer.body === null || empty ? null : endingUpstream(answer.body, upstream), {
    status: answer.status,
    headers: returned,
  });
}

/** Answers of these have no body, whatever comes after their head. */
const EMPTY = [204, 205, 304];

const shownAs = (target: Target): string => target.shown ?? addressesOf(target).join(', ');

const redirected = (target: Target) =>
  problemResponse(
    502,
    'MASTER_REDIRECTS',
    'The master redirects',
    `${shownAs(target)} redirects, and this app does not follow redirects with a token: enter the URL of the master itself`,
  );

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
