import type { IncomingMessage } from 'node:http';
import { errorMessage, errorCode } from '../lib/errors.ts';
import { ADDRESSES } from '../contract/addresses.ts';
import type { LocalFile } from '../contract/process.ts';
import type { RouteName } from '../contract/routes.ts';
import {
  type ApiClient,
  type ApiRequest,
  createApiClient,
  fetchTransport,
  pathTo,
  type AddressArgument,
  type ApiCall,
} from '../lib/api-client.ts';
import { createAnyMaster, isRepeatable, noOwnerWait } from '../lib/any-master.ts';
import { type ApiError, errorFrom } from '../lib/api-error.ts';
import { Fault } from '../lib/fault.ts';
import { defaultDataFolder } from '../lib/folders.ts';
import { readLocalFile } from '../lib/local-file.ts';
import { proveLocalMaster } from '../lib/proof.ts';
import { findLogin } from './logins.ts';
import { list } from './options.ts';
import { refusePlain } from './refuse-plain.ts';
import type { ProcessIo } from './process-io.ts';
import { asResponse, requestWithoutTimeout } from './long-request.ts';

export interface ConnectionFlags {
  url?: string;
  token?: string;
  allowPlain?: boolean;
  data?: string;
}

/** The REST API of a master, or of whichever one of a cluster serves. Numbers keep their digits (lib/json). */
export interface MasterApi extends ApiClient {
  readonly url: string;
  /**
   * A call whose answer becomes files. It is checked by the contract first: this computer may be less the master's than its
   * user believes. Throws `Fault` MASTER_ANSWER_INVALID.
   */
  readonly checkedCall: ApiCall;
  /** A long answer that may take long to begin, where it is no problem. */
  download<N extends RouteName>(name: N, ...place: AddressArgument<N>): Promise<IncomingMessage>;
}

/** The master to talk to: `--url` (one, or several of a cluster with commas between) and `--token`, the environment, or the file that a local master leaves in its data folder. */
export function connectToMaster(flags: ConnectionFlags, io: Pick<ProcessIo, 'env'>): MasterApi {
  const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
  const url = flags.url ?? local?.url;
  if (url === undefined)
    throw new Fault(
      'MASTER_NOT_FOUND',
      `no master is running with the data folder ${resolveDataFolder(flags.data, io)}: start one with \`yardmaster master\`, or specify one with --url and --token`,
    );
  const urls = list(url, []).map((one) => one.replace(/\/+$/, ''));
  const wrong = urls.length === 0 ? url : urls.find((one) => !/^https?:$/.test(URL.parse(one)?.protocol ?? ''));
  if (wrong !== undefined)
    throw new Fault('USAGE', `--url must be an http or https URL such as http://127.0.0.1:8700; got "${wrong}"`);
  // A token that was got for this very URL is sent nowhere else; an empty one means none.
  const saved = flags.token === undefined && local === null && urls.length === 1 ? findLogin(urls[0] ?? '', io) : null;
  const token = (flags.token ?? local?.token ?? saved?.token) || null;
  if (token !== null && local === null && flags.allowPlain !== true) for (const one of urls) refusePlain(one);
  return createMasterApi(urls, token, local);
}

export const findLocalMaster = (data: string | undefined, io: Pick<ProcessIo, 'env'>): LocalFile | null =>
  readLocalFile(resolveDataFolder(data, io));

export const resolveDataFolder = (data: string | undefined, io: Pick<ProcessIo, 'env'>): string =>
  data ?? defaultDataFolder(io.env);

function createMasterApi(urls: readonly string[], token: string | null, local: LocalFile | null): MasterApi {
  // The file of a master that was killed may name a port at which somebody else listens by now: no token goes there unproven.
  let proven: Promise<void> | null = null;
  const prove = () => (proven ??= local === null ? Promise.resolve() : proveLocalMaster(local));
  const masters = createAnyMaster(urls, {
    isAlive: async (url, signal) => (await fetch(url + pathTo('master.healthz'), { signal })).ok,
  });
  const send = (request: ApiRequest) =>
    masters
      .send({
        repeatable: isRepeatable(request.method, new Headers(request.headers)),
        signal: request.signal,
        async attempt(url, signal) {
          await prove();
          return fetchTransport({ url, token }, fetchFrom)({ ...request, signal });
        },
        waitOf: noOwnerWait,
      })
      .catch((error: unknown) => {
        if (request.signal?.aborted) throw error;
        throw unreachable(urls, error);
      });
  const refused = (error: ApiError) => (error.code === 'UNKNOWN' ? notMaster(masters.current(), error.status) : error);
  const client = createApiClient(send, { lossless: true, refused });
  return {
    get url() {
      return masters.current();
    },
    ...client,
    async checkedCall(name, ...input) {
      const answer = await client.call(name, ...input);
      // Loaded here, for few commands need the schemas.
      const { checkAnswer } = await import('../lib/check-answer.ts');
      checkAnswer(name, answer);
      return answer;
    },
    async download(name, ...place) {
      const [method] = ADDRESSES[name];
      const path = pathTo(name, ...place);
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      const answered = await masters
        .send<IncomingMessage | Response>({
          repeatable: method === 'GET',
          async attempt(url, signal) {
            await prove();
            const answer = await requestWithoutTimeout(method, url + path, headers, signal);
            return answer.statusCode === 200 ? answer : asResponse(answer);
          },
          waitOf: async (answer) => (answer instanceof Response ? noOwnerWait(answer) : null),
        })
        .catch((error: unknown) => {
          throw unreachable(urls, error);
        });
      if (answered instanceof Response) throw refused(await errorFrom(`${method} ${path}`, answered));
      return answered;
    },
  };
}

/** Bytes of JSON that are read: more is no answer of a master, and may have no end. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * A redirect is told, not followed: what a command sends, such as a secret, and what it believes is between it and the master that
 * was named. JSON without an end is given up.
 */
const fetchFrom: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' });
  if (answer.status >= 300 && answer.status < 400 && answer.status !== 304)
    throw new Fault(
      'MASTER_UNREACHABLE',
      `${String(input)} redirects to ${answer.headers.get('location') ?? 'nowhere'}: name the URL of the master itself`,
    );
  if (answer.body === null || !/^application\/([\w.-]+\+)?json/i.test(answer.headers.get('content-type') ?? ''))
    return answer;
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(limitTo(MOST_BYTES)), { status, statusText, headers });
};

function limitTo(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > most)
        controller.error(new Fault('MASTER_ANSWER_INVALID', `the master's answer has more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function unreachable(urls: readonly string[], error: unknown): Fault {
  if (error instanceof Fault) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = errorCode(cause) ?? errorMessage(cause);
  return new Fault(
    'MASTER_UNREACHABLE',
    `no response from ${urls.join(' or ')} (${why}): is the master running, and is the URL correct?`,
    { cause: error },
  );
}

const notMaster = (url: string, status: number): Fault =>
  new Fault(
    'MASTER_UNREACHABLE',
    `${url} responded with ${status} and no problem document: is it a Yardmaster master?`,
  );
