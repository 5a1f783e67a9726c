import type { Problem } from '../../contract/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { t } from '../../lib/language.ts';

/** A request that did not succeed. `status` 0: no answer came (`code` OFFLINE, or ABORTED). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly { pointer: string; message: string }[];
  readonly requestId: string | null;
  /** `METHOD /path` of what was asked. */
  readonly request: string;
  /** All members of the problem document, for those that a code adds (`head`, `current`, `position`, …). */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(request: string, status: number, problem: Partial<Problem>, requestId: string | null) {
    super(problem.detail ?? problem.title ?? t('The master responded with {status}', { status }));
    this.request = request;
    this.status = status;
    this.code = problem.code ?? 'UNKNOWN';
    this.title = problem.title ?? t('The request failed');
    this.detail = problem.detail ?? '';
    this.errors = problem.errors ?? [];
    this.requestId = requestId;
    this.problem = problem;
  }
}

export type QueryValue = string | number | boolean | null | undefined | readonly string[];
/** Query parameters; absent, null and empty ones are left out, lists are repeated. */
export type Query = Readonly<Record<string, QueryValue>>;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Keep numbers that a double cannot hold (payloads of people): see `lib/json`. */
  lossless?: boolean;
}

/** The address with its query. */
export function urlOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(key, String(one));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Answers a request for the API: `url` with its query. */
export type Source = (method: string, url: string) => Promise<Response>;
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

/** One call to the own origin, whatever it answers. Throws `ApiError` only where no answer came. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', query, body, headers = {}, signal } = options;
  const init: RequestInit = { method, headers: { accept: 'application/json', ...headers }, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json', ...init.headers };
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  if (source !== null && path.startsWith('/api/')) return source(method, urlOf(path, query));
  try {
    return await fetch(urlOf(path, query), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(
      `${method} ${path}`,
      0,
      {
        code: 'OFFLINE' as Problem['code'],
        title: t('The master is not responding'),
        detail: t('The master may be stopped or restarting, or the network is down.'),
      },
      null,
    );
  }
}

/**
 * One call to the own origin, answered by its JSON body (undefined where there is none).
 * Throws `ApiError`: an answer that is no success, no answer, or a body that is no JSON.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const name = `${options.method ?? 'GET'} ${path}`;
  const response = await send(path, options);
  const requestId = response.headers.get('x-request-id');
  const text = await response.text();
  if (!response.ok) throw new ApiError(name, response.status, problemOf(text, response), requestId);
  if (text === '') return undefined as T;
  try {
    return (options.lossless ? parseJson(text) : JSON.parse(text)) as T;
  } catch {
    throw new ApiError(
      name,
      response.status,
      {
        title: t('The response is not JSON'),
        detail: t('The URL does not point to the API: is there a proxy or another program in between?'),
      },
      requestId,
    );
  }
}

/** The body of an answer as it came: for payloads, which are shown to the letter and may be too large to read at once. */
export async function requestBytes(path: string, options: RequestOptions = {}): Promise<ArrayBuffer> {
  const response = await send(path, options);
  if (response.ok) return response.arrayBuffer();
  throw await failureOf(`${options.method ?? 'GET'} ${path}`, response);
}

/** What an answer that is no success says. `name`: the call, for people. */
export const failureOf = async (name: string, response: Response): Promise<ApiError> =>
  new ApiError(name, response.status, problemOf(await response.text(), response), response.headers.get('x-request-id'));

function problemOf(text: string, response: Response): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object') return value as Partial<Problem>;
  } catch {
    // Not a problem document: a proxy's page, say. The status is all there is to tell.
  }
  return {
    title: `${response.status} ${response.statusText}`.trim(),
    detail: t('The response is not a problem document: a proxy between the console and the master may have sent it.'),
  };
}

/** True where signing in (again) would help; a wrong API key of an event call is not such a case. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.code.startsWith('TOKEN_');
