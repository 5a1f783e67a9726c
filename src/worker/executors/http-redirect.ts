import { TaskExecutionError } from '../task-execution-error.ts';
import type { HttpClient, HttpResponse, HttpRequest } from './http-client.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What must not follow to another origin. */
const OWN_HEADERS = ['authorization', 'cookie', 'host', 'proxy-authorization'];

export interface RedirectOptions {
  /** Redirects that are followed at most. */
  most: number;
  signal: AbortSignal;
  /** True for the value of a header that holds a secret: it does not follow to another origin either. */
  holdsSecret(value: string): boolean;
}

/** Sends the request and follows redirects; each address on the way is checked as the first one is. */
export async function sendFollowingRedirects(
  client: HttpClient,
  first: URL,
  given: HttpRequest,
  { most, signal, holdsSecret }: RedirectOptions,
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
    const next = redirectTarget(location, url);
    sent = redirectedRequest(sent, answer.status, next.origin === url.origin, holdsSecret);
    url = next;
  }
}

function redirectTarget(location: string, from: URL): URL {
  const next = URL.parse(location, from.href);
  if (next === null)
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `${from.origin}${from.pathname} redirects to ${JSON.stringify(location.slice(0, 200))}, which is not a valid URL`,
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

/** As browsers do: 303 asks with GET, and so do 301 and 302 after a POST. */
function redirectedRequest(
  { method, headers, body }: HttpRequest,
  status: number,
  sameOrigin: boolean,
  holdsSecret: (value: string) => boolean,
): HttpRequest {
  const toGet = (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST');
  const kept = new Headers(headers);
  if (toGet)
    for (const name of ['content-encoding', 'content-language', 'content-location', 'content-type']) kept.delete(name);
  if (!sameOrigin)
    for (const [name, value] of headers) if (OWN_HEADERS.includes(name) || holdsSecret(value)) kept.delete(name);
  return toGet || body === undefined
    ? { method: toGet ? 'GET' : method, headers: kept }
    : { method, headers: kept, body };
}
