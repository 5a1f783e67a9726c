import { ADDRESSES } from '../contract/addresses.ts';
import type { Answer, Body, Params, Query, RouteName } from '../contract/routes.ts';
import { ApiError, errorFrom } from './api-error.ts';
import { parseJson } from './json.ts';
import { t } from './language.ts';

/** One request as a transport carries it: `path` holds the query. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}
/** Sends a request to the master, whatever comes back. Throws only where no answer came. */
export type Transport = (request: ApiRequest) => Promise<Response>;

/** A value as a caller may give it: lists may be constant, and what is optional may be undefined. */
export type Accepted<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? readonly Accepted<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Accepted<T[K]> | (object extends Pick<T, K> ? undefined : never) }
      : T;
type Unchanging<T> = T extends readonly (infer E)[] ? readonly E[] : T;
/** A value in the query: absent, null and empty ones are left out, lists are repeated, numbers may be text already. */
type GivenQuery<Q> = {
  readonly [K in keyof Q]:
    | Unchanging<Q[K]>
    | (number extends Q[K] ? string : never)
    | (object extends Pick<Q, K> ? null | undefined : never);
};
type Needed<K extends string, T> = object extends T ? { readonly [P in K]?: T | undefined } : { readonly [P in K]: T };
type ParamsPart<N extends RouteName> = Params<N> extends undefined ? unknown : { readonly params: Params<N> };
type QueryPart<N extends RouteName> = Query<N> extends undefined ? unknown : Needed<'query', GivenQuery<Query<N>>>;
type BodyPart<N extends RouteName> =
  // `json`: the body as JSON already, for values that have to reach the master to the letter.
  Body<N> extends undefined ? unknown : Needed<'body', Accepted<Body<N>>> | { readonly json: string };

/** What stands in the address of a call. */
export type AddressInput<N extends RouteName> = ParamsPart<N> & QueryPart<N>;
export type Input<N extends RouteName> = AddressInput<N> &
  BodyPart<N> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal | undefined;
    /** Keep numbers that a double cannot hold (payloads of people): see `lib/json`. */
    readonly lossless?: boolean;
  };
/** The place as an argument, left out where nothing of it is needed. */
export type AddressArgument<N extends RouteName> = OneInput<AddressInput<N>>;
type OneInput<T> = object extends T ? [input?: T] : [input: T];

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

/** Query parameters as text with its `?`, or nothing. */
export function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** The path of a route with its query: for links, downloads and event sources. */
export const pathTo = pathWith as <N extends RouteName>(name: N, ...place: AddressArgument<N>) => string;

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly lossless?: boolean;
}

/** The same for a place that no type tells of, such as one that was typed in. */
export function pathWith(name: RouteName, { params = {}, query = {} }: AnyInput = {}): string {
  const path = ADDRESSES[name][1].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  return path + queryText(query);
}

/** Carries requests by `fetch` to the master at an address. */
export const fetchTransport =
  ({ url, token }: { url: string; token: string | null }, fetch: typeof globalThis.fetch): Transport =>
  ({ method, path, headers, body, signal }) =>
    fetch(url + path, {
      method,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });

export type ApiCall = <N extends RouteName>(name: N, ...input: OneInput<Input<N>>) => Promise<Answer<N>>;

export interface ApiClient {
  /** The JSON of the answer; undefined where it has none. Throws `ApiError` where it is no success. */
  readonly call: ApiCall;
  /**
   * The same for what is read again and again: with the tag of an earlier answer, null where the answer would be the same.
   * `tag`: of this answer; null where the master gives none.
   */
  readonly callUnlessSame: <N extends RouteName>(
    tag: string | null,
    name: N,
    ...input: OneInput<Input<N>>
  ) => Promise<{ readonly value: Answer<N>; readonly tag: string | null } | null>;
  /** Whatever the master answers, also where that is no success. */
  answer<N extends RouteName>(name: N, ...input: OneInput<Input<N>>): Promise<Response>;
  /** The answer as it came, for downloads, streams and payloads. Throws `ApiError` where it is no success. */
  open<N extends RouteName>(name: N, ...input: OneInput<Input<N>>): Promise<Response>;
  /** The bytes of the answer: for payloads, which are shown to the letter and may be too large to read at once. */
  bytes<N extends RouteName>(name: N, ...input: OneInput<Input<N>>): Promise<ArrayBuffer>;
}

export interface ApiClientOptions {
  /** What calls do that do not say. */
  readonly lossless?: boolean;
  /** What is thrown of an answer that is no success. */
  refused?(error: ApiError): Error;
}

/** Calls routes of the contract over `send`. */
export function createApiClient(
  send: Transport,
  { lossless = false, refused = (error) => error }: ApiClientOptions = {},
): ApiClient {
  const titleOf = (name: RouteName, input?: AnyInput) => `${ADDRESSES[name][0]} ${pathWith(name, input)}`;
  function answer(name: RouteName, input: AnyInput = {}): Promise<Response> {
    const body = input.json ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    return send({
      method: ADDRESSES[name][0],
      path: pathWith(name, input),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...input.headers,
      },
      body,
      signal: input.signal,
    });
  }
  async function open(name: RouteName, input?: AnyInput): Promise<Response> {
    const response = await answer(name, input);
    if (!response.ok) throw refused(await errorFrom(titleOf(name, input), response));
    return response;
  }
  async function valueOf(name: RouteName, input: AnyInput, response: Response): Promise<unknown> {
    const text = await response.text();
    if (text === '') return undefined;
    try {
      return (input.lossless ?? lossless) ? parseJson(text) : JSON.parse(text);
    } catch {
      throw new ApiError(
        titleOf(name, input),
        response.status,
        {
          title: t('The response is not JSON'),
          detail: t('The URL does not point to the API: is there a proxy or another program in between?'),
        },
        response.headers.get('x-request-id'),
      );
    }
  }
  const client = {
    answer,
    open,
    bytes: async (name: RouteName, input?: AnyInput) => (await open(name, input)).arrayBuffer(),
    call: async (name: RouteName, input: AnyInput = {}) => valueOf(name, input, await open(name, input)),
    async callUnlessSame(tag: string | null, name: RouteName, input: AnyInput = {}) {
      const known = tag === null ? {} : { 'if-none-match': tag };
      const response = await answer(name, { ...input, headers: { ...input.headers, ...known } });
      if (tag !== null && response.status === 304) return null;
      if (!response.ok) throw refused(await errorFrom(titleOf(name, input), response));
      return { value: await valueOf(name, input, response), tag: response.headers.get('etag') };
    },
  };
  // The table says what each route takes and answers; behind it one function serves them all.
  return client as ApiClient;
}
