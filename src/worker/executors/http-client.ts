import { lookup } from 'node:dns';
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { errorCode } from '../../lib/errors.ts';
import type { HttpPolicy } from '../../contract/worker-protocol.ts';
import { literalAddress, refuseAddress, refuseHostName } from '../../lib/addresses.ts';
import { isMasterAddress, namesMaster, portOf, type MasterPorts } from '../master-ports.ts';
import { TaskExecutionError } from '../task-execution-error.ts';

/** One request to one address, without redirects. */
export interface HttpRequest {
  method: string;
  headers: Headers;
  body?: string;
}

export interface HttpResponse {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  /** Decompressed. */
  body: Readable;
}

export interface HttpClient {
  /** Throws a `TaskExecutionError` NON_RETRYABLE where the address may not be called. */
  send(url: URL, sent: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /** Another policy from now on; connections that were made under the old one are not used again. */
  setPolicy(policy: HttpPolicy, master?: MasterPorts): void;
  close(): void;
}

/** Ports of other protocols, which an HTTP request could be mistaken for a command by: those of the fetch standard, but for 1 and 9, where nothing obeys. */
const BAD_PORTS = new Set([
  7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
  554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
/** Headers of the connection, which are its own business. */
const HOP_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const IDLE_MS = 10_000;
/** HTTPS and decompression are loaded by the first call, as most workers make none. */
const https = () => process.getBuiltinModule('node:https');
const zlib = () => process.getBuiltinModule('node:zlib');
const NO_MASTER: MasterPorts = { ports: [], addresses: [], named: [] };

/**
 * Sends requests to addresses that the policy allows. A host's addresses are checked where the connection is made, so
 * what was checked is what is connected to, whatever the name resolves to next.
 */
export function createHttpClient(first: HttpPolicy): HttpClient {
  let policy = first;
  let master: MasterPorts = NO_MASTER;
  let agents: ReturnType<typeof createAgents> | null = null;

  function createAgents() {
    const options = { keepAlive: true, timeout: IDLE_MS };
    return { plain: new PlainAgent(options), secure: new (https().Agent)(options) };
  }
  function drop() {
    agents?.plain.destroy();
    agents?.secure.destroy();
    agents = null;
  }

  function once(url: URL, { method, headers, body }: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      agents ??= createAgents();
      const options: RequestOptions = {
        method,
        // Node itself frames no body of a DELETE or OPTIONS: it would be read as the beginning of the next request.
        headers: {
          ...plainHeaders(headers),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        signal,
        agent: secure ? agents.secure : agents.plain,
        lookup: checkedLookup(url, policy, master),
      };
      const request = (secure ? https().request : plainRequest)(url, options, (response) =>
        resolve(toHttpResponse(response)),
      );
      request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
      request.end(body);
    });
  }

  return {
    async send(url, sent, signal) {
      checkUrl(url, policy, master);
      try {
        return await once(url, sent, signal);
      } catch (error) {
        // The other side closed an idle connection in the very moment in which it was taken up again: it saw nothing.
        if (
          error instanceof Error &&
          'reused' in error &&
          error.reused === true &&
          errorCode(error) === 'ECONNRESET' &&
          !signal.aborted
        )
          return once(url, sent, signal);
        throw error;
      }
    },
    setPolicy(next, nextMaster = NO_MASTER) {
      if (JSON.stringify([next, nextMaster]) === JSON.stringify([policy, master])) return;
      policy = next;
      master = nextMaster;
      drop();
    },
    close: drop,
  };
}

function checkUrl(url: URL, policy: HttpPolicy, master: MasterPorts): void {
  const why = refuseHostName(url.hostname);
  const address = literalAddress(url.hostname);
  const refused = why ?? (address === null ? null : refuseAddress(url.hostname, address, policy));
  if (refused !== null) throw refusedHost(url.hostname, refused);
  if (namesMaster(url, master) || (address !== null && isMasterAddress(address, portOf(url), master)))
    throw refusedMaster(url);
  if (BAD_PORTS.has(Number(url.port)))
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `${url.origin} has a blocked port: ${url.port} belongs to another protocol, which http nodes never call`,
    );
}

const refusedHost = (host: string, why: string): TaskExecutionError =>
  new TaskExecutionError('NON_RETRYABLE', `the host ${host} is not allowed: ${why}`);

const refusedMaster = (url: URL): TaskExecutionError =>
  new TaskExecutionError(
    'NON_RETRYABLE',
    `${url.origin} is a port of the Yardmaster master, which http nodes never call; use a workflow node, or a handler with a token`,
  );

/** Resolves a name and hands on only addresses that may be called; where there are none, the connection is not made. */
function checkedLookup(url: URL, policy: HttpPolicy, master: MasterPorts): LookupFunction {
  const port = portOf(url);
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      // A name of the master is one of nobody else, whatever more it resolves to.
      if (found.some(({ address }) => isMasterAddress(address, port, master))) return callback(refusedMaster(url), '');
      const judged = found.map((one) => ({ ...one, refused: refuseAddress(host, one.address, policy) }));
      const allowed = judged.filter((one) => one.refused === null);
      const [only] = allowed;
      if (!only) return callback(refusedHost(host, judged[0]?.refused ?? 'the host has no address'), '');
      if (options.all)
        callback(
          null,
          allowed.map(({ address, family }) => ({ address, family })),
        );
      else callback(null, only.address, only.family);
    });
  };
}

function plainHeaders(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    ...Object.fromEntries(headers),
  };
  for (const name of HOP_HEADERS) delete plain[name];
  return plain;
}

function toHttpResponse(response: IncomingMessage): HttpResponse {
  const headers = Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  );
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers,
    body: decompress(response, headers['content-encoding']),
  };
}

function decompress(response: IncomingMessage, encodings: string | undefined): Readable {
  let body: Readable = response;
  for (const encoding of (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .reverse()) {
    const decoder =
      encoding === 'gzip' || encoding === 'x-gzip'
        ? zlib().createGunzip()
        : encoding === 'deflate'
          ? zlib().createInflate()
          : encoding === 'br'
            ? zlib().createBrotliDecompress()
            : null;
    // Errors reach whoever reads the last one.
    if (decoder) body = pipeline(body, decoder, () => {});
  }
  return body;
}
