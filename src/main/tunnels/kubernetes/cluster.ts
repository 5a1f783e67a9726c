import { request, type RequestOptions } from 'node:https';
import { request as plainRequest } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { WebSocket } from 'ws';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { loadClient } from './client.ts';
import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';

/** The API server of a context. */
export interface ApiServer {
  readonly address: string;
  /** The JSON at a path of its API. `what` it is, for messages; null: not found. */
  get(path: string, what: string): Promise<unknown>;
  /** A connection to a port of a pod. `broken` where the pod's end says that it does not take it. */
  forward(namespace: string, pod: string, port: number): Promise<Duplex>;
}

const PATIENCE_MS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Asks by the official client's credentials, certificates and proxy of that kubeconfig. */
export async function createApiServer(config: KubeConfig): Promise<ApiServer> {
  const { PortForward, WebSocketHandler } = await loadClient();
  const address = config.getCurrentCluster()?.server.replace(/\/+$/, '') ?? '';
  const context = config.getCurrentContext();

  async function get(path: string, what: string): Promise<unknown> {
    let answer: { status: number; body: unknown };
    try {
      answer = await ask(path);
    } catch (error) {
      throw transportFault(error, address);
    }
    const { status, body } = answer;
    if (status === 200) return body;
    if (status === 404) return null;
    throw statusFault(status, what, context, address, body);
  }

  async function ask(path: string): Promise<{ status: number; body: unknown }> {
    const options: RequestOptions = { headers: { accept: 'application/json' } };
    await config.applyToHTTPSOptions(options);
    const url = new URL(address + path);
    return new Promise((resolve, reject) => {
      const asked = (url.protocol === 'http:' ? plainRequest : request)(
        url,
        { ...options, signal: AbortSignal.timeout(PATIENCE_MS) },
        (response) => {
          const pieces: Buffer[] = [];
          let size = 0;
          response.on('data', (piece: Buffer) => {
            size += piece.length;
            if (size > MAX_BYTES) response.destroy(new Error(`its answer is longer than ${MAX_BYTES} bytes`));
            else pieces.push(piece);
          });
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: json(Buffer.concat(pieces)) }));
        },
      );
      asked.on('error', reject);
      asked.end();
    });
  }

  async function forward(namespace: string, pod: string, port: number): Promise<Duplex> {
    let socket: WebSocket | undefined;
    const forwarding = new PortForward(
      config,
      true,
      new WebSocketHandler(config, (uri, protocols, options) => {
        socket = new WebSocket(uri, protocols, {
          ...options,
          handshakeTimeout: PATIENCE_MS,
          perMessageDeflate: false,
        });
        return socket;
      }),
    );
    const fromPod = new PassThrough();
    const toPod = new PassThrough();
    const said = new PassThrough();
    try {
      await forwarding.portForward(namespace, pod, [port], fromPod, said, toPod);
    } catch (error) {
      const reason = isRecord(error) && error['error'] instanceof Error ? error['error'] : error;
      const [, status] = /server response: (\d+)/.exec(errorMessage(reason)) ?? [];
      if (status === undefined) throw transportFault(reason, address);
      throw status === '404'
        ? new Fault('POD_NOT_READY', `the pod ${pod} in ${namespace} is gone`)
        : statusFault(Number(status), `port-forward to pods in ${namespace}`, context, address, null);
    }
    const stream = Duplex.from({ readable: fromPod, writable: toPod });
    // Whoever takes it hears of its faults as well; ended before, it has one that is nobody's.
    stream.on('error', () => {});
    // The pod's end reports on a stream of its own, such as that nothing listens there.
    said.on('data', (text: Buffer) => {
      if (text.length > 0)
        stream.destroy(
          new Fault(
            'POD_NOT_READY',
            `the pod ${pod} does not take connections: ${text.toString('utf8').slice(0, 300)}`,
          ),
        );
    });
    // The client hands on without looking whether anybody takes what came.
    socket?.on('message', () => {
      if (!fromPod.writableNeedDrain) return;
      socket?.pause();
      fromPod.once('drain', () => socket?.resume());
    });
    socket?.on('close', () => {
      fromPod.end();
      toPod.end();
    });
    socket?.on('error', (error) => stream.destroy(error));
    stream.once('close', () => socket?.close());
    return stream;
  }

  return { address, get, forward };
}

const json = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
};

function statusFault(status: number, what: string, context: string, address: string, body: unknown): Fault {
  const said = isRecord(body) && typeof body['message'] === 'string' ? ` (${body['message'].slice(0, 300)})` : '';
  if (status === 401)
    return new Fault(
      'KUBERNETES_UNAUTHORIZED',
      `the API server ${address} does not accept the credentials of the context "${context}": they may have expired; sign in again as for kubectl, then retry`,
    );
  if (status === 403) return new Fault('KUBERNETES_FORBIDDEN', `the context "${context}" may not ${what}${said}`);
  return new Fault('KUBERNETES_UNREACHABLE', `the API server ${address} answers with status ${status}${said}`);
}

/** Why the API server was not reached at all. */
function transportFault(error: unknown, address: string): Fault {
  if (error instanceof Fault) return error;
  const text = errorMessage(error);
  const code = errorCode(error) ?? '';
  if (code === 'ENOENT')
    return new Fault('KUBECONFIG_INVALID', `a file that the kubeconfig names is missing (${text})`, { cause: error });
  const because = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)
    ? `its certificate is not that of the kubeconfig's authority (${text})`
    : code === 'ECONNREFUSED'
      ? 'nothing listens there'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'unknown host: check the network (VPN?)'
        : /abort|timed? ?out|ETIMEDOUT/i.test(`${code} ${text}`)
          ? `no answer within ${PATIENCE_MS / 1000} s: check the network (VPN?)`
          : text;
  return new Fault('KUBERNETES_UNREACHABLE', `could not reach the API server ${address}: ${because}`, { cause: error });
}
