import type { IncomingMessage } from 'node:http';
import type { LocalFile } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { defaultDataFolder } from '../lib/folders.ts';
import { parseJson } from '../lib/json.ts';
import { readLocalFile } from '../lib/local-file.ts';
import type { ProcessIo } from './process-io.ts';
import { asResponse, requestWithoutTimeout } from './long-request.ts';

export interface ConnectionFlags {
  url?: string;
  token?: string;
  data?: string;
}

export type QueryValue = string | number | boolean | undefined | readonly string[];

export interface Call {
  query?: Record<string, QueryValue>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The REST API of one master. A problem document becomes a `Fault` that carries it; numbers keep their digits (lib/json). */
export interface ApiClient {
  readonly url: string;
  call<T>(method: string, path: string, call?: Call): Promise<T>;
  /** The raw answer, where it is no problem. `body` is sent as it is where it is a text. */
  request(method: string, path: string, call?: Call): Promise<Response>;
  /** A long answer that may take long to begin, where it is no problem. */
  download(method: string, path: string): Promise<IncomingMessage>;
}

/** The master to talk to: `--url` and `--token`, the environment, or the file that a local master leaves in its data folder. */
export function connectToMaster(flags: ConnectionFlags, io: Pick<ProcessIo, 'env'>): ApiClient {
  const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
  const url = flags.url ?? local?.url;
  if (url === undefined)
    throw new Fault(
      'MASTER_NOT_FOUND',
      `no master is running with the data folder ${resolveDataFolder(flags.data, io)}: start one with \`yardmaster master\`, or specify one with --url and --token`,
    );
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Fault('USAGE', `--url must be an http or https URL such as http://127.0.0.1:8700; it is "${url}"`);
  return createApiClient(url.replace(/\/+$/, ''), flags.token ?? local?.token ?? null);
}

export const findLocalMaster = (data: string | undefined, io: Pick<ProcessIo, 'env'>): LocalFile | null =>
  readLocalFile(resolveDataFolder(data, io));

export const resolveDataFolder = (data: string | undefined, io: Pick<ProcessIo, 'env'>): string =>
  data ?? defaultDataFolder(io.env as NodeJS.ProcessEnv);

function createApiClient(url: string, token: string | null): ApiClient {
  async function request(
    method: string,
    path: string,
    { query = {}, body, headers = {}, signal }: Call = {},
  ): Promise<Response> {
    const target = `${url}${path}${queryText(query)}`;
    const answer = await fetch(target, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw unreachable(url, error);
    });
    if (!answer.ok) throw await problemFault(answer);
    return answer;
  }
  return {
    url,
    request,
    async download(method, path) {
      const answer = await requestWithoutTimeout(
        method,
        `${url}${path}`,
        token === null ? {} : { authorization: `Bearer ${token}` },
      ).catch((error: unknown) => {
        throw unreachable(url, { cause: error });
      });
      if (answer.statusCode !== 200) throw await problemFault(await asResponse(answer), url);
      return answer;
    },
    async call<T>(method: string, path: string, call?: Call): Promise<T> {
      const text = await (await request(method, path, call)).text();
      return (text === '' ? null : parseJson(text)) as T;
    },
  };
}

/** Values that are lists repeat their key; absent ones are left out. */
export function queryText(query: Record<string, QueryValue>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) search.append(key, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function unreachable(url: string, error: unknown): Fault {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const why = cause?.code ?? cause?.message ?? (error as Error).message;
  return new Fault(
    'MASTER_UNREACHABLE',
    `no response from ${url} (${why}): is the master running, and is the URL correct?`,
    { cause: error },
  );
}

async function problemFault(answer: Response, url = answer.url): Promise<Fault> {
  const text = await answer.text();
  try {
    const { detail, code, errors, ...rest } = JSON.parse(text) as {
      detail: string;
      code: string;
      errors?: { pointer: string; message: string }[];
      [member: string]: unknown;
    };
    if (typeof code === 'string') return new Fault(code, detail, { extra: rest, ...(errors ? { errors } : {}) });
  } catch {
    // Not the master's own answer: a proxy, or another server.
  }
  return new Fault(
    'MASTER_UNREACHABLE',
    `${url} responded with ${answer.status} and no problem document: is it a Yardmaster master?`,
  );
}
