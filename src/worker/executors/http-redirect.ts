import { TaskExecutionError } from '../task-execution-error.ts';
import type { HttpClient, HttpResponse, HttpRequest } from './http-client.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Names of headers that must not follow to another origin, whatever they hold. */
const CREDENTIAL = /^host$|auth|cookie|token|secret|password|session|signature|credential|api[-_]?key|access[-_]?key/i;
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type'];

export interface RedirectOptions {
  /** Redirects that are followed at most. */
  most: number;
  signal: AbortSignal;
  /** A text without the values of secrets: a header that holds one does not follow to another origin. */
  shown(text: string): string;
}

/** Sends the request and follows redirects; each address on the way is checked as the first one is. */
export async function sendFollowingRedirects(
  client: HttpClient,
  first: URL,
  given: HttpRequest,
  { most, signal, shown }: RedirectOptions,
): Promise<HttpResponse> {
  let url = first;
  let sent = given;
  for (let hops = 0; ; hops++) {
    const answer = await client.send(url, sent, signal);
    const location = REDIRECTS.has(answer.status) ? answer.headers['location'] : undefined;
    if (location === undefined) return answer;
    answer.body.on('error', () => {}).destroy();
    if (hops >= most)
      throw new TaskExecutionError(
        'NON_RETRYABLE',
        `${first.origin}${first.pathname} redirects more than ${most} times: redirect count exceeded`,
      );
    const next = redirectTarget(location, url, shown);
    sent = redirectedRequest(sent, answer.status, next.origin === url.origin, shown);
    url = next;
  }
}

function redirectTarget(location: string, from: URL, shown: RedirectOptions['shown']): URL {
  const next = URL.parse(location, from.href);
  if (next === null)
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `${from.origin}${from.pathname} redirects to ${JSON.stringify(shown(location).slice(0, 200))}, which is not a valid URL`,
    );
  if (next.protocol !== 'http:' && next.protocol !== 'https:')
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `${from.origin}${from.pathname} redirects to a ${next.protocol} URL; http nodes follow only http and https redirects`,
    );
  next.username = next.password = '';
  if (next.hash === '') next.hash = from.hash;
  return next;
}

/**
 * As browsers do: 303 asks with GET, and so do 301 and 302 after a POST. To another origin goes nothing that was meant for the
 * first: no body, whatever the status, and no header that proves who calls.
 */
function redirectedRequest(
  { method, headers, body }: HttpRequest,
  status: number,
  sameOrigin: boolean,
  shown: RedirectOptions['shown'],
): HttpRequest {
  const toGet = (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST');
  const kept = new Headers(headers);
  const withBody = body !== undefined && !toGet && sameOrigin;
  if (!withBody) for (const name of OF_BODY) kept.delete(name);
  if (!sameOrigin)
    for (const [name, value] of headers) if (CREDENTIAL.test(name) || shown(value) !== value) kept.delete(name);
  return { method: toGet ? 'GET' : method, headers: kept, ...(withBody ? { body } : {}) };
}
