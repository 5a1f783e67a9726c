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
import { type ApiError, errorFrom } from '../lib/api-error.ts';
import { Fault } from '../lib/fault.ts';
import { defaultDataFolder } from '../lib/folders.ts';
import { readLocalFile } from '../lib/local-file.ts';
import { refusePlain } from './refuse-plain.ts';
import type { ProcessIo } from './process-io.ts';
import { asResponse, requestWithoutTimeout } from './long-request.ts';

export interface ConnectionFlags {
  url?: string;
  token?: string;
  allowPlain?: boolean;
  data?: string;
}

/** The REST API of one master. Numbers keep their digits (lib/json). */
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

/** The master to talk to: `--url` and `--token`, the environment, or the file that a local master leaves in its data folder. */
export function connectToMaster(flags: ConnectionFlags, io: Pick<ProcessIo, 'env'>): MasterApi {
  const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
  const url = flags.url ?? local?.url;
  if (url === undefined)
    throw new Fault(
      'MASTER_NOT_FOUND',
      `no master is running with the data folder ${resolveDataFolder(flags.data, io)}: start one with \`yardmaster master\`, or specify one with --url and --token`,
    );
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Fault('USAGE', `--url must be an http or https URL such as http://127.0.0.1:8700; got "${url}"`);
  const token = flags.token ?? local?.token ?? null;
  if (token !== null && local === null && flags.allowPlain !== true) refusePlain(url);
  return createMasterApi(url.replace(/\/+$/, ''), token);
}

export const findLocalMaster = (data: string | undefined, io: Pick<ProcessIo, 'env'>): LocalFile | null =>
  readLocalFile(resolveDataFolder(data, io));

export const resolveDataFolder = (data: string | undefined, io: Pick<ProcessIo, 'env'>): string =>
  data ?? defaultDataFolder(io.env);

function createMasterApi(url: string, token: string | null): MasterApi {
  const transport = fetchTransport({ url, token }, fetch);
  const send = (request: ApiRequest) =>
    transport(request).catch((error: unknown) => {
      if (request.signal?.aborted) throw error;
      throw unreachable(url, error);
    });
  const refused = (error: ApiError) => (error.code === 'UNKNOWN' ? notMaster(url, error.status) : error);
  const client = createApiClient(send, { lossless: true, refused });
  return {
    url,
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
      const answer = await requestWithoutTimeout(
        method,
        url + path,
        token === null ? {} : { authorization: `Bearer ${token}` },
      ).catch((error: unknown) => {
        throw unreachable(url, error);
      });
      if (answer.statusCode !== 200) throw refused(await errorFrom(`${method} ${path}`, await asResponse(answer)));
      return answer;
    },
  };
}

function unreachable(url: string, error: unknown): Fault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = errorCode(cause) ?? errorMessage(cause);
  return new Fault(
    'MASTER_UNREACHABLE',
    `no response from ${url} (${why}): is the master running, and is the URL correct?`,
    { cause: error },
  );
}

const notMaster = (url: string, status: number): Fault =>
  new Fault(
    'MASTER_UNREACHABLE',
    `${url} responded with ${status} and no problem document: is it a Yardmaster master?`,
  );
