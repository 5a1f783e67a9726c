import { type ApiClient, type ApiRequest, createApiClient } from '../../lib/api-client.ts';
import { createAnyMaster, isRepeatable, noOwnerWait } from '../../lib/any-master.ts';
import { ApiError } from '../../lib/api-error.ts';
import { t } from '../../lib/language.ts';

/** Answers a request for the API: `path` with its query. */
export type Source = (method: string, path: string) => Promise<Response>;
let source: Source | null = null;

/**
 * Has all requests for the API answered by something else than the master, until told otherwise: an incident bundle that
 * is open in this window. No request leaves it meanwhile. Null: by the master again.
 */
export function answerFrom(next: Source | null): void {
  source = next;
  for (const tell of watchers) tell();
}
/** True while an incident bundle answers: what is shown is over, and nothing can be followed. */
export const isRecorded = (): boolean => source !== null;

const watchers = new Set<() => void>();
/** Tells of each change of `isRecorded`; returns what ends it. */
export function watchRecorded(tell: () => void): () => void {
  watchers.add(tell);
  return () => void watchers.delete(tell);
}

/** Calls the own origin. Where no answer comes it throws `ApiError` OFFLINE of status 0, or AbortError. */
export const { call, callUnlessSame, open, bytes, answer }: ApiClient = createApiClient(send);

export async function send(request: ApiRequest): Promise<Response> {
  const { method, path, signal } = request;
  if (source !== null && path.startsWith('/api/')) return source(method, path);
  try {
    return await here.send({
      repeatable: isRepeatable(method, new Headers(request.headers)),
      signal,
      attempt: (_, ended) => toOrigin(request, ended),
      waitOf: noOwnerWait,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(
      `${method} ${path}`,
      0,
      {
        code: 'OFFLINE',
        title: t('The master is not responding'),
        detail: t('The master may be stopped or restarting, or the network is down.'),
      },
      null,
    );
  }
}

/** The own origin, which is all that a page knows of the masters; while none of them owns the state, reads wait for a while. */
const here = createAnyMaster([''], { isAlive: async () => true });
const toOrigin = ({ method, path, headers, body }: ApiRequest, signal: AbortSignal) =>
  fetch(path, { method, headers, credentials: 'same-origin', ...(body === undefined ? {} : { body }), signal });

/** True where what stands between console and master had none to hand the request to: so it is for a moment while one takes over. */
export const isGatewayError = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'UNKNOWN' && [502, 503, 504].includes(error.status);

/** True where signing in (again) would help; a wrong API key of an event call is not such a case. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.code.startsWith('TOKEN_');
